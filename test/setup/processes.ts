import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export type Ended = {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export type Running = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Waits until the output so far matches; answers the match's first group. */
  readonly says: (pattern: RegExp) => Promise<string>
}

/** Ends what hangs; a busy machine takes its time over the start of a process. */
const waitMsMax = 120_000

/** Polls until `probe` answers something else than null or false. */
export const eventually = async <T>(what: string, probe: () => T | null | false): Promise<T> => {
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += 20) {
    const value = probe()
    if (value !== null && value !== false) return value
    await sleep(20)
  }
  throw new Error(`waited ${waitMsMax} ms for ${what}`)
}

/** Starts a process and collects what it says. */
export const startProcess = (
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): Running => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
  })
  const says = async (pattern: RegExp) => {
    const probe = () => pattern.exec(output.stdout + output.stderr)
    const match = await eventually(`${pattern} in ${JSON.stringify(output)}`, probe)
    return match[1] ?? match[0]
  }
  return { child, ended, says }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
