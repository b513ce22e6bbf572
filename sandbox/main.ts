import { resolve } from 'node:path'
import { type Sandbox, startSandbox } from './boot/sandbox.ts'
import { pathsIn } from './boot/saved.ts'
import { endOrphan } from './chain/anvil.ts'
import { createLifetime } from './life/lifetime.ts'
import { findRunning } from './life/running.ts'
import { type Options, parseOptions } from './options.ts'
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

async function fail(options: Options, reason: unknown): Promise<never> {
  report({ phase: 'failed', reason: reason instanceof Error ? reason.message : String(reason) })
  await endOrphan(pathsIn(options.dataDir).anvilPid)
  process.exit(1)
}

async function run(options: Options): Promise<void> {
  let sandbox: Sandbox | null = null
  let isStopping = false
  const stop = async (): Promise<void> => {
    if (isStopping) return
    isStopping = true
    // Stopped while it was being made: nothing is worth keeping.
    if (!sandbox) await endOrphan(pathsIn(options.dataDir).anvilPid)
    report({ phase: 'stopped', saved: (await sandbox?.stop()) ?? false })
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  const lifetime = createLifetime(stop)
  const leave = lifetime.hold()
  // Only an owner that speaks over IPC can be lost; a person at a terminal ends it by hand.
  process.on('disconnect', leave)

  const running = await findRunning(options.dataDir)
  if (running) return fail(options, `a sandbox runs in ${options.dataDir} (pid ${running.pid})`)
  sandbox = await startSandbox(options, lifetime, report)
  report(sandbox.ready)
  const reason = await sandbox.died
  if (!isStopping) await fail(options, reason)
}

const options = readOptions()
// The reader of our progress may be gone while we live on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
run(options).catch((error: unknown) => fail(options, error))
