import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startProcess } from '../../test/setup/processes.ts'
import { sqliteLocation, temporaryFolder, unwrap } from '../../test/support/backup/homes.ts'
import { fillDays, swapsPerDay } from '../../test/support/export/filled-store.ts'
import { readCsv, readManifestOf } from '../../test/support/export/run-export.ts'

const cli = fileURLToPath(new URL('../cli/cli.ts', import.meta.url))
const env = { PATH: process.env.PATH }

const run = (...args: readonly string[]) =>
  startProcess(process.execPath, [cli, 'export', ...args], { env })

const openFilled = async () => {
  const folder = temporaryFolder(onTestFinished)
  const location = sqliteLocation(folder)
  const store = unwrap(await location.openStore())
  await fillDays(store)
  await store.close()
  return { url: location.url, out: join(folder, 'out'), folder }
}

test('writes files and says how many', async () => {
  const { url, out } = await openFilled()
  const flags = ['--store', url, '--dataset=swaps', '--format', 'csv', '--out', out]
  const ended = await run(...flags, '--from', '2026-11-24', '--symbol', 'aapl').ended
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    message: 'Completed the export',
    dataset: 'swaps',
    files: 2,
    kept: 0,
    rows: (swapsPerDay / 3) * 4,
  })
  expect(readCsv(join(out, 'swaps/2026-11-25.csv'))).toHaveLength((swapsPerDay / 3) * 2)
  expect(readManifestOf(out).filter).toEqual({ symbol: 'AAPL', pool: null })
})

test('a file that does not fit leaves nothing that looks whole', async () => {
  const { url, out } = await openFilled()
  const flags = ['--store', url, '--dataset', 'swaps', '--format', 'ndjson', '--out', out]
  const command = `ulimit -f 128; exec "$@"`
  const args = ['-c', command, 'sh', process.execPath, cli, 'export', ...flags]
  const ended = await startProcess('/bin/sh', args, { env }).ended
  expect(ended).toMatchObject({
    code: 1,
    stderr: `stockpools: ${out} grows beyond the largest file allowed\n`,
  })
  expect(readdirSync(join(out, 'swaps'))).toEqual([])
  expect(await run(...flags).ended).toMatchObject({ code: 0 })
  expect(readdirSync(join(out, 'swaps'))).toHaveLength(3)
})

test('an export that was killed frees its directory, and the next one continues', async () => {
  const { url, out } = await openFilled()
  const flags = ['--store', url, '--dataset', 'swaps', '--format', 'csv', '--out', out]
  const running = run(...flags)
  await running.says(/In progress: swaps 2026-11-23/)
  running.child.kill('SIGKILL')
  expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(await run(...flags).ended).toMatchObject({ code: 0, stderr: '' })
  const left = readdirSync(join(out, 'swaps'))
  expect(left).toEqual(['2026-11-23.csv', '2026-11-24.csv', '2026-11-25.csv'])
})

test('an interruption is reported', async () => {
  const { url, out } = await openFilled()
  const flags = ['--store', url, '--dataset', 'swaps', '--format', 'csv', '--out', out]
  const running = run(...flags)
  await running.says(/In progress: swaps 2026-11-23/)
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  // A signal that comes with the last page changes nothing.
  if (code !== 0) {
    expect([code, stderr]).toEqual([
      1,
      'stockpools: the export was stopped; the next one continues with the days that are missing\n',
    ])
  }
  for (const name of readdirSync(join(out, 'swaps'))) {
    expect(readManifestOf(out).files.map(({ path }) => path)).toContain(`swaps/${name}`)
  }
})
