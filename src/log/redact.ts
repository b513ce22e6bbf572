import type { LogFields } from '../ports/process.ts'

/*
 * P9, quiet secrets: a key hides in a URL's path, query or user part, so that of any URL,
 * wherever it stands, the host alone goes out. Sizes and depths are bounded: what is logged may
 * come from a stranger's token or server. What others' texts may show in a status is another rule:
 * net/redact.ts, which knows the configured keys, hides them without a URL too, and makes one line.
 */

const textCharactersMax = 2000
const entriesMax = 20
const depthMax = 4

/**
 * Also inside JSON (`https:\/\/`) and inside another URL (`https%3A%2F%2F`). The scheme is bounded:
 * without a bound a text without any URL would take quadratic time.
 */
const urlPattern = /[a-z][a-z0-9+.-]{0,15}(?::\\*\/\\*\/|%3a%2f%2f)[^\s"<>`]+/gi

const hostOf = (text: string): string => {
  const url = URL.parse(text.replaceAll('\\', ''))
  if (url === null || url.host === '') return '[url]'
  // An address that is nothing but a host hides nothing, and a person may want to click on it.
  return text === `${url.protocol}//${url.host}` ? text : url.host
}

/** Reduces every URL in a text to its host, and a long text to its beginning. */
export const redactText = (text: string): string => {
  const isLong = text.length > textCharactersMax
  const beginning = isLong ? `${text.slice(0, textCharactersMax)}…` : text
  return beginning.replace(urlPattern, hostOf)
}

const redactEntries = (value: object, depth: number): LogFields => {
  const entries = Object.entries(value).slice(0, entriesMax)
  return Object.fromEntries(
    entries.map(([key, each]) => [redactText(key), redactValue(each, depth + 1)]),
  )
}

const redactObject = (value: object, depth: number): unknown => {
  if (depth >= depthMax) return '[deep]'
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    return redactEntries({ name, message, stack, ...(cause === undefined ? {} : { cause }) }, depth)
  }
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return redactValue(value.toJSON(), depth + 1)
  }
  if (Array.isArray(value)) {
    return value.slice(0, entriesMax).map((each) => redactValue(each, depth + 1))
  }
  return redactEntries(value, depth)
}

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'object' && value !== null) return redactObject(value, depth)
  return value
}

/** The same for everything inside the fields of a log line. */
export const redactFields = (fields: LogFields): LogFields => redactEntries(fields, 0)
