import { secondsPerMinute } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'

/** Lets a few of many through at a time, each in its turn. */
export type Pace = {
  /** The next ones that may go now; what is left out comes first the next time. */
  readonly take: <T>(items: readonly T[], now: UnixSeconds) => readonly T[]
  /** Nothing goes for a minute. */
  readonly rest: (now: UnixSeconds) => void
}

export const createPace = (limits: {
  readonly perReadMax: number
  readonly perMinuteMax: number
}): Pace => {
  let minute = { startTs: 0, taken: 0 }
  let turn = 0
  let restUntilTs = 0

  return {
    take: (items, now) => {
      if (items.length === 0 || now < restUntilTs) return []
      // A clock that was put back begins a new minute, too.
      const isOver = now >= minute.startTs + secondsPerMinute || now < minute.startTs
      if (isOver) minute = { startTs: now, taken: 0 }
      const left = limits.perMinuteMax - minute.taken
      const count = Math.min(limits.perReadMax, left, items.length)
      const start = turn % items.length
      turn += count
      minute.taken += count
      return [...items.slice(start), ...items.slice(0, start)].slice(0, count)
    },
    rest: (now) => {
      restUntilTs = now + secondsPerMinute
    },
  }
}
