import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type Ended, startProcess } from '../../test/setup/processes.ts'
import { contents, fill } from '../../test/support/backup/draw-contents.ts'
import {
  backupToText,
  type StoreLocation,
  sqliteLocation,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'

const cli = fileURLToPath(new URL('../cli/cli.ts', import.meta.url))

const runCommand = (...args: readonly string[]) => {
  const env = { PATH: process.env.PATH }
  return startProcess(process.execPath, [cli, ...args], { env })
}

const logOf = ({ stdout }: Ended) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

const filled = async (home: StoreLocation): Promise<void> => {
  const store = unwrap(await home.openStore())
  const [drawn] = fc.sample(contents, { numRuns: 1, seed: 21 })
  if (drawn !== undefined) await fill(store, drawn)
  await store.close()
}

test('backs up and restores compressed and plain files', async () => {
  const folder = temporaryFolder(onTestFinished)
  const [from, to] = [sqliteLocation(folder), sqliteLocation(folder)]
  await filled(from)
  const path = join(folder, 'backup.gz')
  const whole = await backupToText(from)
  const left = await runCommand('backup', '--store', from.url, path).ended
  expect(left).toMatchObject({ code: 0, stderr: '' })
  expect(gunzipSync(readFileSync(path)).toString('utf8')).toBe(whole)
  expect(logOf(left).at(-1)).toMatchObject({
    message: 'Completed the backup',
    network: 'robinhood',
    chainId: 4663,
  })
  const came = await runCommand('restore', path, `--store=${to.url}`).ended
  expect(came).toMatchObject({ code: 0, stderr: '' })
  expect(logOf(came).at(-1)).toMatchObject({ message: 'Completed the restore' })
  expect(await backupToText(to)).toBe(whole)
  const again = await runCommand('restore', path, '--store', to.url).ended
  const fault = ` is not empty: a restore needs a store of its own\n`
  expect(again).toMatchObject({ code: 1, stdout: '' })
  expect(again.stderr).toMatch(/^stockpools: store .*\n$/)
  expect(again.stderr).toContain(fault)
})

test('keeps logs out of the output of a pipe', async () => {
  const folder = temporaryFolder(onTestFinished)
  const [from, to] = [sqliteLocation(folder), sqliteLocation(folder)]
  await filled(from)
  const left = await runCommand('backup', '--store', from.url, '-').ended
  expect(left).toMatchObject({ code: 0, stdout: await backupToText(from) })
  expect(left.stderr).toContain('Completed the backup')
  const env = { PATH: process.env.PATH }
  const child = spawn(process.execPath, [cli, 'restore', '--store', to.url, '-'], { env })
  child.stdin.end(left.stdout)
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(0)
  expect(await backupToText(to)).toBe(left.stdout)
})

test('reports an interruption and leaves no partial result', async () => {
  const folder = temporaryFolder(onTestFinished)
  const [from, to] = [sqliteLocation(folder), sqliteLocation(folder)]
  await filled(from)
  const whole = await backupToText(from)
  const env = { PATH: process.env.PATH }
  const running = startProcess(process.execPath, [cli, 'restore', '--store', to.url, '-'], {
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // The input stays open, but no more data arrives.
  running.child.stdin?.write(whole.slice(0, -5))
  await running.says(/In progress: restore of/)
  running.child.kill('SIGINT')
  const ended = await running.ended
  expect(ended).toMatchObject({
    code: 1,
    stderr: 'stockpools: standard input was stopped; nothing was restored\n',
  })
  const path = join(folder, 'whole')
  writeFileSync(path, whole)
  expect(await runCommand('restore', '--store', to.url, path).ended).toMatchObject({ code: 0 })
})
