import { secondsPerMinute } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'

/** Limits requests to a number within any minute. */
export type RequestBudget = {
  /** Returns how many of the requests may be sent now, and counts them as sent. */
  readonly spend: (requests: number, now: UnixSeconds) => number
  /** Allows no request for a minute. */
  readonly pause: (now: UnixSeconds) => void
}

export const createRequestBudget = (perMinuteMax: number): RequestBudget => {
  let spentTs: readonly UnixSeconds[] = []
  let pausedUntilTs = 0
  return {
    spend: (requests, now) => {
      if (now < pausedUntilTs) return 0
      // Requests in the future are dropped: a clock set back must not block the budget.
      spentTs = spentTs.filter((ts) => ts > now - secondsPerMinute && ts <= now)
      const count = Math.min(requests, perMinuteMax - spentTs.length)
      spentTs = [...spentTs, ...Array.from({ length: count }, () => now)]
      return count
    },
    pause: (now) => {
      pausedUntilTs = now + secondsPerMinute
    },
  }
}
