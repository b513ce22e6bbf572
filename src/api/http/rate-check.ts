import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../ports/process.ts'
import { clientOf, createTrustedProxies } from './client-address.ts'
import type { ServerLimits } from './limits.ts'
import { createRateLimiter, rateLimitHeaders } from './rate-limit.ts'

export type RateCheckParts = {
  readonly clock: Clock
  readonly limits: ServerLimits
  /** Requests per minute and client; 0: no limit. */
  readonly rateLimitPerMinute: number
  readonly trustedProxies: readonly string[]
}

export type RateCheckResult = {
  readonly allowed: boolean
  readonly retrySeconds: number
  readonly headers: Readonly<Record<string, string>>
}

export type RateCheck = {
  /** Counts a request against whoever sent it; null where nothing is counted. */
  readonly check: (request: IncomingMessage) => RateCheckResult | null
  /** A request that turned out to ask for more than one counts as so many more. */
  readonly charge: (request: IncomingMessage, requests: number) => void
}

export const createRateCheck = (parts: RateCheckParts): RateCheck => {
  const { limits, rateLimitPerMinute: perMinute } = parts
  if (perMinute === 0) return { check: () => null, charge: () => {} }
  const burst = Math.min(limits.rateLimitBurst, perMinute)
  const rule = { perMinute, burst, clientsMax: limits.rateLimitClientsMax }
  const limiter = createRateLimiter(rule, parts.clock)
  const proxies = createTrustedProxies(parts.trustedProxies)
  const senderOf = ({ socket, headers }: IncomingMessage): string =>
    clientOf(socket.remoteAddress, headers['x-forwarded-for']?.toString(), proxies)
  return {
    check: (request) => {
      const verdict = limiter.take(senderOf(request))
      const { allowed, retrySeconds } = verdict
      return { allowed, retrySeconds, headers: rateLimitHeaders(rule, verdict) }
    },
    charge: (request, requests) => limiter.charge(senderOf(request), requests),
  }
}
