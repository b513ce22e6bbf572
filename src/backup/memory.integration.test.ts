import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { fillForSizes } from '../../bench/sizes/fill.ts'
import { startPostgres } from '../../test/setup/postgres.ts'
import { sqliteLocation, temporaryFolder, unwrap } from '../../test/support/backup/homes.ts'

/*
 * Backup and restore use constant memory, whatever the size of the store. The heap is smaller than
 * the file, so that a process that collects the whole file in memory crashes.
 */

const isDeep = process.env.TEST_TIER === 'T1'
const swaps = isDeep ? 1_000_000 : 60_000
const heapMb = isDeep ? 64 : 40
const cli = fileURLToPath(new URL('../cli/cli.ts', import.meta.url))

const runCommand = async (...args: readonly string[]): Promise<number | null> => {
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMb}`, cli, ...args], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

test(`${swaps} swaps through a heap of ${heapMb} MB`, { timeout: 1_200_000 }, async () => {
  const folder = temporaryFolder(onTestFinished)
  const [from, to] = [sqliteLocation(folder), sqliteLocation(folder)]
  const store = unwrap(await from.openStore())
  await fillForSizes(store, { swaps, pools: 200, days: 2, ticksPerPool: 5 }, () => {})
  await store.close()
  const [file, again] = [join(folder, 'backup'), join(folder, 'again')]
  expect(await runCommand('backup', '--store', from.url, file)).toBe(0)
  expect(statSync(file).size).toBeGreaterThan(heapMb * 1_000_000 * 0.7)
  expect(await runCommand('restore', '--store', to.url, file)).toBe(0)
  const server = await startPostgres()
  onTestFinished(server.dispose)
  const url = await server.createDatabase()
  expect(await runCommand('restore', '--store', url, file)).toBe(0)
  expect(await runCommand('backup', '--store', url, again)).toBe(0)
  expect(statSync(again).size).toBe(statSync(file).size)
})
