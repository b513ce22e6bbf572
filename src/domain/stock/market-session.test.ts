import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calendarYears, extraordinary } from '../../../test/support/domain/calendar.ts'
import { nextSessionChange } from '../../../test/support/domain/sessions.ts'
import {
  isChainlinkSession,
  lastSessionStart,
  type MarketSession,
  sessionAt,
} from './market-session.ts'

/** New York's clock with its offset written out: EST is -05:00, EDT -04:00. */
const unix = (iso: string): number => Date.parse(iso) / 1000

/*
 *  Sun 20:00  Mon 04:00  09:30      16:00    20:00      Tue 04:00         Fri 20:00
 *  ...closed | overnight | pre | regular | post | overnight | pre ... post | closed ...
 */
describe('each session begins with its first second', () => {
  const table: readonly [string, string, MarketSession, MarketSession][] = [
    [
      'an ordinary week opens on Sunday evening',
      '2026-09-13T20:00:00-04:00',
      'closed',
      'overnight',
    ],
    ['midnight changes nothing', '2026-09-14T00:00:00-04:00', 'overnight', 'overnight'],
    ['pre-market', '2026-09-14T04:00:00-04:00', 'overnight', 'pre'],
    ['the bell', '2026-09-14T09:30:00-04:00', 'pre', 'regular'],
    ['13:00 of a full day', '2026-09-14T13:00:00-04:00', 'regular', 'regular'],
    ['the close', '2026-09-14T16:00:00-04:00', 'regular', 'post'],
    ['17:00 of a full day', '2026-09-14T17:00:00-04:00', 'post', 'post'],
    ['the evening', '2026-09-14T20:00:00-04:00', 'post', 'overnight'],
    ['Friday morning', '2026-09-18T04:00:00-04:00', 'overnight', 'pre'],
    ['Friday evening', '2026-09-18T20:00:00-04:00', 'post', 'closed'],
    ['Saturday evening', '2026-09-19T20:00:00-04:00', 'closed', 'closed'],
    ['the eve of Thanksgiving', '2026-11-25T20:00:00-05:00', 'post', 'closed'],
    ['Thanksgiving morning', '2026-11-26T09:30:00-05:00', 'closed', 'closed'],
    ['Thanksgiving evening', '2026-11-26T20:00:00-05:00', 'closed', 'overnight'],
    ['the day after, pre-market', '2026-11-27T04:00:00-05:00', 'overnight', 'pre'],
    ['the day after, the bell', '2026-11-27T09:30:00-05:00', 'pre', 'regular'],
    ['the day after closes early', '2026-11-27T13:00:00-05:00', 'regular', 'post'],
    ['and so does its post-market', '2026-11-27T17:00:00-05:00', 'post', 'closed'],
    ['then the weekend', '2026-11-27T20:00:00-05:00', 'closed', 'closed'],
    ['Sunday before a Monday holiday', '2026-09-06T20:00:00-04:00', 'closed', 'closed'],
    ['the evening of a Monday holiday', '2026-09-07T20:00:00-04:00', 'closed', 'overnight'],
    ['the night before a day of mourning', '2025-01-08T20:00:00-05:00', 'post', 'closed'],
    ['the night after it', '2025-01-09T20:00:00-05:00', 'closed', 'overnight'],
    ['Christmas Eve', '2025-12-24T13:00:00-05:00', 'regular', 'post'],
    ['Christmas Eve, 17:00', '2025-12-24T17:00:00-05:00', 'post', 'closed'],
    ['Christmas Eve, 20:00', '2025-12-24T20:00:00-05:00', 'closed', 'closed'],
    ['Christmas evening', '2025-12-25T20:00:00-05:00', 'closed', 'overnight'],
    ["New Year's Eve is a whole day", '2025-12-31T16:00:00-05:00', 'regular', 'post'],
    ['a year without its holiday', '2027-12-31T16:00:00-05:00', 'regular', 'post'],
    ['2 July before a Friday holiday', '2026-07-02T16:00:00-04:00', 'regular', 'post'],
    ['and its evening', '2026-07-02T20:00:00-04:00', 'post', 'closed'],
    ['the Friday before summer time', '2026-03-06T20:00:00-05:00', 'post', 'closed'],
    ['the Sunday of summer time', '2026-03-08T20:00:00-04:00', 'closed', 'overnight'],
    ['the Monday after', '2026-03-09T09:30:00-04:00', 'pre', 'regular'],
    ['the Friday before winter time', '2026-10-30T20:00:00-04:00', 'post', 'closed'],
    ['the Sunday of winter time', '2026-11-01T20:00:00-05:00', 'closed', 'overnight'],
    ['the Monday after that', '2026-11-02T16:00:00-05:00', 'regular', 'post'],
  ]
  it.each(table)('%s (%s): %s, then %s', (_, iso, before, from) => {
    expect(sessionAt(unix(iso) - 1)).toBe(before)
    expect(sessionAt(unix(iso))).toBe(from)
    expect(sessionAt(unix(iso) + 1)).toBe(from)
  })
})

