import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newYorkInstant } from '../../../test/support/domain/sessions.ts'
import {
  civilDate,
  dayNumber,
  newYorkOffsetSeconds,
  newYorkTime,
  nthWeekday,
  weekdayOf,
} from './new-york-time.ts'

const unix = (iso: string): number => Date.parse(iso) / 1000
const hour = 3600

/** The platform's own time zone table, to compare with. */
const platformClock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
})
const shownBy = (ts: number): string => platformClock.format(new Date(ts * 1000))
const ourClock = (ts: number): string => {
  const { day, secondOfDay } = newYorkTime(ts)
  const date = civilDate(day)
  const two = (n: number): string => String(n).padStart(2, '0')
  const clock = [
    Math.floor(secondOfDay / hour),
    Math.floor(secondOfDay / 60) % 60,
    secondOfDay % 60,
  ]
  return `${date.year}-${two(date.month)}-${two(date.day)}, ${clock.map(two).join(':')}`
}

const anyInstant = fc.integer({ min: unix('2007-04-01T00:00Z'), max: unix('2099-12-31T00:00Z') })

describe('civil dates are counted in days since 1970-01-01, a Thursday', () => {
  it.each([
    [1970, 1, 1, 0, 4],
    [1969, 12, 31, -1, 3],
    [2000, 2, 29, 11_016, 2],
    [2000, 3, 1, 11_017, 3],
    [2026, 7, 4, 20_638, 6],
    [2100, 2, 28, 47_540, 0],
    [2100, 3, 1, 47_541, 1],
  ])('%i-%i-%i is day %i, weekday %i', (year, month, day, number, weekday) => {
    expect(dayNumber(year, month, day)).toBe(number)
    expect(civilDate(number)).toEqual({ year, month, day })
    expect(weekdayOf(number)).toBe(weekday)
  })

  it('agrees with the platform on every day from 1600 to 2400', () => {
    for (let day = dayNumber(1600, 1, 1); day < dayNumber(2400, 1, 1); day++) {
      const date = new Date(day * 86_400_000)
      const { year, month, day: dayOfMonth } = civilDate(day)
      const same =
        date.getUTCFullYear() === year &&
        date.getUTCMonth() + 1 === month &&
        date.getUTCDate() === dayOfMonth &&
        date.getUTCDay() === weekdayOf(day) &&
        dayNumber(year, month, dayOfMonth) === day
      if (!same)
        expect.fail(`day ${day}: ${date.toISOString()} is not ${year}-${month}-${dayOfMonth}`)
    }
  })

  it('finds the nth weekday of a month', () => {
    expect(nthWeekday(2026, 11, { nth: 4, weekday: 4 })).toBe(dayNumber(2026, 11, 26))
    expect(nthWeekday(2026, 11, { nth: 1, weekday: 0 })).toBe(dayNumber(2026, 11, 1))
    expect(nthWeekday(2027, 2, { nth: 1, weekday: 1 })).toBe(dayNumber(2027, 2, 1))
  })
})

describe("New York's clock", () => {
  it.each([
    ['2026-03-08T06:59:59Z', -5, '2026-03-08, 01:59:59'],
    ['2026-03-08T07:00:00Z', -4, '2026-03-08, 03:00:00'],
    ['2026-11-01T05:59:59Z', -4, '2026-11-01, 01:59:59'],
    ['2026-11-01T06:00:00Z', -5, '2026-11-01, 01:00:00'],
    ['2027-01-01T04:59:59Z', -5, '2026-12-31, 23:59:59'],
  ])('at %s it is UTC%i: %s', (iso, offsetHours, shown) => {
    expect(newYorkOffsetSeconds(unix(iso))).toBe(offsetHours * hour)
    expect(ourClock(unix(iso))).toBe(shown)
  })

  it('changes when the platform says, to the second, in every year from 2020 to 2037', () => {
    for (let ts = unix('2020-01-01T00:00Z'); ts < unix('2038-01-01T00:00Z'); ts += hour) {
      if (newYorkOffsetSeconds(ts) === newYorkOffsetSeconds(ts - 1)) continue
      for (const near of [ts - 1, ts, ts + 1]) expect(ourClock(near)).toBe(shownBy(near))
    }
  })

  it('agrees with the platform at any instant', () => {
    fc.assert(fc.property(anyInstant, (ts) => ourClock(ts) === shownBy(ts)))
  })

  it('is read back to the instant; of the repeated hour the first is meant', () => {
    fc.assert(
      fc.property(anyInstant, (ts) => {
        const back = newYorkInstant(newYorkTime(ts))
        const repeated = newYorkOffsetSeconds(ts - hour) !== newYorkOffsetSeconds(ts)
        expect(back).toBe(repeated && newYorkOffsetSeconds(ts) === -5 * hour ? ts - hour : ts)
      }),
    )
    const day = dayNumber(2026, 11, 1)
    expect(newYorkInstant({ day, secondOfDay: 1.5 * hour })).toBe(unix('2026-11-01T05:30:00Z'))
  })

  it('reads the skipped hour as standard time', () => {
    const day = dayNumber(2026, 3, 8)
    expect(newYorkInstant({ day, secondOfDay: 2.5 * hour })).toBe(unix('2026-03-08T07:30:00Z'))
  })
})
