import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { queryAt } from '../../test/setup/postgres.ts'
import type { RunningNode } from '../chain/start-node.ts'
import type { Peer, PeerRun, PeerTask } from './peer.ts'

/** A peer's project in a folder of its own. */
export type Project = { readonly peer: Peer; readonly folder: string }

const installSecondsMax = 600
const runSecondsMax = 900
const lookMs = 100
const outputKept = 2000

type Command = {
  readonly folder: string
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const toolsFolder = 'tools'
const toolsIn = (folder: string): string => join(folder, toolsFolder, 'node_modules', '.bin')

/** With this Node before the system's, and nothing else of our environment but what npm needs. */
const environmentOf = ({ folder, environment }: Command) => ({
  ...process.env,
  PATH: [dirname(process.execPath), toolsIn(folder), process.env.PATH ?? ''].join(delimiter),
  ...environment,
})

const begin = (order: Command) => {
  const { folder, words } = order
  const [command = '', ...args] = words
  // A group of its own, so that all of its processes can be ended.
  const child = spawn(command, args, {
    cwd: folder,
    env: environmentOf(order),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  endWithUs(child)
  let said = ''
  child.once('error', (error) => {
    said = `${said}\n${error.message}`
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-outputKept)
    })
  }
  return { child, said: () => said.trim() }
}

/** A benchmark that is stopped leaves nothing running behind it. */
const endWithUs = (child: ChildProcess): void => {
  const endGroup = (): void => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', endGroup)
  child.once('close', () => process.off('exit', endGroup))
}

const end = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'close')
  process.kill(-child.pid, 'SIGKILL')
  await ended
}

const lastLine = (said: string): string => said.split('\n').at(-1)?.trim() ?? ''

/** The part of a complaint that says what is missing. */
const reasonOf = (words: readonly string[], said: string): string => {
  const missing = /(notarget No matching version found for \S+|E404 .*)/.exec(said)?.[1]
  const telling = said.split('\n').find((line) => /error/i.test(line))
  const what = missing ?? telling?.trim() ?? lastLine(said)
  return `${words.slice(0, 2).join(' ')}: ${what}`.replaceAll(/https?:\/\/\S+/g, '<url>')
}

const runToEnd = async (command: Command, secondsMax: number): Promise<void> => {
  const { child, said } = begin(command)
  const ended = once(child, 'close') as Promise<[number | null]>
  const timeout = setTimeout(() => void end(child), secondsMax * 1000)
  const [code] = await ended.finally(() => clearTimeout(timeout))
  if (code !== 0) throw new Error(reasonOf(command.words, said()))
}

const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

const install = async (folder: string, manifest: object): Promise<void> => {
  writeFiles(folder, {
    'package.json': JSON.stringify({ name: 'peer', private: true, ...manifest }),
  })
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']
  const words = ['npm', 'install', ...quiet]
  await runToEnd({ folder, words, environment: {} }, installSecondsMax)
}

/** What npm brings, none of whose scripts are run. Throws with one line if it can not be had. */
export const installPeer = async (peer: Peer, folder: string): Promise<Project> => {
  const { type, packages, overrides, tools } = peer
  await install(folder, { type, dependencies: packages, overrides })
  if (Object.keys(tools).length > 0) {
    await install(join(folder, toolsFolder), { dependencies: tools })
  }
  return { peer, folder }
}

/** The sum over its processes; a peak is that of the largest. */
const spentIn = (folder: string) => {
  const spent = readdirSync(folder).flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as Spending]
    } catch {
      // It is being written again.
      return []
    }
  })
  return {
    cpuSeconds: spent.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    peakMb: Math.max(0, ...spent.map(({ peakMb }) => peakMb)),
  }
}

type Spending = { readonly cpuSeconds: number; readonly peakMb: number }

const rowsIn = async ({ peer }: Project, task: PeerTask): Promise<number> => {
  try {
    const [row] = await queryAt(task.databaseUrl, peer.countQuery)
    return Number(row?.rows ?? 0)
  } catch {
    // Before it has made its tables.
    return 0
  }
}

/** Until all events are in its database: neither fewer nor, a moment later, more. */
const untilComplete = async (
  project: Project,
  task: PeerTask,
  running: ReturnType<typeof begin>,
): Promise<number> => {
  const startedMs = performance.now()
  const secondsSince = () => (performance.now() - startedMs) / 1000
  for (;;) {
    const rows = await rowsIn(project, task)
    if (rows >= task.events) {
      const seconds = secondsSince()
      if (rows > task.events) throw new Error(`${rows} rows of ${task.events} events`)
      return seconds
    }
    const { exitCode, signalCode } = running.child
    const hasEnded = exitCode !== null || signalCode !== null || running.child.pid === undefined
    if (hasEnded && (await rowsIn(project, task)) < task.events) {
      const complaint = reasonOf(project.peer.start, running.said())
      throw new Error(`ended with ${exitCode} after ${rows} of ${task.events} events: ${complaint}`)
    }
    if (secondsSince() > runSecondsMax) {
      throw new Error(`${rows} of ${task.events} events after ${runSecondsMax} s`)
    }
    await delay(lookMs)
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** One run from an empty database. Throws with one line if it does not come to its end. */
export const runPeer = async (
  project: Project,
  task: PeerTask,
  node: RunningNode,
): Promise<PeerRun> => {
  const { peer, folder } = project
  const spendings = join(folder, 'spendings', String(Math.floor(performance.now())))
  mkdirSync(spendings, { recursive: true })
  writeFiles(folder, peer.files(task))
  if (peer.setupSql !== null) await queryAt(task.databaseUrl, peer.setupSql)
  const environment = peer.environment(task)
  for (const words of peer.prepare) {
    await runToEnd({ folder, words, environment }, installSecondsMax)
  }
  await node.resetCounts()
  const hook = pathToFileURL(join(import.meta.dirname, 'spending.mjs')).href
  const watched = { PEER_SPENDING_FOLDER: spendings, NODE_OPTIONS: `--import ${hook}` }
  const words = peer.start
  const running = begin({ folder, words, environment: { ...environment, ...watched } })
  try {
    const seconds = await untilComplete(project, task, running)
    const { requests, calls } = await node.counts()
    return { seconds, ...spentIn(spendings), requests, calls: sum(Object.values(calls)) }
  } finally {
    await end(running.child)
  }
}