/** What New York's clock shows, by the platform's own time zone table. */
const platformClock = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/New_York',
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

const [closedDates, earlyDates] = (['closed', 'early'] as const).map(
  (kind) =>
    new Set(
      calendarYears.flatMap((each) => each[kind].split(' ').map((date) => `${each.year}-${date}`)),
    ),
) as [Set<string>, Set<string>]

/** To which the last evening of the table would lead. */
closedDates.add('2036-01-01')

const isTradingDate = (date: string): boolean => {
  const weekday = new Date(date).getUTCDay()
  return weekday % 6 !== 0 && !closedDates.has(date) && !extraordinary.has(date)
}

const dateAfter = (date: string): string =>
  new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)

/** A session as one reads it from a wall calendar and a wall clock. */
const sessionByWall = (ts: number): MarketSession => {
  const [date = '', time = ''] = platformClock.format(ts * 1000).split(', ')
  if (time >= '20:00:00') return isTradingDate(dateAfter(date)) ? 'overnight' : 'closed'
  if (!isTradingDate(date)) return 'closed'
  if (time < '04:00:00') return 'overnight'
  if (time < '09:30:00') return 'pre'
  const [close, end] = earlyDates.has(date) ? ['13:00:00', '17:00:00'] : ['16:00:00', '20:00:00']
  if (time < close) return 'regular'
  return time < end ? 'post' : 'closed'
}

describe('by wall calendar and wall clock', () => {
  it.each(calendarYears)('$year: each edge of each day, a second before and after', ({ year }) => {
    const edges = ['00:00', '04:00', '09:30', '13:00', '16:00', '17:00', '20:00']
    for (let date = `${year}-01-01`; date < `${year + 1}`; date = dateAfter(date)) {
      // Summer time's offset or winter time's: one of the two is the edge, both are instants.
      for (const at of edges.flatMap((edge) => [
        `${date}T${edge}-04:00`,
        `${date}T${edge}-05:00`,
      ])) {
        for (const ts of [unix(at) - 1, unix(at), unix(at) + 1]) {
          if (sessionAt(ts) !== sessionByWall(ts)) {
            expect.fail(`${at}: ${ts} is ${sessionAt(ts)}, not ${sessionByWall(ts)}`)
          }
        }
      }
    }
  })
})

