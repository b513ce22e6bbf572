import { civilDate, type DayNumber, dayNumber, nthWeekday, weekdayOf } from './new-york-time.ts'

/** What the US stock exchanges do on one day. */
export type MarketDay = 'full' | 'early-close' | 'closed'

export type Holiday = { readonly name: string; readonly day: DayNumber }

/** Null: not kept in that year. */
type HolidayRule = {
  readonly name: string
  readonly dayIn: (year: number) => DayNumber | null
}

const sunday = 0
const monday = 1
const thursday = 4
const friday = 5
const saturday = 6

/** A holiday on a Saturday is kept on the Friday before, on a Sunday the Monday after. */
const observed = (day: DayNumber): DayNumber => {
  const weekday = weekdayOf(day)
  return weekday === saturday ? day - 1 : weekday === sunday ? day + 1 : day
}

/**
 * The Friday before a Saturday New Year closes the year's books, so the exchanges open and the
 * holiday is lost (NYSE Rule 7.2; "no New Year's Day holiday" of the calendars of 2022 and 2028).
 */
const newYearsDay = (year: number): DayNumber | null => {
  const day = dayNumber(year, 1, 1)
  return weekdayOf(day) === saturday ? null : observed(day)
}

/** The Sunday after the church's full moon on or after 21 March (Gauss's rule by Lichtenberg). */
const easterSunday = (year: number): DayNumber => {
  const century = Math.floor(year / 100)
  const solarCorrection = century - Math.floor(century / 4)
  const lunarCorrection = Math.floor((8 * century + 13) / 25)
  const golden = year % 19
  const moon = (19 * golden + 15 + solarCorrection - lunarCorrection) % 30
  // Short lunations have no such day: the full moon comes a day earlier.
  const short = moon === 29 || (moon === 28 && golden > 10) ? 1 : 0
  const fullMoon = dayNumber(year, 3, 21) + moon - short
  return fullMoon + 7 - weekdayOf(fullMoon)
}

const lastMondayOfMay = (year: number): DayNumber => {
  const last = dayNumber(year, 5, 31)
  return last - ((weekdayOf(last) - monday + 7) % 7)
}

const thanksgiving = (year: number): DayNumber =>
  nthWeekday(year, 11, { nth: 4, weekday: thursday })

/** NYSE Rule 7.2, followed by Nasdaq. Juneteenth was added with 2022 (SR-NYSE-2021-56). */
const holidayRules: readonly HolidayRule[] = [
  { name: "New Year's Day", dayIn: newYearsDay },
  {
    name: 'Martin Luther King, Jr. Day',
    dayIn: (year) => nthWeekday(year, 1, { nth: 3, weekday: monday }),
  },
  {
    name: "Washington's Birthday",
    dayIn: (year) => nthWeekday(year, 2, { nth: 3, weekday: monday }),
  },
  { name: 'Good Friday', dayIn: (year) => easterSunday(year) - 2 },
  { name: 'Memorial Day', dayIn: lastMondayOfMay },
  {
    name: 'Juneteenth National Independence Day',
    dayIn: (year) => (year < 2022 ? null : observed(dayNumber(year, 6, 19))),
  },
  { name: 'Independence Day', dayIn: (year) => observed(dayNumber(year, 7, 4)) },
  { name: 'Labor Day', dayIn: (year) => nthWeekday(year, 9, { nth: 1, weekday: monday }) },
  { name: 'Thanksgiving Day', dayIn: thanksgiving },
  { name: 'Christmas Day', dayIn: (year) => observed(dayNumber(year, 12, 25)) },
]

/**
 * Closings without a rule, each with its source. The table is complete for the past only; add a
 * line when the exchanges announce the next.
 */
const extraordinaryClosings: readonly (Holiday & { readonly source: string })[] = [
  {
    name: 'National Day of Mourning for President Carter',
    day: dayNumber(2025, 1, 9),
    source: 'NYSE Group and Nasdaq, announcements of 2024-12-30',
  },
]

/** The holidays of a year that the rules foretell, in the order of the year. */
export const holidaysIn = (year: number): readonly Holiday[] =>
  holidayRules.flatMap(({ name, dayIn }) => {
    const day = dayIn(year)
    return day === null ? [] : [{ name, day }]
  })

/** The eve of 4 July and of Christmas, where the eve and the day after it are both weekdays. */
const isHolidayEve = (day: DayNumber): boolean => {
  const { month, day: dayOfMonth } = civilDate(day)
  const weekday = weekdayOf(day)
  const eve = (month === 7 && dayOfMonth === 3) || (month === 12 && dayOfMonth === 24)
  return eve && weekday >= monday && weekday < friday
}

/** Whether the exchanges trade, all day or until 13:00 New York time. */
export const marketDay = (day: DayNumber): MarketDay => {
  const weekday = weekdayOf(day)
  const { year } = civilDate(day)
  const isHoliday =
    holidayRules.some(({ dayIn }) => dayIn(year) === day) ||
    extraordinaryClosings.some((closing) => closing.day === day)
  if (weekday === saturday || weekday === sunday || isHoliday) return 'closed'
  return day === thanksgiving(year) + 1 || isHolidayEve(day) ? 'early-close' : 'full'
}
