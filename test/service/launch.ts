import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NetworkFile } from '../../sandbox/network-file.ts'
import { type Running, startProcess } from '../setup/processes.ts'
import { type Api, createApi, eventually } from './api.ts'

const cli = fileURLToPath(new URL('../../src/cli/cli.ts', import.meta.url))

export type Launch = {
  /** Working directory; the default place of its files. */
  readonly directory: string
  readonly environment?: Readonly<Record<string, string>>
}

/** As the launcher and ops/ give it. */
export const nodeFlags: readonly string[] = ['--max-semi-space-size=16']

/** What they set besides. Only glibc knows it. */
export const nodeEnvironment: Readonly<Record<string, string>> = { MALLOC_ARENA_MAX: '1' }

/** stockpools as a process, which a test may end in any way and at any moment. */
export const launch = (args: readonly string[], { directory, environment }: Launch): Running =>
  startProcess(process.execPath, [...nodeFlags, cli, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, ...nodeEnvironment, ...environment },
  })

/** What it has printed, once that matches; the first group, or the whole match. */
export const untilPrinted = async (running: Running, pattern: RegExp): Promise<string> => {
  let printed = ''
  running.child.stdout?.on('data', (text: string) => {
    printed += text
  })
  const isEnded = () => running.child.exitCode !== null || running.child.signalCode !== null
  const find = () => pattern.exec(printed)
  const match = await eventually(find, (found) => found !== null || isEnded(), patience)
  if (match === null) throw new Error(`it ended too early: ${(await running.ended).stderr}`)
  return match[1] ?? match[0]
}

const patience = { waitMs: 50, msMax: 300_000 }

/** Its base URL, once it serves. */
const servingAt = async (running: Running): Promise<string> =>
  `http://${await untilPrinted(running, /API listening on ([\w.:[\]]+),/)}`

/** A client of it, once it can answer everything. */
export const clientOf = async (running: Running): Promise<Api> => {
  const api = createApi(await servingAt(running))
  await eventually(
    () => api.ask('/readyz'),
    ({ status }) => status === 200,
    patience,
  )
  return api
}

/** Ends it in order; the exit code. */
export const stop = async ({ child, ended }: Running): Promise<number | null> => {
  child.kill('SIGTERM')
  return (await ended).code
}

/** Ends it as a power cut would. */
export const kill = async ({ child, ended }: Running): Promise<void> => {
  child.kill('SIGKILL')
  await ended
}

/** Writes the sandbox's network file into a directory, changed; its path there. */
export const writeNetworkFile = (
  directory: string,
  sandboxDir: string,
  change: (file: NetworkFile) => unknown = (file) => file,
): string => {
  const text = readFileSync(join(sandboxDir, 'network.json'), 'utf8')
  const path = join(directory, 'network.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(text) as NetworkFile)))
  return path
}
