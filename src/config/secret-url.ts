import { inspect } from 'node:util'
import { failure, type Outcome, success } from '../domain/outcome.ts'

/** A URL that may carry a key in its path, query or user part: who prints it, prints its host. */
export type SecretUrl = {
  readonly host: string
  /** The whole URL, for whoever opens the connection. */
  readonly reveal: () => string
}

/** Keeps a URL that was checked; `host` is what is shown of it. */
export const createSecretUrl = (host: string, whole: string): SecretUrl => {
  const shown = () => host
  const secret = { host, reveal: () => whole }
  for (const key of ['toString', 'toJSON', inspect.custom]) {
    Object.defineProperty(secret, key, { value: shown })
  }
  return Object.freeze(secret)
}

/** Takes an http or https URL, without its fragment and without a slash at the end. */
export const parseSecretUrl = (text: string): Outcome<SecretUrl, string> => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || /\s/.test(text)) {
    return failure('expected an http or https URL')
  }
  url.hash = ''
  return success(createSecretUrl(url.host, url.href.replace(/\/$/, '')))
}

/** For a text that is known to pass `parseSecretUrl`; anything else is a bug. */
export const secretUrl = (text: string): SecretUrl => {
  const parsed = parseSecretUrl(text)
  if (!parsed.ok) throw new Error('not a URL that was checked before')
  return parsed.value
}
