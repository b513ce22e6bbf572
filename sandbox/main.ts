import { resolve } from 'node:path'
import { type Sandbox, startSandbox } from './boot/sandbox.ts'
import { sandboxPaths } from './boot/saved-state.ts'
import { killRecordedAnvil } from './chain/anvil.ts'
import { removeFiles, writeJson } from './files.ts'
import { type Options, parseOptions } from './options.ts'
import { findRunning } from './process/find-running.ts'
import { createOwners } from './process/owners.ts'
import type { Progress } from './progress.ts'

/** The sandbox as a process of its own: flags in, progress lines out, ended by a signal. */

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
  // A message may not get through before the exit; this line does.
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** However this process ends, unless it is killed itself. */
function cleanUp(options: Options): void {
  const { anvilPid, running, networkFile, manifest } = sandboxPaths(options.dataDir)
  killRecordedAnvil(anvilPid)
  removeFiles([running, networkFile, manifest])
}

async function run(options: Options): Promise<void> {
  const running = findRunning(options.dataDir)
  if (running) fail(`a sandbox runs in ${options.dataDir} already (pid ${running.pid})`)
  process.on('exit', () => cleanUp(options))
  // Whoever comes meanwhile shall wait for this one instead of making another.
  writeJson(sandboxPaths(options.dataDir).running, { pid: process.pid })

  let sandbox: Sandbox | null = null
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    // Stopped while it was being made: nothing is worth keeping.
    const saved = await sandbox?.stop().catch(() => false)
    report({ phase: 'stopped', saved: saved ?? false })
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  const lifetime = createOwners(stop)
  // Only an owner that speaks over IPC can be lost; a person at a terminal ends it by hand.
  process.on('disconnect', lifetime.add())

  sandbox = await startSandbox(options, lifetime, report)
  report(sandbox.ready)
  const reason = await sandbox.died
  if (!isStopping) fail(reason)
}

const options = readOptions()
// The reader of our progress may be gone while we live on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
run(options).catch(fail)
