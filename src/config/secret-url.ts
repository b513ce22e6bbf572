import { inspect } from 'node:util'
import { failure, type Outcome, success } from '../domain/outcome.ts'

/** A URL that may contain a key; printing it shows only the host. */
export type SecretUrl = {
  readonly host: string
  /** The complete URL, to open the connection. */
  readonly reveal: () => string
}

/** Wraps a checked URL; `host` is shown instead of it. */
export const createSecretUrl = (host: string, fullUrl: string): SecretUrl => {
  const shown = () => host
  const secret = { host, reveal: () => fullUrl }
  for (const key of ['toString', 'toJSON', inspect.custom]) {
    Object.defineProperty(secret, key, { value: shown })
  }
  return Object.freeze(secret)
}

/** Parses an http or https URL; removes its fragment and trailing slash. */
export const parseSecretUrl = (text: string): Outcome<SecretUrl, string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /\s/.test(text)) {
    return failure('expected an http or https URL')
  }
  url.hash = ''
  return success(createSecretUrl(url.host, url.href.replace(/\/$/, '')))
}

/** For a text that the schema has checked; throws for any other. */
export const secretUrl = (text: string): SecretUrl => {
  const parsed = parseSecretUrl(text)
  if (!parsed.ok) throw new Error('expected a URL that the schema has checked')
  return parsed.value
}
