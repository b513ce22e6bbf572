import { describe, expect, it } from 'vitest'
import { calendarYears, extraordinary } from '../../../test/support/domain/calendar.ts'
import { holidaysIn, marketDay } from './market-holidays.ts'
import { civilDate, dayNumber, weekdayOf } from './new-york-time.ts'

const dayOf = (date: string): number => {
  const [year, month, day] = date.split('-').map(Number)
  return dayNumber(year as number, month as number, day as number)
}
const dateOf = (day: number): string => {
  const { year, month, day: dayOfMonth } = civilDate(day)
  return `${year}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
}

describe('the calendar of the US stock exchanges', () => {
  it.each(calendarYears)('of $year is the published one, day by day', ({ year, closed, early }) => {
    const closedDates = new Set(closed.split(' ').map((date) => `${year}-${date}`))
    const earlyDates = new Set(early.split(' ').map((date) => `${year}-${date}`))
    expect(holidaysIn(year).map(({ day }) => dateOf(day))).toEqual([...closedDates])
    for (let day = dayNumber(year, 1, 1); day <= dayNumber(year, 12, 31); day++) {
      const date = dateOf(day)
      const weekend = weekdayOf(day) === 0 || weekdayOf(day) === 6
      const closes = weekend || closedDates.has(date) || extraordinary.has(date)
      const expected = closes ? 'closed' : earlyDates.has(date) ? 'early-close' : 'full'
      expect(`${date} ${marketDay(day)}`).toBe(`${date} ${expected}`)
    }
  })

  it.each([
    ['2021-06-18', 'full', 'Juneteenth was no market holiday before 2022'],
    ['2021-12-31', 'full', 'the Friday before a Saturday New Year closes the books of the year'],
    ['2032-12-31', 'full', 'and so in 2033'],
    ['2026-07-02', 'full', 'the eve of an observed Independence Day is a whole day'],
    ['2026-07-03', 'closed', '4 July 2026 is a Saturday'],
    ['2021-12-23', 'full', 'so is the eve of an observed Christmas'],
    ['2023-12-22', 'full', 'Christmas Eve 2023 is a Sunday'],
    ['2025-12-26', 'full', 'the day after Christmas'],
    ['2025-01-09', 'closed', 'the National Day of Mourning for President Carter'],
  ])('%s is %s: %s', (date, kind) => {
    expect(marketDay(dayOf(date))).toBe(kind)
  })

  it('names the holidays', () => {
    expect(holidaysIn(2026).map(({ name, day }) => `${dateOf(day)} ${name}`)).toEqual([
      "2026-01-01 New Year's Day",
      '2026-01-19 Martin Luther King, Jr. Day',
      "2026-02-16 Washington's Birthday",
      '2026-04-03 Good Friday',
      '2026-05-25 Memorial Day',
      '2026-06-19 Juneteenth National Independence Day',
      '2026-07-03 Independence Day',
      '2026-09-07 Labor Day',
      '2026-11-26 Thanksgiving Day',
      '2026-12-25 Christmas Day',
    ])
  })

  it('has Good Friday two days before Easter by another reckoning, from 1900 to 2199', () => {
    for (let year = 1900; year < 2200; year++) {
      const goodFriday = holidaysIn(year).find(({ name }) => name === 'Good Friday')
      expect(`${year} ${goodFriday?.day}`).toBe(`${year} ${easterByButcher(year) - 2}`)
    }
  })

  it('keeps ten holidays a year, less the lost ones, each on a weekday of its own', () => {
    for (let year = 2020; year <= 2035; year++) {
      const days = holidaysIn(year).map(({ day }) => day)
      expect(days.length).toBe(
        10 - (year < 2022 ? 1 : 0) - ([2022, 2028, 2033].includes(year) ? 1 : 0),
      )
      expect(new Set(days).size).toBe(days.length)
      for (const day of days) {
        expect(weekdayOf(day)).toBeGreaterThanOrEqual(1)
        expect(weekdayOf(day)).toBeLessThanOrEqual(5)
        expect(civilDate(day).year).toBe(year)
      }
    }
  })
})

/** The Meeus/Jones/Butcher reckoning (Nature, 20 April 1876): other arithmetic, the same Easter. */
const easterByButcher = (year: number): number => {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3)
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const n = h + l - 7 * m + 114
  return dayNumber(year, Math.floor(n / 31), (n % 31) + 1)
}
