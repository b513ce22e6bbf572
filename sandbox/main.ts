import { resolve } from 'node:path'
import { type Sandbox, startSandbox } from './boot/sandbox.ts'
import { sandboxPaths } from './boot/saved-state.ts'
import { killRecordedAnvil } from './chain/anvil.ts'
import { removeFiles, writeJson } from './files.ts'
import { type Options, parseOptions } from './options.ts'
import { findRunning } from './process/find-running.ts'
import { createOwners } from './process/owners.ts'
import type { Progress } from './progress.ts'

/** The sandbox process: takes flags, prints progress lines, ends on a signal. */

const exitWrongFlag = 2

function report(progress: Progress): void {
  process.stdout.write(`${JSON.stringify(progress)}\n`)
  if (process.connected) process.send?.(progress)
}

function readOptions(): Options {
  try {
    const options = parseOptions(process.argv.slice(2))
    return { ...options, dataDir: resolve(options.dataDir) }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(exitWrongFlag)
  }
}

function fail(reason: unknown): never {
  const text = reason instanceof Error ? reason.message : String(reason)
  report({ phase: 'failed', reason: text })
  // An IPC message may be lost at exit; this line is not.
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Runs at every exit except SIGKILL. */
function cleanUp(options: Options): void {
  const { anvilPid, running, networkFile, manifest } = sandboxPaths(options.dataDir)
  killRecordedAnvil(anvilPid)
  removeFiles([running, networkFile, manifest])
}

async function run(options: Options): Promise<void> {
  const running = findRunning(options.dataDir)
  if (running) fail(`a sandbox is already running in ${options.dataDir} (pid ${running.pid})`)
  process.on('exit', () => cleanUp(options))
  // Callers wait for this sandbox from now on instead of starting another.
  writeJson(sandboxPaths(options.dataDir).running, { pid: process.pid })

  let sandbox: Sandbox | null = null
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    // A sandbox that is stopped during its start has nothing to save.
    const saved = await sandbox?.stop().catch(() => false)
    report({ phase: 'stopped', saved: saved ?? false })
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  const owners = createOwners(stop)
  // Only an owner with IPC can be lost; a sandbox at a terminal is ended by hand.
  process.on('disconnect', owners.add())

  sandbox = await startSandbox(options, owners, report)
  report(sandbox.ready)
  const reason = await sandbox.died
  if (!isStopping) fail(reason)
}

const options = readOptions()
// The reader of the progress may exit before the sandbox.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
run(options).catch(fail)