describe('the next change', () => {
  it.each([
    ['2026-09-14T04:00:00-04:00', '2026-09-14T09:30:00-04:00'],
    ['2026-09-14T09:29:59-04:00', '2026-09-14T09:30:00-04:00'],
    ['2026-09-14T22:00:00-04:00', '2026-09-15T04:00:00-04:00'],
    ['2026-09-18T20:00:00-04:00', '2026-09-20T20:00:00-04:00'],
    ['2026-09-04T20:00:00-04:00', '2026-09-07T20:00:00-04:00'],
    ['2026-11-27T17:00:00-05:00', '2026-11-29T20:00:00-05:00'],
    ['2025-12-24T17:00:00-05:00', '2025-12-25T20:00:00-05:00'],
    ['2026-03-06T20:00:00-05:00', '2026-03-08T20:00:00-04:00'],
    ['2026-10-31T12:00:00-04:00', '2026-11-01T20:00:00-05:00'],
  ])('after %s is at %s', (from, change) => {
    expect(nextSessionChange(unix(from))).toBe(unix(change))
  })

  it('is exact: one session up to the second before, another from then on', () => {
    const anyInstant = fc.integer({
      min: unix('2020-01-01T00:00:00Z'),
      max: unix('2035-12-31T00:00:00Z'),
    })
    fc.assert(
      fc.property(anyInstant, fc.double({ min: 0, max: 1, noNaN: true }), (ts, part) => {
        const change = nextSessionChange(ts)
        const between = ts + Math.floor((change - 1 - ts) * part)
        expect(change).toBeGreaterThan(ts)
        expect(sessionAt(between)).toBe(sessionAt(ts))
        expect(sessionAt(change - 1)).toBe(sessionAt(ts))
        expect(sessionAt(change)).not.toBe(sessionAt(ts))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('sessions partition sixteen years', () => {
  it('in the order of the day, without a gap, each with its own length', () => {
    const hour = 3_600
    const lengths = new Map<string, number>()
    const end = unix('2036-01-01T00:00:00Z')
    for (let from = unix('2020-01-02T04:00:00-05:00'); from < end; ) {
      const to = nextSessionChange(from)
      const step = `${sessionAt(from)} ${(to - from) / hour} h, then ${sessionAt(to)}`
      lengths.set(step, (lengths.get(step) ?? 0) + 1)
      from = to
    }
    const steps = [...lengths.keys()].filter((step) => !step.startsWith('closed')).sort()
    expect(steps).toEqual([
      'overnight 8 h, then pre',
      'post 4 h, then closed',
      'post 4 h, then overnight',
      'pre 5.5 h, then regular',
      'regular 3.5 h, then post',
      'regular 6.5 h, then post',
    ])
    // A holiday amid the week, a weekend (an hour less or more where the clock changes), a long
    // one, and each after an early close. Every closed stretch ends in an overnight session.
    const closed = [...lengths.keys()].filter((step) => step.startsWith('closed'))
    expect(closed.every((step) => step.endsWith('then overnight'))).toBe(true)
    const hours = closed.map((step) => Number(step.split(' ')[1])).toSorted((a, b) => a - b)
    expect(hours).toEqual([24, 27, 47, 48, 49, 51, 72, 75])
  })

  it('counts the trading days of the published calendars', () => {
    const bells = (year: number): number => {
      let count = 0
      const end = unix(`${year + 1}-01-01T00:00:00-05:00`)
      for (let at = unix(`${year}-01-01T00:00:00-05:00`); at < end; at = nextSessionChange(at)) {
        if (sessionAt(at) === 'regular') count++
      }
      return count
    }
    expect([2022, 2023, 2024, 2025, 2026].map(bells)).toEqual([251, 250, 252, 250, 251])
  })
})

describe("Chainlink's 24/5 feeds", () => {
  it.each([
    ['2026-09-04T19:51:00-04:00', true, 'last print of AAPL / USD before Labor Day 2026'],
    ['2026-09-06T23:00:00-04:00', false, 'silent on the eve of the holiday'],
    ['2026-09-07T19:59:59-04:00', false, 'silent on the holiday'],
    ['2026-09-07T20:00:00-04:00', true, 'first print after it, 2026-09-08T00:00Z'],
    ['2026-09-11T19:51:00-04:00', true, 'last print of the week'],
    ['2026-09-13T19:59:59-04:00', false, 'silent over the weekend'],
    ['2026-09-13T20:00:00-04:00', true, 'first print after it, 2026-09-14T00:00Z'],
    ['2026-11-27T18:00:00-05:00', false, 'no venue trades after an early close'],
  ])('at %s in session: %s (%s)', (iso, inSession) => {
    expect(isChainlinkSession(unix(iso))).toBe(inSession)
  })
})

describe('the session before the present closed period', () => {
  it.each([
    ['a weekend', '2026-09-19T12:00:00-04:00', '2026-09-18T16:00:00-04:00'],
    ['its first second', '2026-09-18T20:00:00-04:00', '2026-09-18T16:00:00-04:00'],
    ['its last second', '2026-09-20T19:59:59-04:00', '2026-09-18T16:00:00-04:00'],
    ['a weekend after an early close', '2026-11-28T12:00:00-05:00', '2026-11-27T13:00:00-05:00'],
    ['a weekend and a holiday', '2026-09-07T12:00:00-04:00', '2026-09-04T16:00:00-04:00'],
    ['the night to winter time', '2026-11-01T12:00:00-05:00', '2026-10-30T16:00:00-04:00'],
  ])('of %s', (_, now, start) => {
    expect(lastSessionStart(unix(now))).toBe(unix(start))
  })

  it('is one session, directly before, and nothing while the market is open', () => {
    const years = { min: unix('2020-01-01T00:00:00Z'), max: unix('2035-12-30T00:00:00Z') }
    fc.assert(
      fc.property(fc.integer(years), (now) => {
        const start = lastSessionStart(now)
        if (start === null) return sessionAt(now) !== 'closed'
        const end = nextSessionChange(start)
        return (
          sessionAt(start) !== 'closed' &&
          sessionAt(start - 1) !== sessionAt(start) &&
          end <= now &&
          sessionAt(end) === 'closed' &&
          nextSessionChange(end) > now
        )
      }),
    )
  })
})
