import type { IncomingMessage } from 'node:http'
import { allowOf } from './problems.ts'

/**
 * On every reply. It is data for programs of any origin (no credentials, so `*`), and nothing in it
 * may ever run, frame or be taken for another type.
 */
export const constantHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, RateLimit, RateLimit-Policy, Retry-After, X-RateLimit-Limit, ' +
    'X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** To OPTIONS, which is also CORS's preflight. Browsers keep it for at most a day. */
export const optionsHeadersOf = (methods: readonly string[]) => ({
  allow: allowOf(methods),
  'access-control-allow-methods': allowOf(methods),
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
  'cache-control': 'no-store',
})

export type CachePolicy = 'no-store' | 'data' | 'document' | 'page'

/**
 * Data may be shared for two seconds, and shown for ten more while it is fetched anew. Documents
 * change with the version of the service: they are asked about again after five minutes. The files
 * of the dashboard must be of one version, so each is asked about every time.
 */
export const cacheControls: Readonly<Record<CachePolicy, string>> = {
  'no-store': 'no-store',
  data: 'public, max-age=2, stale-while-revalidate=10',
  document: 'public, max-age=300',
  page: 'no-cache',
}

/** RFC 3986 §3.2.2 and §3.2.3: a name or an address, and perhaps a port. It may be empty. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i

/** Whether the header Host is there just once and well-formed: else RFC 9112 §3.2 wants a 400. */
export const hasHost = ({ headers, httpVersion, rawHeaders }: IncomingMessage): boolean => {
  const { host } = headers
  if (host === undefined) return httpVersion === '1.0'
  if (!hostForm.test(host)) return false
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count === 1
}
