import { get } from 'node:http'
import { resolve } from 'node:path'
import type { Running } from '../boot/sandbox.ts'
import { sandboxPaths } from '../boot/saved-state.ts'
import { sleep } from '../clock.ts'
import { readJson } from '../files.ts'
import { isAlive, readCommandLine } from './processes.ts'

export type RunningStatus = Running & {
  readonly whole: boolean
  /** Number of owners. */
  readonly holders: number
}

/** A sandbox that is silent this long hangs; a busy machine may take seconds to respond. */
const pingMillisMax = 10_000

/** A chain takes half a minute on a busy machine; this long means that it hangs. */
const startMillisMax = 120_000

export type FoundSandbox = {
  readonly pid: number
  /** Null while it is starting. */
  readonly controlUrl: string | null
}

/** Finds the sandbox that runs in a data directory by its file; null if none runs. */
export function findRunning(dataDir: string): FoundSandbox | null {
  const recorded = readJson(sandboxPaths(resolve(dataDir)).running) as Partial<Running> | null
  if (typeof recorded?.pid !== 'number' || recorded.pid === process.pid || !isAlive(recorded.pid))
    return null
  // A reused pid belongs to another process.
  if (!readCommandLine(recorded.pid).includes('main.ts')) return null
  return { pid: recorded.pid, controlUrl: recorded.controlUrl ?? null }
}

/** The same, but waits for a sandbox that is starting. */
export async function waitForRunning(dataDir: string): Promise<FoundSandbox | null> {
  let found = findRunning(dataDir)
  for (let waited = 0; found?.controlUrl === null && waited < startMillisMax; waited += 200) {
    await sleep(200)
    found = findRunning(dataDir)
  }
  return found
}

/** Status of the sandbox at a control URL; null if it does not respond. */
export function askStatus(
  controlUrl: string,
  millisMax = pingMillisMax,
): Promise<RunningStatus | null> {
  return new Promise((resolve) => {
    const request = get(`${controlUrl}/status`, { timeout: millisMax }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      response.on('end', () => resolve(parse(body)))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(null))
  })
}

function parse(body: string): RunningStatus | null {
  try {
    return JSON.parse(body) as RunningStatus
  } catch {
    return null
  }
}
