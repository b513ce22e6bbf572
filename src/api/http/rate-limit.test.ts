import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createClientKeys } from './client-address.ts'
import { serverLimits } from './limits.ts'
import {
  createRateCheck,
  createRateLimiter,
  formatRateLimitHeaders,
  type RateCheck,
  type RateLimitRule,
} from './rate-limit.ts'

const rule: RateLimitRule = { perMinute: 120, burst: 30, clientsMax: 1000 }

const start = (parts: Partial<RateLimitRule> = {}) => {
  const clock = { ts: 1_795_215_600 }
  const limiter = createRateLimiter({ ...rule, ...parts }, { now: () => clock.ts })
  const takeMany = (client: string, count: number) =>
    Array.from({ length: count }, () => limiter.take(client)).filter((each) => each.allowed).length
  return { clock, limiter, takeMany }
}

describe('120 a minute with a burst of 30', () => {
  it('allows 30 at once, then 2 per second', () => {
    const { clock, limiter, takeMany } = start()
    expect(takeMany('a', 40)).toBe(30)
    clock.ts += 1
    expect(takeMany('a', 40)).toBe(2)
    clock.ts += 5
    expect(takeMany('a', 40)).toBe(10)
    clock.ts += 3600
    expect(takeMany('a', 40)).toBe(30)
    expect(limiter.take('a')).toEqual({
      allowed: false,
      remaining: 0,
      resetSeconds: 15,
      retrySeconds: 1,
    })
  })

  it('counts down and reports when the full burst is available', () => {
    const { limiter } = start()
    expect(limiter.take('a')).toMatchObject({ remaining: 29, resetSeconds: 1, retrySeconds: 0 })
    expect(limiter.take('a')).toMatchObject({ remaining: 28, resetSeconds: 1 })
    expect(limiter.take('a')).toMatchObject({ remaining: 27, resetSeconds: 2 })
  })

  it('counts each client separately', () => {
    const { takeMany } = start()
    expect(takeMany('a', 40)).toBe(30)
    expect(takeMany('b', 40)).toBe(30)
  })
})

// perMinute, burst, seconds to wait after the burst is used up
describe('the wait after a rejection', () => {
  it.each([
    [120, 30, 1],
    [60, 30, 1],
    [59, 30, 2],
    [30, 30, 2],
    [7, 7, 9],
    [1, 1, 60],
  ])(
    'at %i per minute with a burst of %i is %i s, and is sufficient',
    (perMinute, burst, seconds) => {
      const { clock, limiter, takeMany } = start({ perMinute, burst })
      expect(takeMany('a', burst)).toBe(burst)
      const refused = limiter.take('a')
      expect(refused).toMatchObject({ allowed: false, retrySeconds: seconds })
      clock.ts += seconds - 1
      expect(limiter.take('a').allowed).toBe(false)
      clock.ts += 1
      expect(limiter.take('a').allowed).toBe(true)
    },
  )
})

describe('a batch of requests', () => {
  it('is charged, also beyond the available tokens', () => {
    const { clock, limiter, takeMany } = start({ perMinute: 60, burst: 3 })
    expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 2 })
    limiter.charge('a', 1)
    expect(limiter.take('a')).toMatchObject({ allowed: true, remaining: 0 })
    limiter.charge('a', 2)
    expect(limiter.take('a')).toMatchObject({ allowed: false, remaining: 0, retrySeconds: 3 })
    clock.ts += 2
    expect(takeMany('a', 5)).toBe(0)
    clock.ts += 1
    expect(takeMany('a', 5)).toBe(1)
    expect(takeMany('b', 5)).toBe(3)
  })

  it('owes at most one burst', () => {
    const { limiter } = start({ perMinute: 60, burst: 3 })
    limiter.charge('a', 1_000)
    expect(limiter.take('a')).toMatchObject({ retrySeconds: 4, resetSeconds: 6 })
  })
})

describe('the clock', () => {
  it('jumping back changes no bucket', () => {
    const { clock, takeMany } = start()
    expect(takeMany('a', 40)).toBe(30)
    clock.ts -= 86_400
    expect(takeMany('a', 40)).toBe(0)
    clock.ts += 1
    expect(takeMany('a', 40)).toBe(2)
  })
})

describe('the table of clients', () => {
  it('stays within its bound', () => {
    const { limiter } = start({ clientsMax: 100 })
    for (let client = 0; client < 10_000; client++) {
      limiter.take(`client ${client}`)
      expect(limiter.size()).toBeLessThanOrEqual(100)
    }
  })

  it('forgets only clients that were silent for a full refill', () => {
    const { clock, limiter, takeMany } = start()
    expect(takeMany('busy', 40)).toBe(30)
    for (let second = 0; second < 200; second++) {
      clock.ts += 1
      limiter.take(`once at ${second}`)
      expect(takeMany('busy', 40)).toBe(2)
    }
    expect(limiter.size()).toBeLessThan(70)
  })

  it('holds a client to its rate while other clients come and go', () => {
    const step = fc.record({ wait: fc.nat(20), client: fc.nat(3), count: fc.nat(50) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { clock, takeMany } = start()
        const began = clock.ts
        const allowed = new Map<number, number>()
        for (const { wait, client, count } of steps) {
          clock.ts += wait
          const taken = (allowed.get(client) ?? 0) + takeMany(`${client}`, count)
          allowed.set(client, taken)
          expect(taken).toBeLessThanOrEqual(30 + 2 * (clock.ts - began))
        }
      }),
    )
  })
})

describe('the headers', () => {
  it('contain the limit and what remains', () => {
    const verdict = { allowed: true, remaining: 12, resetSeconds: 9, retrySeconds: 0 }
    expect(formatRateLimitHeaders(rule, verdict)).toEqual({
      'ratelimit-policy': '"client";q=120;w=60;burst=30',
      ratelimit: '"client";r=12;t=9',
      'x-ratelimit-limit': '120',
      'x-ratelimit-remaining': '12',
      'x-ratelimit-reset': '9',
    })
  })
})

describe('the service’s own pages', () => {
  const deps = {
    clock: { now: () => 1_795_215_600 },
    limits: serverLimits,
    rateLimitPerMinute: 120,
    clients: createClientKeys([]),
  }
  const requestOf = (headers: IncomingHttpHeaders) =>
    ({ headers, socket: { remoteAddress: '192.0.2.7' } }) as IncomingMessage
  const own = requestOf({ 'sec-fetch-site': 'same-origin' })
  const allowed = (check: RateCheck, request: IncomingMessage, count: number): number =>
    Array.from({ length: count }, () => check.check(request)).filter((each) => each?.allowed).length

  it('have an allowance of five times that of other requests, beside it', () => {
    const check = createRateCheck(deps)
    expect(allowed(check, own, 200)).toBe(150)
    expect(check.check(own)).toMatchObject({ perMinute: 600, allowed: false })
    for (const site of ['cross-site', 'same-site', 'none']) {
      const fresh = createRateCheck(deps)
      expect(allowed(fresh, requestOf({ 'sec-fetch-site': site }), 200)).toBe(30)
      expect(allowed(fresh, requestOf({}), 200)).toBe(0)
      expect(allowed(fresh, own, 200)).toBe(150)
    }
  })

  it('have none where nothing is limited', () => {
    expect(createRateCheck({ ...deps, rateLimitPerMinute: 0 }).check(own)).toBeNull()
  })
})
