import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { queryAt } from '../../test/setup/postgres.ts'
import type { RunningNode } from '../chain/start-node.ts'
import type { Peer, PeerRun, PeerTask } from './peer.ts'

/** An installed peer and its folder. */
export type Project = { readonly peer: Peer; readonly folder: string }

const installSecondsMax = 600
const runSecondsMax = 900
const pollMs = 100
const outputKept = 2000

type Command = {
  readonly folder: string
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

const toolsFolder = 'tools'
const toolsIn = (folder: string): string => join(folder, toolsFolder, 'node_modules', '.bin')

/** Puts this Node and the peer's tools first in PATH. */
const environmentOf = ({ folder, environment }: Command) => ({
  ...process.env,
  PATH: [dirname(process.execPath), toolsIn(folder), process.env.PATH ?? ''].join(delimiter),
  ...environment,
})

const begin = (command: Command) => {
  const { folder, words } = command
  const [program = '', ...args] = words
  // Its own process group, so that all of its processes can be ended.
  const child = spawn(program, args, {
    cwd: folder,
    env: environmentOf(command),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  endWithParent(child)
  let output = ''
  child.once('error', (error) => {
    output = `${output}\n${error.message}`
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-outputKept)
    })
  }
  return { child, output: () => output.trim() }
}

/** Ends the child when the benchmark itself is stopped. */
const endWithParent = (child: ChildProcess): void => {
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

const lastLine = (output: string): string => output.split('\n').at(-1)?.trim() ?? ''

/** Extracts the reason of a failure from its output. */
const reasonOf = (words: readonly string[], output: string): string => {
  const missing = /(notarget No matching version found for \S+|E404 .*)/.exec(output)?.[1]
  const errorLine = output.split('\n').find((line) => /error/i.test(line))
  const what = missing ?? errorLine?.trim() ?? lastLine(output)
  return `${words.slice(0, 2).join(' ')}: ${what}`.replaceAll(/https?:\/\/\S+/g, '<url>')
}

const runToEnd = async (command: Command, secondsMax: number): Promise<void> => {
  const { child, output } = begin(command)
  const ended = once(child, 'close') as Promise<[number | null]>
  const timeout = setTimeout(() => void end(child), secondsMax * 1000)
  const [code] = await ended.finally(() => clearTimeout(timeout))
  if (code !== 0) throw new Error(reasonOf(command.words, output()))
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

/** Installs a peer without running install scripts. Throws one line on failure. */
export const installPeer = async (peer: Peer, folder: string): Promise<Project> => {
  const { type, packages, overrides, tools } = peer
  await install(folder, { type, dependencies: packages, overrides })
  if (Object.keys(tools).length > 0) {
    await install(join(folder, toolsFolder), { dependencies: tools })
  }
  return { peer, folder }
}

/** CPU summed over its processes; the peak is that of the largest. */
const readUsage = (folder: string) => {
  const usages = readdirSync(folder).flatMap((name) => {
    try {
      return [JSON.parse(readFileSync(join(folder, name), 'utf8')) as ProcessUsage]
    } catch {
      // The file is being rewritten.
      return []
    }
  })
  return {
    cpuSeconds: usages.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    peakMb: Math.max(0, ...usages.map(({ peakMb }) => peakMb)),
  }
}

type ProcessUsage = { readonly cpuSeconds: number; readonly peakMb: number }

const rowsIn = async ({ peer }: Project, task: PeerTask): Promise<number> => {
  try {
    const [row] = await queryAt(task.databaseUrl, peer.countQuery)
    return Number(row?.rows ?? 0)
  } catch {
    // The tables do not exist yet.
    return 0
  }
}

/** Waits until the database has exactly the expected number of events. */
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
      const reason = reasonOf(project.peer.start, running.output())
      throw new Error(`ended with ${exitCode} after ${rows} of ${task.events} events: ${reason}`)
    }
    if (secondsSince() > runSecondsMax) {
      throw new Error(`${rows} of ${task.events} events after ${runSecondsMax} s`)
    }
    await delay(pollMs)
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** Runs a peer from an empty database. Throws one line if it does not finish. */
export const runPeer = async (
  project: Project,
  task: PeerTask,
  node: RunningNode,
): Promise<PeerRun> => {
  const { peer, folder } = project
  const usageFolder = join(folder, 'usageFolder', String(Math.floor(performance.now())))
  mkdirSync(usageFolder, { recursive: true })
  writeFiles(folder, peer.files(task))
  if (peer.setupSql !== null) await queryAt(task.databaseUrl, peer.setupSql)
  const environment = peer.environment(task)
  for (const words of peer.prepare) {
    await runToEnd({ folder, words, environment }, installSecondsMax)
  }
  await node.resetCounts()
  const hook = pathToFileURL(join(import.meta.dirname, 'spending.mjs')).href
  const usageEnvironment = { PEER_SPENDING_FOLDER: usageFolder, NODE_OPTIONS: `--import ${hook}` }
  const words = peer.start
  const running = begin({ folder, words, environment: { ...environment, ...usageEnvironment } })
  try {
    const seconds = await untilComplete(project, task, running)
    const { requests, calls } = await node.counts()
    return { seconds, ...readUsage(usageFolder), requests, calls: sum(Object.values(calls)) }
  } finally {
    await end(running.child)
  }
}
