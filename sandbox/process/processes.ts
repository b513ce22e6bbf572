import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { sleep } from '../clock.ts'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** Ended but not reaped by its parent; the first process of some containers never reaps. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The command line of a process, joined by spaces; empty if it cannot be read. */
export function readCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return commandLineByPs(pid)
  }
}

function commandLineByPs(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return ''
  }
}

/** Waits for the end of a process; false on timeout. */
export async function waitForEnd(pid: number, millisMax: number): Promise<boolean> {
  for (let waited = 0; waited < millisMax; waited += 50) {
    if (!isAlive(pid)) return true
    await sleep(50)
  }
  return !isAlive(pid)
}

/** Sends SIGTERM, then SIGKILL after the given time. */
export async function endProcess(pid: number, termMillis: number): Promise<void> {
  signal(pid, 'SIGTERM')
  if (await waitForEnd(pid, termMillis)) return
  signal(pid, 'SIGKILL')
  await waitForEnd(pid, 2_000)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}
