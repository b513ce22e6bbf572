import type { IncomingMessage } from 'node:http'
import type { UnixSeconds } from '../../domain/units.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { ClientKeys } from './client-address.ts'
import type { ServerLimits } from './limits.ts'

export type RateLimitRule = {
  /** Sustained requests per minute. */
  readonly perMinute: number
  /** Requests at once; at most `perMinute`. */
  readonly burst: number
  /** Clients in memory. */
  readonly clientsMax: number
}

export type RateLimitVerdict = {
  readonly allowed: boolean
  /** Requests that the client may send now. */
  readonly remaining: number
  /** Seconds until the full burst is available. */
  readonly resetSeconds: number
  /** Seconds until the next request is allowed; 0 if it is now. */
  readonly retrySeconds: number
}

export type RateLimiter = {
  readonly take: (client: string) => RateLimitVerdict
  /** Takes tokens after the fact; the debt is at most one burst. */
  readonly charge: (client: string, requests: number) => void
  readonly size: () => number
}

/** Tokens are sixtieths of a request: `perMinute` of them refill every second. Debt is negative. */
type Bucket = { sixtieths: number; ts: UnixSeconds }

const sixtiethsPerRequest = 60

/**
 * A token bucket per client, in two generations. A client that is silent for one full refill has a
 * full bucket, so dropping the old generation loses nothing. Under a flood of clients generations
 * rotate early and some buckets are reset, which bounds the memory.
 */
export const createRateLimiter = (rule: RateLimitRule, clock: Clock): RateLimiter => {
  const { perMinute } = rule
  const capacity = rule.burst * sixtiethsPerRequest
  const debtMax = capacity
  const refillSeconds = Math.ceil((capacity + debtMax) / perMinute)
  const generationSizeMax = Math.ceil(rule.clientsMax / 2)
  let young = new Map<string, Bucket>()
  let old = new Map<string, Bucket>()
  let generationTs = clock.now()

  const rotateGenerations = (now: UnixSeconds) => {
    const age = now - generationTs
    if (young.size < generationSizeMax && age >= 0 && age <= refillSeconds) return
    old = young
    young = new Map()
    generationTs = now
  }

  const findBucket = (client: string, now: UnixSeconds): Bucket => {
    const known = young.get(client)
    if (known !== undefined) return known
    rotateGenerations(now)
    const bucket = old.get(client) ?? { sixtieths: capacity, ts: now }
    old.delete(client)
    young.set(client, bucket)
    return bucket
  }

  return {
    take: (client) => {
      const now = clock.now()
      const bucket = findBucket(client, now)
      const refill = Math.max(0, now - bucket.ts) * perMinute
      const sixtieths = Math.min(capacity, bucket.sixtieths + refill)
      const allowed = sixtieths >= sixtiethsPerRequest
      bucket.sixtieths = allowed ? sixtieths - sixtiethsPerRequest : sixtieths
      bucket.ts = now
      const missing = Math.max(0, sixtiethsPerRequest - bucket.sixtieths)
      return {
        allowed,
        remaining: Math.max(0, Math.floor(bucket.sixtieths / sixtiethsPerRequest)),
        resetSeconds: Math.ceil((capacity - bucket.sixtieths) / perMinute),
        retrySeconds: allowed ? 0 : Math.ceil(missing / perMinute),
      }
    },
    charge: (client, requests) => {
      const bucket = findBucket(client, clock.now())
      bucket.sixtieths = Math.max(-debtMax, bucket.sixtieths - requests * sixtiethsPerRequest)
    },
    size: () => young.size + old.size,
  }
}

/** The IETF draft httpapi-ratelimit-headers and the older X- headers. */
export const formatRateLimitHeaders = (
  rule: RateLimitRule,
  verdict: RateLimitVerdict,
): Readonly<Record<string, string>> => ({
  'ratelimit-policy': `"client";q=${rule.perMinute};w=60;burst=${rule.burst}`,
  ratelimit: `"client";r=${verdict.remaining};t=${verdict.resetSeconds}`,
  'x-ratelimit-limit': String(rule.perMinute),
  'x-ratelimit-remaining': String(verdict.remaining),
  'x-ratelimit-reset': String(verdict.resetSeconds),
})

export type RateCheckDeps = {
  readonly clock: Clock
  readonly limits: ServerLimits
  /** Requests per minute and client; 0 disables the limit. */
  readonly rateLimitPerMinute: number
  readonly clients: ClientKeys
}

export type RateCheckResult = {
  readonly allowed: boolean
  readonly perMinute: number
  readonly retrySeconds: number
  readonly headers: Readonly<Record<string, string>>
}

export type RateCheck = {
  /** Counts a request against its client; null if there is no limit. */
  readonly check: (request: IncomingMessage) => RateCheckResult | null
  /** Counts additional requests of a batch. */
  readonly charge: (request: IncomingMessage, requests: number) => void
}

/** The service's own pages have an allowance of their own: so many times that of other requests. */
const pageShare = 5

/** Browsers say so, and no page can in another's name. A client that lies gains this much. */
const isOfOwnPage = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] === 'same-origin'

export const createRateCheck = (deps: RateCheckDeps): RateCheck => {
  const { limits, clients, rateLimitPerMinute } = deps
  if (rateLimitPerMinute === 0) return { check: () => null, charge: () => {} }
  const createAllowance = (times: number) => {
    const perMinute = times * rateLimitPerMinute
    const burst = Math.min(times * limits.rateLimitBurst, perMinute)
    const rule = { perMinute, burst, clientsMax: limits.rateLimitClientsMax }
    return { rule, limiter: createRateLimiter(rule, deps.clock) }
  }
  const [ofClient, ofPages] = [createAllowance(1), createAllowance(pageShare)]
  const allowanceOf = (request: IncomingMessage) => (isOfOwnPage(request) ? ofPages : ofClient)
  return {
    check: (request) => {
      const { rule, limiter } = allowanceOf(request)
      const verdict = limiter.take(clients.ofRequest(request))
      const { allowed, retrySeconds } = verdict
      const { perMinute } = rule
      return { allowed, perMinute, retrySeconds, headers: formatRateLimitHeaders(rule, verdict) }
    },
    charge: (request, requests) =>
      allowanceOf(request).limiter.charge(clients.ofRequest(request), requests),
  }
}
