import { get } from 'node:http'
import { resolve } from 'node:path'
import type { Running } from '../boot/sandbox.ts'
import { sandboxPaths } from '../boot/saved-state.ts'
import { sleep } from '../clock.ts'
import { readJson } from '../files.ts'
import { isAlive, readCommandLine } from './processes.ts'

export type RunningStatus = Running & {
  readonly whole: boolean
  /** Owners that want it to live. */
  readonly holders: number
}

/** Whoever says nothing for so long hangs; on a busy machine an answer may take seconds. */
const pingMillisMax = 10_000

/** On a busy machine a chain takes half a minute; this is a hanging one. */
const makingMillisMax = 120_000

export type FoundSandbox = {
  readonly pid: number
  /** Null while it is still being made. */
  readonly controlUrl: string | null
}

/** Who lives in a data directory by the file it left; null if there is nobody. */
export function findRunning(dataDir: string): FoundSandbox | null {
  const said = readJson(sandboxPaths(resolve(dataDir)).running) as Partial<Running> | null
  if (typeof said?.pid !== 'number' || said.pid === process.pid || !isAlive(said.pid)) return null
  // A recycled pid belongs to somebody else.
  if (!readCommandLine(said.pid).includes('main.ts')) return null
  return { pid: said.pid, controlUrl: said.controlUrl ?? null }
}

/** The same, but one that is still being made is waited for. */
export async function waitForRunning(dataDir: string): Promise<FoundSandbox | null> {
  let found = findRunning(dataDir)
  for (let waited = 0; found?.controlUrl === null && waited < makingMillisMax; waited += 200) {
    await sleep(200)
    found = findRunning(dataDir)
  }
  return found
}

/** What the sandbox at a control URL answers; null if it does not. */
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
