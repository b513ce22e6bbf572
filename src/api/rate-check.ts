import type { IncomingMessage } from 'node:http'
import type { Clock } from '../ports/process.ts'
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

/** Counts a request against whoever sent it; null where nothing is counted. */
export type RateCheck = (request: IncomingMessage) => RateCheckResult | null

export const createRateCheck = (parts: RateCheckParts): RateCheck => {
  const { limits, rateLimitPerMinute: perMinute } = parts
  if (perMinute === 0) return () => null
  const burst = Math.min(limits.rateLimitBurst, perMinute)
  const rule = { perMinute, burst, clientsMax: limits.rateLimitClientsMax }
  const limiter = createRateLimiter(rule, parts.clock)
  const proxies = createTrustedProxies(parts.trustedProxies)
  return ({ socket, headers }) => {
    const forwardedFor = headers['x-forwarded-for']?.toString()
    const verdict = limiter.take(clientOf(socket.remoteAddress, forwardedFor, proxies))
    const { allowed, retrySeconds } = verdict
    return { allowed, retrySeconds, headers: rateLimitHeaders(rule, verdict) }
  }
}
