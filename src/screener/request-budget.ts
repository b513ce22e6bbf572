import { secondsPerMinute } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'

/** What a service allows within any minute, spent request by request. */
export type RequestBudget = {
  /** False: this request has to wait. */
  readonly spend: (now: UnixSeconds) => boolean
}

export const createRequestBudget = (perMinuteMax: number): RequestBudget => {
  let spentTs: readonly UnixSeconds[] = []
  return {
    spend: (now) => {
      // A clock that was put back must not lock the door until it is where it was.
      spentTs = spentTs.filter((ts) => ts > now - secondsPerMinute && ts <= now)
      if (spentTs.length >= perMinuteMax) return false
      spentTs = [...spentTs, now]
      return true
    },
  }
}
