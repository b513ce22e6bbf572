import { secondsPerMinute } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'

/** What a service allows within any minute, spent request by request. */
export type RequestBudget = {
  /** How many of the requests may go now; those count as sent. */
  readonly spend: (requests: number, now: UnixSeconds) => number
  /** Nothing goes for a minute. */
  readonly pause: (now: UnixSeconds) => void
}

export const createRequestBudget = (perMinuteMax: number): RequestBudget => {
  let spentTs: readonly UnixSeconds[] = []
  let restUntilTs = 0
  return {
    spend: (requests, now) => {
      if (now < restUntilTs) return 0
      // A clock that was put back must not lock the door until it is where it was.
      spentTs = spentTs.filter((ts) => ts > now - secondsPerMinute && ts <= now)
      const count = Math.min(requests, perMinuteMax - spentTs.length)
      spentTs = [...spentTs, ...Array.from({ length: count }, () => now)]
      return count
    },
    pause: (now) => {
      restUntilTs = now + secondsPerMinute
    },
  }
}
