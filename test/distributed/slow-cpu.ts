import type { ChildProcess } from 'node:child_process'

/** Gives a process a share of each second, as a container's CPU limit does, until `end`. */
export type SlowCpu = { readonly end: () => void }

const periodMs = 1_000

/** It runs for `runMs` of each second; a late timer of this process takes nothing from it. */
export const slowDown = (child: ChildProcess, runMs: number): SlowCpu => {
  let timer: NodeJS.Timeout
  const freeze = (): void => {
    child.kill('SIGSTOP')
    timer = setTimeout(run, periodMs - runMs)
  }
  const run = (): void => {
    child.kill('SIGCONT')
    timer = setTimeout(freeze, runMs)
  }
  freeze()
  return {
    end: () => {
      clearTimeout(timer)
      child.kill('SIGCONT')
    },
  }
}
