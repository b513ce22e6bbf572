import { dayNumber } from '../domain/stock/new-york-time.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'

/** RFC 3339 §5.6, with any number of digits in the fraction. */
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,30})?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const daysIn = (year: number, month: number): number => {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const isInRange = (value: number, min: number, max: number): boolean => value >= min && value <= max

/**
 * Parses a timestamp such as `2026-09-23T18:43:40.689754062Z` to unix seconds, without the
 * fraction. A leap second counts as the second after it; anything but RFC 3339 gives null.
 */
export const parseRfc3339 = (text: string): UnixSeconds | null => {
  const match = pattern.exec(text)
  if (match === null) return null
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [sign, offsetHour, offsetMinute] = [match[7], Number(match[8] ?? 0), Number(match[9] ?? 0)]
  const isDate = isInRange(month, 1, 12) && isInRange(day, 1, daysIn(year, month))
  const isTime = hour <= 23 && minute <= 59 && second <= 60
  if (!isDate || !isTime || offsetHour > 23 || offsetMinute > 59) return null
  const offset = (offsetHour * 60 + offsetMinute) * 60 * (sign === '-' ? -1 : 1)
  return (
    dayNumber(year, month, day) * secondsPerDay +
    hour * secondsPerHour +
    minute * secondsPerMinute +
    second -
    offset
  )
}
