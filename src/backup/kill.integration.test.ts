import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { contents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  backupToText,
  restoreText,
  sqliteLocation,
  sqliteLocationAt,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { createSqliteReader } from '../store/sqlite/sqlite-store.ts'
import { backupStore, restoreStore } from './backup.ts'

/*
 *   restore: mark ─ rows ─ rows ─ ✗           the store says that it contains an incomplete restore
 *   restore: clear ─ mark ─ rows … header ─ unmark         and the next restore starts again
 */

const program = new URL('../../test/support/backup/restoring-process.ts', import.meta.url)
const [drawn] = fc.sample(contents, { numRuns: 1, seed: 9 })

let file = ''
const filled = async (folder: string) => {
  const home = sqliteLocation(folder)
  const store = unwrap(await home.openStore())
  if (drawn !== undefined) await fill(store, drawn)
  await store.close()
  return home
}
beforeAll(async () => {
  const ends: (() => void)[] = []
  file = await backupToText(await filled(temporaryFolder((end) => ends.push(end))))
  for (const end of ends) end()
})

/** Kills a restore after its first write, in the middle and near the end. */
test.each([1, 3, 7, 10])('recovers from a kill after %i writes', async (writes) => {
  const folder = temporaryFolder(onTestFinished)
  const path = join(folder, 'store.db')
  const from = join(folder, 'backup')
  writeFileSync(from, file)
  const child = fork(program, [path, from])
  const gone = once(child, 'exit')
  let seen = 0
  child.on('message', () => {
    seen += 1
    if (seen === writes) child.kill('SIGKILL')
    else child.send('continue')
  })
  expect((await gone)[1]).toBe('SIGKILL')
  const home = sqliteLocationAt(path)
  const fault = `store ${path} contains an incomplete restore: run "stockpools restore" again`
  for (const refused of [
    await home.openStore(),
    createSqliteReader({ path }),
    await home.openSource(),
  ]) {
    expect(refused).toEqual({ ok: false, fault })
  }
  expect(await restoreText(home, [file])).toMatchObject({ ok: true })
  expect(await backupToText(home)).toBe(file)
})

test('a restore stops writing once another one takes over', async () => {
  const home = sqliteLocation(temporaryFolder(onTestFinished))
  const [first, second] = [unwrap(await home.openSink()), unwrap(await home.openSink())]
  unwrap(await first.begin())
  unwrap(await second.begin())
  for (const outcome of [
    await first.write('searched', [[`0x${'11'.repeat(20)}`, 'stock', 0, 0, 0]]),
    await first.finish([], []),
    await first.rollback(),
  ]) {
    expect(outcome).toMatchObject({ ok: false })
    expect(outcome.ok ? '' : outcome.fault).toContain('was taken over by another restore')
  }
  unwrap(await second.rollback())
  for (const sink of [first, second]) await sink.close()
  expect(await restoreText(home, [file])).toMatchObject({ ok: true })
})

test('an interruption leaves neither a partial file nor a partial store', async () => {
  const folder = temporaryFolder(onTestFinished)
  const home = await filled(folder)
  const stopping = new AbortController()
  const { signal } = stopping
  const source = unwrap(await home.openSource())
  const path = join(folder, 'backup')
  const output = new PassThrough()
  const work = { file: path, signal, onStep: () => stopping.abort() }
  expect(await backupStore(source, { ...work, output })).toEqual({
    ok: false,
    fault: `${path} was stopped`,
  })
  await source.close()
  expect(readdirSync(folder).filter((name) => name.startsWith('backup'))).toEqual([])

  const restoring = new AbortController()
  const empty = sqliteLocation(folder)
  const sink = unwrap(await empty.openSink())
  const input = new PassThrough()
  input.write(file.slice(0, -10))
  const restores = { file: '-', signal: restoring.signal, onStep: () => restoring.abort() }
  const outcome = await restoreStore(sink, { ...restores, input })
  expect(outcome.ok ? '' : outcome.fault).toBe('standard input was stopped; nothing was restored')
  await sink.close()
  expect(await restoreText(empty, [file])).toMatchObject({ ok: true })
})

test('a backup does not overwrite an existing file', async () => {
  const folder = temporaryFolder(onTestFinished)
  const home = await filled(folder)
  const path = join(folder, 'backup.gz')
  writeFileSync(path, 'mine')
  const source = unwrap(await home.openSource())
  const signal = new AbortController().signal
  const work = { file: path, signal, onStep: () => {}, output: new PassThrough() }
  const outcome = await backupStore(source, work)
  expect(outcome).toEqual({ ok: false, fault: `${path} exists already` })
  expect(await backupStore(source, { ...work, file: join(folder, 'none', 'x') })).toMatchObject({
    ok: false,
    fault: `${join(folder, 'none', 'x')} does not exist`,
  })
  await source.close()
  expect(existsSync(`${path}.partial`)).toBe(false)
})

test('rejects a backup of an unclaimed store', async () => {
  const home = sqliteLocation(temporaryFolder(onTestFinished))
  await unwrap(await home.openStore()).close()
  await expect(backupToText(home)).rejects.toThrow('the store is empty')
})
