const minute = 60
const hour = 3600
const day = 86_400

/** How long ago, in one unit that fits: 12s, 3m, 2h, 4d. */
export const formatAge = (seconds: number | null): string => {
  if (seconds === null) return 'never'
  const age = Math.max(0, Math.floor(seconds))
  if (age < minute) return `${age}s`
  if (age < hour) return `${Math.floor(age / minute)}m`
  if (age < 2 * day) return `${Math.floor(age / hour)}h`
  return `${Math.floor(age / day)}d`
}

const absolute = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayTime = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const monthTime = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' })

const monthSeconds = 28 * day

/** An axis mark that shows what changes at this distance between marks. */
export const formatMark = (ts: number, apartSeconds: number): string => {
  const time = clockTime.format(ts * 1000)
  if (apartSeconds < day && time !== '00:00') return time
  return (apartSeconds < monthSeconds ? dayTime : monthTime).format(ts * 1000)
}

/** Formats a timestamp in the reader's time zone. */
export const formatTs = (ts: number | null): string =>
  ts === null ? 'never' : absolute.format(ts * 1000)
