import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compiledDirectory } from '../src/cli/compile-cache.ts'
import { nodeEnvironment, nodeFlags } from '../test/service/launch.ts'
import { peakRssMb } from './peak-memory.ts'

/** Resources that a benchmark process used for the measured part. */
export type ResourceUsage = {
  readonly seconds: number
  readonly cpuSeconds: number
  /** Peak of the entire process. */
  readonly rssPeakMb: number
}

/** Starts to measure this process; the returned function reports the usage since then. */
export const startUsageMeter = (): (() => ResourceUsage) => {
  const startedMs = performance.now()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return {
      seconds: (performance.now() - startedMs) / 1000,
      cpuSeconds: (user + system) / 1e6,
      rssPeakMb: peakRssMb(),
    }
  }
}

/**
 * Runs a script of this folder in its own process, with the launcher's Node flags, and returns
 * its report.
 */
export const runScript = async <Result>(script: string, task: object): Promise<Result> => {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(path, [JSON.stringify(task)], {
    execArgv: [...nodeFlags],
    env: { NODE_COMPILE_CACHE: compiledDirectory, ...process.env, ...nodeEnvironment },
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let report: Result | null = null
  child.on('message', (message) => {
    report = message as Result
  })
  const [code] = await ended
  if (report === null || code !== 0) throw new Error(`${script} ended with ${code}`)
  return report
}
