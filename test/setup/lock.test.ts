import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProcess } from './processes.ts'
import { createTemporaryClone, loadFromBin, type TemporaryClone } from './temporary-clone.ts'

type Lock = {
  readonly withLock: <T>(
    directory: string,
    work: () => Promise<T>,
    onWait: () => void,
  ) => Promise<T>
}
const { withLock } = await loadFromBin<Lock>('setup/lock.mjs')

let clone: TemporaryClone
let directory = ''
beforeEach(() => {
  clone = createTemporaryClone()
  directory = join(clone.root, 'data', 'install.lock')
})
afterEach(() => clone.remove())

/** A lock that process `pid` left behind; null: the owner died before it wrote its name. */
const leaveLock = (pid: number | null, ageSeconds: number) => {
  mkdirSync(directory, { recursive: true })
  if (pid !== null) writeFileSync(join(directory, 'pid'), String(pid))
  const then = Date.now() / 1000 - ageSeconds
  utimesSync(directory, then, then)
}

const endedProcess = async (): Promise<number> => {
  const running = startProcess(process.execPath, ['-e', ''])
  await running.ended
  return running.child.pid ?? 0
}

test('two who want it work one after the other, the second one waits', async () => {
  const story: string[] = []
  const worker = (name: string) =>
    withLock(
      directory,
      async () => {
        story.push(`${name} begins`)
        await sleep(50)
        story.push(`${name} ends`)
      },
      () => story.push(`${name} waits`),
    )
  await Promise.all([worker('one'), worker('two')])
  expect(story).toEqual(['one begins', 'two waits', 'one ends', 'two begins', 'two ends'])
  expect(existsSync(directory)).toBe(false)
})

test('it is given back when the work fails', async () => {
  const work = () => Promise.reject(new Error('no disk'))
  await expect(withLock(directory, work, () => {})).rejects.toThrow('no disk')
  expect(existsSync(directory)).toBe(false)
})

test('the lock of a dead process is taken over, once', async () => {
  leaveLock(await endedProcess(), 1)
  let inside = 0
  const work = async () => {
    inside += 1
    expect(inside).toBe(1)
    await sleep(20)
    inside -= 1
  }
  await Promise.all([1, 2, 3].map(() => withLock(directory, work, () => {})))
})

test.each([
  ['no owner for long', null, 60],
  ['an owner whose id was given to another long ago', process.pid, 3600],
])('a lock with %s is taken over', async (_what, pid, ageSeconds) => {
  leaveLock(pid, ageSeconds)
  await expect(
    withLock(
      directory,
      async () => 'done',
      () => {},
    ),
  ).resolves.toBe('done')
})

test('the lock of a living process is left alone', async () => {
  leaveLock(process.pid, 1)
  let hasWaited = false
  const wanted = withLock(
    directory,
    async () => 'done',
    () => {
      hasWaited = true
    },
  )
  await sleep(300)
  expect([hasWaited, existsSync(directory)]).toEqual([true, true])
  leaveLock(null, 60)
  writeFileSync(join(directory, 'pid'), String(await endedProcess()))
  await expect(wanted).resolves.toBe('done')
})
