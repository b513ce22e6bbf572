/*
 * A URL may carry a key in its path, query or user part, so only its host is shown. Texts and
 * depths are bounded, because they may come from an untrusted token or server.
 */

const textCharactersMax = 2000
const entriesMax = 20
const depthMax = 4

/**
 * Also matches inside JSON (`https:\/\/`) and inside another URL (`https%3A%2F%2F`). Without the
 * bound of the scheme, a text without any URL would take quadratic time.
 */
const urlPattern = /[a-z][a-z0-9+.-]{0,15}(?::\\*\/\\*\/|%3a%2f%2f)[^\s"<>`]+/gi

const hostOf = (text: string): string => URL.parse(text.replaceAll('\\', ''))?.host || '[url]'

/** Keeps a URL that is only a host: it has no secret and stays clickable. */
const hostUnlessBare = (text: string): string => {
  const url = URL.parse(text)
  return url !== null && url.host !== '' && text === `${url.protocol}//${url.host}`
    ? text
    : hostOf(text)
}

/** Reduces every URL in a text to its host and truncates long texts. */
export const redactUrls = (text: string): string => {
  const isLong = text.length > textCharactersMax
  const beginning = isLong ? `${text.slice(0, textCharactersMax)}…` : text
  return beginning.replace(urlPattern, hostUnlessBare)
}

type Fields = Readonly<Record<string, unknown>>

const redactEntries = (value: object, depth: number): Fields => {
  const entries = Object.entries(value).slice(0, entriesMax)
  return Object.fromEntries(
    entries.map(([key, item]) => [redactUrls(key), redactValue(item, depth + 1)]),
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
    return value.slice(0, entriesMax).map((item) => redactValue(item, depth + 1))
  }
  return redactEntries(value, depth)
}

const redactValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return redactUrls(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'object' && value !== null) return redactObject(value, depth)
  return value
}

/** Redacts everything inside the fields of a log line. */
export const redactFields = (fields: Fields): Fields => redactEntries(fields, 0)

/** With a host, fits into the 200 characters of a source's `lastError`. */
const lineCharactersMax = 160
/** Shorter path parts ("v2", "rpc") are no secrets and occur in ordinary words. */
const secretCharactersMin = 6
/** 0x-hexadecimal is chain data; any other long run of letters and digits may be a key. */
const keyPattern = /(?<![\w-])(?!0x[0-9a-f]+\b)(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi
const controlPattern = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/** Cleans external text for display: URLs as hosts, no secrets, one short line. */
export type RedactSecrets = (text: string) => string

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Possible credentials of a URL: user, password, path segments, query names and values. */
const secretsOf = (url: string): readonly string[] => {
  const parsed = URL.parse(url)
  if (parsed === null) return []
  const parts = [
    parsed.username,
    parsed.password,
    ...parsed.pathname.split('/'),
    ...parsed.search.slice(1).split(/[&=]/),
  ]
  return parts.flatMap((part) => [part, decoded(part)])
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const secretPattern = (urls: readonly string[]): RegExp | null => {
  const secrets = [...new Set(urls.flatMap(secretsOf))]
    .filter((secret) => secret.length >= secretCharactersMin)
    .sort((a, b) => b.length - a.length)
  return secrets.length === 0 ? null : new RegExp(secrets.map(escaped).join('|'), 'gi')
}

/** `urls`: every configured address that may carry a key. */
export const createSecretRedactor = (urls: readonly string[]): RedactSecrets => {
  const secrets = secretPattern(urls)
  return (text) => {
    // Truncates first: the patterns below must only see bounded text.
    const line = text.slice(0, lineCharactersMax * 8).replace(controlPattern, ' ')
    const withoutUrls = line.replace(urlPattern, hostOf)
    const withoutSecrets = secrets === null ? withoutUrls : withoutUrls.replace(secrets, '***')
    return withoutSecrets.replace(keyPattern, '***').trim().slice(0, lineCharactersMax)
  }
}
