import { get } from 'node:http'
import { resolve } from 'node:path'
import type { Running } from '../boot/sandbox.ts'
import { pathsIn } from '../boot/saved.ts'
import { readJson } from '../files.ts'
import { commandLineOf, isAlive } from './processes.ts'

export type RunningStatus = Running & { readonly whole: boolean }

const pingMillisMax = 3_000

/** The living sandbox of a data directory as it describes itself; null if there is none. */
export async function findRunning(dataDir: string): Promise<Running | null> {
  const said = readJson(pathsIn(resolve(dataDir)).running) as Partial<Running> | null
  if (typeof said?.pid !== 'number' || said.pid === process.pid || !isAlive(said.pid)) return null
  // A recycled pid belongs to somebody else.
  return commandLineOf(said.pid).includes('main.ts') ? (said as Running) : null
}

/** What the sandbox at a control URL answers; null if it does not. */
export function askStatus(controlUrl: string): Promise<RunningStatus | null> {
  return new Promise((resolve) => {
    const request = get(`${controlUrl}/status`, { timeout: pingMillisMax }, (response) => {
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
