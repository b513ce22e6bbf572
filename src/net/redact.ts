/** Together with a host it fits into the 200 characters of a status row's `lastError`. */
const textCharsMax = 160
/** Shorter parts of a path ("v2", "rpc") name no one and stand in ordinary words. */
const secretCharsMin = 6

/** Also inside JSON (`https:\/\/`) and without a scheme, as some providers repeat it. */
const urlPattern = /\b(?:https?|wss?):\\?\/\\?\/[^\s"'<>`]+/gi
/** 0x-hexadecimal is chain data; any other long run of letters and digits may be a key. */
const keyPattern = /(?<![\w-])(?!0x[0-9a-f]+\b)(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{20,}/gi
const controlPattern = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

/**
 * Makes a text from outside fit to be shown: no URL beyond its host, no secret, one short line. The
 * rule of all log lines is another one (log/redact.ts): they know no secrets but those in URLs.
 */
export type Redact = (text: string) => string

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What of a URL may be a credential: user, password, path segments, query names and values. */
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
    .filter((secret) => secret.length >= secretCharsMin)
    .sort((a, b) => b.length - a.length)
  return secrets.length === 0 ? null : new RegExp(secrets.map(escaped).join('|'), 'gi')
}

const hostOf = (url: string): string => URL.parse(url.replaceAll('\\', ''))?.host || '[url]'

/** `urls`: every configured address that may carry a key. */
export const createRedact = (urls: readonly string[]): Redact => {
  const secrets = secretPattern(urls)
  return (text) => {
    // Cut first: the patterns below then see a bounded text, whatever a stranger sent.
    const line = text.slice(0, textCharsMax * 8).replace(controlPattern, ' ')
    const withoutUrls = line.replace(urlPattern, hostOf)
    const withoutSecrets = secrets === null ? withoutUrls : withoutUrls.replace(secrets, '***')
    return withoutSecrets.replace(keyPattern, '***').trim().slice(0, textCharsMax)
  }
}
