import type { IncomingMessage } from 'node:http'
import { formatAllow } from './problems.ts'

/**
 * The API is public data without credentials, so any origin may read it (`cross-origin.ts` has the
 * exceptions), and nothing in a response may run, be framed or be sniffed as another type.
 */
export const constantHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Accept-Ranges, Content-Range, ETag, RateLimit, RateLimit-Policy, Retry-After, ' +
    'X-As-Of-Block, X-As-Of-Hash, X-RateLimit-Limit, X-RateLimit-Remaining, ' +
    'X-RateLimit-Reset, X-Request-Id',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

export const allowHeaders = (methods: readonly string[]) => ({
  allow: formatAllow(methods),
  'cache-control': 'no-store',
})

/** Answer CORS preflight requests, which browsers cache for at most a day. */
export const preflightHeaders = (methods: readonly string[]) => ({
  'access-control-allow-methods': formatAllow(methods),
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
})

export type CachePolicy = 'no-store' | 'data' | 'document' | 'page'

/**
 * Documents change only with the version of the service. Dashboard files must be of one version,
 * so each is revalidated on every use.
 */
export const cacheControls: Readonly<Record<CachePolicy, string>> = {
  'no-store': 'no-store',
  data: 'public, max-age=2, stale-while-revalidate=10',
  document: 'public, max-age=300',
  page: 'no-cache',
}

/** RFC 3986 §3.2.2 and §3.2.3: a name or an address with an optional port. It may be empty. */
const hostPattern = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Whether there is exactly one well-formed Host header, as RFC 9112 §3.2 requires. */
export const hasValidHost = ({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean => {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0'
  if (!hostPattern.test(host)) return false
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count === 1
}
