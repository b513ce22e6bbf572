import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/**
 * Lower priority than the thread of the API. Beside a busy thread it keeps a quarter of a core
 * (sched(7), "The nice value").
 */
const nicenessIncrease = 5
const nicenessMax = 19

/**
 * Gives other threads precedence if there are more of them than cores. Only Linux has priorities of
 * single threads; if they cannot be changed, this has no effect.
 */
export const lowerThreadPriority = (): void => {
  if (process.platform !== 'linux') return
  try {
    // The link of this thread: "<process>/task/<thread>" (proc(5)).
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(nicenessMax, getPriority(thread) + nicenessIncrease))
  } catch {
    // No /proc, or not permitted in a container.
  }
}
