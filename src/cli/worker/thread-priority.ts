import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Behind the thread that answers requests. Beside one that has no rest it keeps a quarter of a core
 * (sched(7), "The nice value").
 */
const nicenessMore = 5
const nicenessMax = 19

/**
 * Lets other threads go first where there are more of them than cores. Only Linux has priorities
 * of single threads, and where they may not be changed nothing is lost but this.
 */
export const lowerThreadPriority = (): void => {
  if (process.platform !== 'linux') return
  try {
    // Read in this very thread: "<process>/task/<thread>" (proc(5)).
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(nicenessMax, getPriority(thread) + nicenessMore))
  } catch {
    // No /proc, or forbidden by a container.
  }
}
