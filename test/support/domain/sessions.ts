import { sessionAt } from '../../../src/domain/stock/market-session.ts'
import {
  type NewYorkTime,
  newYorkOffsetSeconds,
  newYorkTime,
} from '../../../src/domain/stock/new-york-time.ts'
import { secondsPerDay, secondsPerHour } from '../../../src/domain/time.ts'
import type { UnixSeconds } from '../../../src/domain/units.ts'

/**
 * The instant at which New York's clock shows this. An hour that the clock skips (02:00 in March)
 * is read as standard time; of one that it shows twice (01:00 in November) the first is meant.
 */
export const newYorkInstant = ({ day, secondOfDay }: NewYorkTime): UnixSeconds => {
  const asStandard = day * secondsPerDay + secondOfDay + 5 * secondsPerHour
  const asDaylight = asStandard - secondsPerHour
  return newYorkOffsetSeconds(asDaylight) === -4 * secondsPerHour ? asDaylight : asStandard
}

/** Hours of New York's day at which a session may begin. */
const edges = [4, 9.5, 13, 16, 17, 20]

/** Longer than any closing in living memory (September 2001: a Monday's to a Sunday's evening). */
const closedDaysMax = 14

/** The first instant after `ts` whose session is another one. */
export const nextSessionChange = (ts: UnixSeconds): UnixSeconds => {
  const session = sessionAt(ts)
  const { day: today } = newYorkTime(ts)
  for (let day = today; day <= today + closedDaysMax; day++) {
    const change = edges
      .map((hour) => newYorkInstant({ day, secondOfDay: hour * secondsPerHour }))
      .find((edge) => edge > ts && sessionAt(edge) !== session)
    if (change !== undefined) return change
  }
  throw new Error(`no session changes within ${closedDaysMax} days of ${ts}`)
}
