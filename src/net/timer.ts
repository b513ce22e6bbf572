import { setTimeout as delay } from 'node:timers/promises'

/** The one way to wait. A test's timer moves by hand. */
export type Timer = {
  /** Milliseconds that only grow, counted from no particular moment. */
  readonly nowMs: () => number
  /** Ends after the time, or as soon as the signal is aborted; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemTimer: Timer = {
  nowMs: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      if (signal?.aborted !== true) throw error
    }
  },
}
