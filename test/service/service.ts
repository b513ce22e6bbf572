import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export type Service = {
  readonly baseUrl: string
  readonly process: ChildProcess
  /** All that it printed so far. */
  readonly output: () => string
  /** Ends it in order; the exit code. */
  readonly stop: () => Promise<number | null>
}

const cli = fileURLToPath(new URL('../../src/cli/cli.ts', import.meta.url))
/** Takes twenty seconds; only what never comes is to fail on a machine that is very busy. */
const servingMsMax = 300_000
const servingLine = /API listening on ([\w.:[\]]+),/

/** Starts `stockpools` as a process of its own and waits until it serves. */
export const startService = (launch: {
  readonly directory: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}): Promise<Service> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...launch.args], {
      cwd: launch.directory,
      env: { ...process.env, ...launch.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    const ended = new Promise<number | null>((done) => child.once('exit', done))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`the service did not serve in time:\n${printed}`))
    }, servingMsMax)
    const hear = (chunk: Buffer): void => {
      printed += chunk.toString('utf8')
      const host = servingLine.exec(printed)?.[1]
      if (host === undefined) return
      clearTimeout(timer)
      resolve({
        baseUrl: `http://${host}`,
        process: child,
        output: () => printed,
        stop: () => {
          child.kill('SIGTERM')
          return ended
        },
      })
    }
    child.stdout?.on('data', hear)
    child.stderr?.on('data', hear)
    void ended.then((code) => {
      clearTimeout(timer)
      reject(new Error(`the service ended with ${code}:\n${printed}`))
    })
  })
