import { newYorkInstant, newYorkTime } from '../../../src/domain/stock/new-york.ts'
import { sessionAt } from '../../../src/domain/stock/session.ts'
import { secondsPerHour } from '../../../src/domain/time.ts'
import type { UnixSeconds } from '../../../src/domain/units.ts'

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
