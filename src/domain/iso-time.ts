import { civilDate, type DayNumber, dayNumber } from './stock/new-york-time.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from './time.ts'
import type { UnixSeconds } from './units.ts'

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** ISO 8601 of a UTC day, `2026-11-21`. */
export const toIsoDate = (number: DayNumber): string => {
  const { year, month, day } = civilDate(number)
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`
}

/** ISO 8601 in UTC, `2026-11-21T09:30:00Z`. */
export const toIsoTime = (ts: UnixSeconds): string => {
  const second = ts % secondsPerDay
  const parts = [second / secondsPerHour, (second / secondsPerMinute) % 60, second % 60]
  const time = parts.map((part) => digits(Math.floor(part), 2)).join(':')
  return `${toIsoDate(Math.floor(ts / secondsPerDay))}T${time}Z`
}

/** The day that `toIsoDate` writes like this; null if there is none. */
export const parseIsoDate = (text: string): DayNumber | null => {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
  const number = dayNumber(Number(year), Number(month), Number(day))
  return Number.isSafeInteger(number) && toIsoDate(number) === text ? number : null
}
