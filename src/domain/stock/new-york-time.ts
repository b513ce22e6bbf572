import { secondsPerDay, secondsPerHour } from '../time.ts'
import type { UnixSeconds } from '../units.ts'

/** A civil date by its count of days since 1970-01-01, whatever the time zone. */
export type DayNumber = number

/** 0 is Sunday, 6 is Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

/** A date of the Gregorian calendar; January is month 1. */
export type CivilDate = { readonly year: number; readonly month: number; readonly day: number }

/** What a clock on a wall in New York shows. */
export type NewYorkTime = { readonly day: DayNumber; readonly secondOfDay: number }

/*
 * Both conversions let years begin in March: the leap day is then a year's last, and no month's
 * start depends on it. 400 years, an "era", always have 146,097 days.
 */
const eraYears = 400
const eraDays = 146_097
/** 1970-01-01 counted from 0000-03-01. */
const epochDays = 719_468
/** Days before each month of a year that begins in March. */
const monthStarts = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337] as const

/** Days before a year within its era. */
const yearStart = (yearOfEra: number): number =>
  yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100)

/** Proleptic Gregorian; `month` 1..12, `day` may run over the month's end. */
export const dayNumber = (year: number, month: number, day: number): DayNumber => {
  const marchYear = month < 3 ? year - 1 : year
  const era = Math.floor(marchYear / eraYears)
  const monthStart = monthStarts[(month + 9) % 12] ?? 0
  return era * eraDays + yearStart(marchYear - era * eraYears) + monthStart + day - 1 - epochDays
}

/** The inverse of `dayNumber`. */
export const civilDate = (day: DayNumber): CivilDate => {
  const era = Math.floor((day + epochDays) / eraDays)
  const dayOfEra = day + epochDays - era * eraDays
  // An era has 97 leap days, so years of 365 days overshoot by one at the most.
  const guess = Math.min(Math.floor(dayOfEra / 365), eraYears - 1)
  const yearOfEra = yearStart(guess) > dayOfEra ? guess - 1 : guess
  const dayOfYear = dayOfEra - yearStart(yearOfEra)
  const monthFromMarch = monthStarts.findLastIndex((start) => start <= dayOfYear)
  const month = ((monthFromMarch + 2) % 12) + 1
  return {
    year: era * eraYears + yearOfEra + (month < 3 ? 1 : 0),
    month,
    day: dayOfYear - (monthStarts[monthFromMarch] ?? 0) + 1,
  }
}

/** 1970-01-01 was a Thursday. */
export const weekdayOf = (day: DayNumber): Weekday => ((((day + 4) % 7) + 7) % 7) as Weekday

/** The nth (from 1) Sunday, Monday ... of a month. */
export const nthWeekday = (
  year: number,
  month: number,
  { nth, weekday }: { readonly nth: number; readonly weekday: Weekday },
): DayNumber => {
  const first = dayNumber(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (nth - 1) * 7
}

/**
 * Seconds to add to UTC for New York's clock. Daylight time runs from the second Sunday of March
 * 02:00 standard time (07:00 UTC) to the first Sunday of November 02:00 daylight time (06:00 UTC):
 * 15 U.S.C. 260a as amended by the Energy Policy Act of 2005, in force since 2007.
 */
export const newYorkOffsetSeconds = (ts: UnixSeconds): number => {
  const { year } = civilDate(Math.floor(ts / secondsPerDay))
  const begins = nthWeekday(year, 3, { nth: 2, weekday: 0 }) * secondsPerDay + 7 * secondsPerHour
  const ends = nthWeekday(year, 11, { nth: 1, weekday: 0 }) * secondsPerDay + 6 * secondsPerHour
  return ts >= begins && ts < ends ? -4 * secondsPerHour : -5 * secondsPerHour
}

export const newYorkTime = (ts: UnixSeconds): NewYorkTime => {
  const local = ts + newYorkOffsetSeconds(ts)
  const day = Math.floor(local / secondsPerDay)
  return { day, secondOfDay: local - day * secondsPerDay }
}
