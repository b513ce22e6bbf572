/**
 * Puts untrusted text on one line and removes what a terminal could interpret: control characters,
 * ANSI escapes and bidirectional overrides.
 */
export const plainText = (text: string): string =>
  text
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '\u00b7')

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0')

/** Unix seconds as the time of day in UTC. */
const timeOfDay = (ts: number): string =>
  [(ts / 3600) % 24, (ts / 60) % 60, ts % 60].map(twoDigits).join(':')

const formatValue = (value: unknown): string =>
  typeof value === 'string' && /^[^\s="]+$/.test(value) ? value : JSON.stringify(value)

/** Formats a JSON log line for a terminal: `12:34:56Z warn  message  key=value`. */
export const prettyLine = (line: string): string => {
  const { level, ts, message, ...fields }: Record<string, unknown> = JSON.parse(line)
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${formatValue(value)}`)
  const head = `${timeOfDay(Number(ts))}Z ${String(level).padEnd(5)} ${String(message)}`
  return [head, ...pairs].join('  ')
}
