import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { sandboxPaths } from './boot/saved-state.ts'
import { readJson } from './files.ts'
import { observe, readManifest } from './observer.fixture.ts'
import { type OpenedSandbox, openSandbox } from './open-sandbox.ts'
import { isAlive, waitForEnd } from './process/processes.ts'
import { endMillisMax, removeSandbox } from './remove-sandbox.fixture.ts'

/*
 * The lifecycle of a sandbox in order: started, found again, orphaned, stopped, resumed, and killed
 * twice with -9.
 */

const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-life-'))
const paths = sandboxPaths(dataDir)
const settings = { pastHours: 0.1, swapsPerSecond: 8 }

const pidIn = (path: string): number => (readJson(path) as { pid: number }).pid
const headOf = (opened: OpenedSandbox) => observe(readManifest(opened.manifest)).head()

let sandbox: OpenedSandbox
let genesisHash: string

afterAll(() => removeSandbox(sandbox, dataDir))

/** Opens the sandbox from a process of its own, which then waits to be killed. */
function openElsewhere(): Promise<ChildProcess> {
  const attach = JSON.stringify(join(import.meta.dirname, 'open-sandbox.ts'))
  const script = `
    import { openSandbox } from ${attach}
    await openSandbox(${JSON.stringify({ dataDir, settings })})
    process.stdout.write('open')
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    owner.stdout.once('data', () => resolve(owner))
    owner.once('exit', () => reject(new Error('the owner exited before its sandbox was ready')))
  })
}

async function openLater(): Promise<OpenedSandbox> {
  await expect.poll(() => existsSync(paths.running)).toBe(true)
  return openSandbox({ dataDir, settings })
}

test('survives a kill -9 of its owner and is found by the next one', async () => {
  const owner = await openElsewhere()
  const pid = pidIn(paths.running)
  owner.kill('SIGKILL')
  await waitForEnd(owner.pid as number, endMillisMax)
  expect(isAlive(pid)).toBe(true)

  sandbox = await openSandbox({ dataDir, settings })
  genesisHash = sandbox.genesisHash

  expect(sandbox.reused).toBe(true)
  expect(pidIn(paths.running)).toBe(pid)
})

test('an orderly stop leaves nothing behind, and the next start resumes the chain', async () => {
  const before = { pid: pidIn(paths.running), anvil: pidIn(paths.anvilPid) }
  const head = await headOf(sandbox)
  await sandbox.stop()
  for (const pid of [before.pid, before.anvil]) await waitForEnd(pid, endMillisMax)
  expect([before.pid, before.anvil].filter(isAlive)).toEqual([])
  expect(existsSync(paths.running)).toBe(false)

  sandbox = await openSandbox({ dataDir, settings })

  expect(sandbox.reused).toBe(false)
  expect(sandbox.genesisHash).toBe(genesisHash)
  expect(await headOf(sandbox)).toBeGreaterThan(head)
  expect(existsSync(paths.state)).toBe(false)
})

test('two concurrent callers get the same sandbox', async () => {
  await sandbox.stop()
  const both = await Promise.all([openSandbox({ dataDir, settings }), openLater()])
  expect(both.map((opened) => opened.reused)).toEqual([false, true])
  expect(new Set(both.map((opened) => opened.controlUrl)).size).toBe(1)
  sandbox = both[0]
})

test('other settings replace the running sandbox by a new chain', async () => {
  const pid = pidIn(paths.running)
  const other = { ...settings, seed: 2 }
  const replaced = await openSandbox({ dataDir, settings: other })
  expect(isAlive(pid)).toBe(false)
  expect(replaced.genesisHash).not.toBe(genesisHash)
  await replaced.stop()
  sandbox = replaced
})

test('after a kill -9 of the sandbox the next start ends the orphaned node', async () => {
  const ends: string[] = []
  const killed = await openSandbox({
    ...{ dataDir, settings },
    onEnd: (reason) => ends.push(reason),
  })
  const orphan = pidIn(paths.anvilPid)
  const pid = pidIn(paths.running)
  process.kill(pid, 'SIGKILL')
  await waitForEnd(pid, endMillisMax)
  expect(isAlive(orphan)).toBe(true)
  await expect.poll(() => ends.length).toBe(1)

  sandbox = await openSandbox({ dataDir, settings })

  expect(isAlive(orphan)).toBe(false)
  expect(sandbox.genesisHash).not.toBe(killed.genesisHash)
})

test('the sandbox ends if its node is killed with -9', async () => {
  const pid = pidIn(paths.running)
  process.kill(pidIn(paths.anvilPid), 'SIGKILL')
  expect(await waitForEnd(pid, endMillisMax)).toBe(true)
})

test('an aborted start leaves no process behind', async () => {
  const aborting = new AbortController()
  const opening = openSandbox({
    ...{ dataDir, settings, signal: aborting.signal },
    onProgress: ({ phase }) => {
      if (phase === 'past') aborting.abort()
    },
  })
  await expect(opening).rejects.toThrow()
  await expect.poll(() => existsSync(paths.anvilPid)).toBe(false)
})
