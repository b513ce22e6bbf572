import { setTimeout as delay } from 'node:timers/promises'

/** Monotonic clock and sleep; tests advance it by hand. */
export type Timer = {
  /** Monotonic milliseconds from an arbitrary origin. */
  readonly nowMs: () => number
  /** Resolves after the time or when the signal is aborted; never rejects. */
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
