import type { IncomingMessage } from 'node:http'
import type { UnixSeconds } from '../../domain/units.ts'
import type { Clock } from '../../ports/runtime.ts'
import { clientOf, createTrustedProxies } from './client-address.ts'
import type { ServerLimits } from './limits.ts'

export type RateLimitRule = {
  /** Requests per minute in the long run. */
  readonly perMinute: number
  /** Requests at once; not more than `perMinute`. */
  readonly burst: number
  /** Clients remembered. */
  readonly clientsMax: number
}

export type RateLimitVerdict = {
  readonly allowed: boolean
  /** Requests that the client may make at once now. */
  readonly remaining: number
  /** Seconds until it has its whole burst again. */
  readonly resetSeconds: number
  /** Seconds until the next request is allowed; 0 if it is now. */
  readonly retrySeconds: number
}

export type RateLimiter = {
  readonly take: (client: string) => RateLimitVerdict
  /** For more than was seen when it was let in: what is not left is owed, at most one burst. */
  readonly charge: (client: string, requests: number) => void
  /** Clients in memory. */
  readonly size: () => number
}

/**
 * Allowance in sixtieths of a request, so that `perMinute` of them come back every second; what is
 * owed is below zero.
 */
type Bucket = { sixtieths: number; ts: UnixSeconds }

const request = 60

/**
 * A token bucket per client. The table is two generations: what was not asked for during one whole
 * refill has a full bucket, and so is forgotten without loss when the older generation goes. Under
 * a flood of clients generations change earlier, and some buckets are forgiven: memory stays flat.
 */
export const createRateLimiter = (rule: RateLimitRule, clock: Clock): RateLimiter => {
  const { perMinute } = rule
  const capacity = rule.burst * request
  const debtMax = capacity
  const refillSeconds = Math.ceil((capacity + debtMax) / perMinute)
  const generationSizeMax = Math.ceil(rule.clientsMax / 2)
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let generationTs = clock.now()

  const changeGenerations = (now: UnixSeconds) => {
    const age = now - generationTs
    if (young.size < generationSizeMax && age >= 0 && age <= refillSeconds) return
    old = young
    young = new Map()
    generationTs = now
  }

  const bucketOf = (client: string, now: UnixSeconds): Bucket => {
    const known = young.get(client)
    if (known !== undefined) return known
    changeGenerations(now)
    const bucket = old.get(client) ?? { sixtieths: capacity, ts: now }
    old.delete(client)
    young.set(client, bucket)
    return bucket
  }

  return {
    take: (client) => {
      const now = clock.now()
      const bucket = bucketOf(client, now)
      const refill = Math.max(0, now - bucket.ts) * perMinute
      const sixtieths = Math.min(capacity, bucket.sixtieths + refill)
      const allowed = sixtieths >= request
      bucket.sixtieths = allowed ? sixtieths - request : sixtieths
      bucket.ts = now
      const missing = Math.max(0, request - bucket.sixtieths)
      return {
        allowed,
        remaining: Math.max(0, Math.floor(bucket.sixtieths / request)),
        resetSeconds: Math.ceil((capacity - bucket.sixtieths) / perMinute),
        retrySeconds: allowed ? 0 : Math.ceil(missing / perMinute),
      }
    },
    charge: (client, requests) => {
      const bucket = bucketOf(client, clock.now())
      bucket.sixtieths = Math.max(-debtMax, bucket.sixtieths - requests * request)
    },
    size: () => young.size + old.size,
  }
}

/** The draft of the IETF (httpapi-ratelimit-headers) and the X- headers that came before it. */
export const rateLimitHeaders = (
  rule: RateLimitRule,
  verdict: RateLimitVerdict,
): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"client";q=${rule.perMinute};w=60;burst=${rule.burst}`,
  ratelimit: `"client";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  'x-ratelimit-limit': String(rule.perMinute),
  'x-ratelimit-remaining': String(verdict.remaining),
  'x-ratelimit-reset': String(verdict.resetSeconds),
})

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
