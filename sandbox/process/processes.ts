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

/** Ended, but its parent has not asked yet: some containers' first process never does. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** The command line of a process, arguments separated by spaces; empty when it cannot be read. */
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

/** True once the process is gone; false if it still runs after the time given. */
export async function waitForEnd(pid: number, millisMax: number): Promise<boolean> {
  for (let waited = 0; waited < millisMax; waited += 50) {
    if (!isAlive(pid)) return true
    await sleep(50)
  }
  return !isAlive(pid)
}

/** Asks first, then insists. */
export async function endProcess(pid: number, politeMillis: number): Promise<void> {
  signal(pid, 'SIGTERM')
  if (await waitForEnd(pid, politeMillis)) return
  signal(pid, 'SIGKILL')
  await waitForEnd(pid, 2_000)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It ended in between: what we wanted.
  }
}
