import { describe, expect, it } from 'vitest'
import {
  afterFailure,
  afterRateLimit,
  afterSuccess,
  afterWrongChain,
  type CircuitState,
  initialCircuit,
  isOpen,
  isReady,
} from './circuit-breaker.ts'

const at = (nowMs: number, sentAtMs = nowMs, random = 0) => ({ nowMs, sentAtMs, random })

/** One failure after the other, each as soon as it may be tried again. */
const rests = (count: number, random = 0): { waits: number[]; health: CircuitState } => {
  const waits: number[] = []
  let health = initialCircuit
  let nowMs = 0
  for (let i = 0; i < count; i++) {
    health = afterFailure(health, at(nowMs, nowMs, random))
    waits.push(health.readyAtMs - nowMs)
    nowMs = health.readyAtMs
  }
  return { waits, health }
}

describe('rests after faults', () => {
  it('double, and from the fifth fault on the circuit is open for ten seconds at a time', () => {
    const { waits, health } = rests(7)
    expect(waits).toEqual([250, 500, 1000, 2000, 10_000, 10_000, 10_000])
    expect(isOpen(health)).toBe(true)
  })

  it('are up to half as long again, by chance', () => {
    expect(rests(1, 1).waits).toEqual([375])
  })

  it('an open circuit lets one request through after its rest', () => {
    const { health } = rests(5)
    expect(isReady(health, health.readyAtMs - 1, 0)).toBe(false)
    expect(isReady(health, health.readyAtMs, 0)).toBe(true)
    expect(isReady(health, health.readyAtMs, 1)).toBe(false)
  })

  it('many requests that fail together are one fault', () => {
    let health = afterFailure(initialCircuit, at(1000, 900))
    for (let i = 0; i < 8; i++) health = afterFailure(health, at(1001 + i, 900))
    expect(health.failures).toBe(1)
    expect(health.readyAtMs).toBe(1250)
  })

  it('an answer ends the row, unless its question is older than the fault', () => {
    const health = afterFailure(initialCircuit, at(1000, 900))
    expect(afterSuccess(health, 950).failures).toBe(1)
    expect(afterSuccess(health, 1300).failures).toBe(0)
  })
})

describe('rests after rate limits', () => {
  it.each([
    [null, 1000],
    [7, 7000],
    [0, 250],
    [86_400, 300_000],
  ])('Retry-After %s means %s ms', (retryAfterSeconds, ms) => {
    expect(afterRateLimit(initialCircuit, retryAfterSeconds, at(0)).readyAtMs).toBe(ms)
  })

  it.each([
    [0, [1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]],
    [1, [1500, 3000, 6000, 12_000, 24_000, 30_000, 30_000]],
  ])('grow to half a minute at most where the node does not say, by chance %s', (random, rests) => {
    let health = initialCircuit
    const waits = rests.map(() => {
      const nowMs = Math.max(0, health.readyAtMs)
      health = afterRateLimit(health, null, at(nowMs, nowMs, random))
      return health.readyAtMs - nowMs
    })
    expect(waits).toEqual(rests)
    expect(isOpen(health)).toBe(false)
  })

  it('of many limited together the longest wish counts', () => {
    const first = afterRateLimit(initialCircuit, null, at(1000, 900))
    const second = afterRateLimit(first, 30, at(1001, 900))
    expect(second).toMatchObject({ rateLimits: 1, readyAtMs: 31_001 })
  })
})

describe('cooldowns after another chain', () => {
  /** One answer of another chain after the other, each as soon as it may be asked again. */
  const waitsOf = (
    count: number,
    between = (health: CircuitState) => health,
  ): readonly number[] => {
    let health = initialCircuit
    return Array.from({ length: count }, () => {
      const nowMs = Math.max(0, health.readyAtMs)
      health = afterWrongChain(between(health), at(nowMs))
      return health.readyAtMs - nowMs
    })
  }

  it('begin short and grow to five minutes', () => {
    expect(waitsOf(5)).toEqual([10_000, 40_000, 160_000, 300_000, 300_000])
  })

  it('grow, too, where answers of both chains take turns', () => {
    const answered = (health: CircuitState) => afterSuccess(health, health.readyAtMs)
    expect(waitsOf(5, answered)).toEqual([10_000, 40_000, 160_000, 300_000, 300_000])
  })

  it('end with the right answer, and begin short again after a quarter of an hour', () => {
    const first = afterWrongChain(afterWrongChain(initialCircuit, at(0)), at(10_000))
    const right = afterSuccess(first, 50_000)
    expect(right.cooldownReason).toBeNull()
    expect(afterWrongChain(right, at(910_000))).toMatchObject({ readyAtMs: 920_000 })
  })

  it('are one for many answers that arrive together', () => {
    const first = afterWrongChain(initialCircuit, at(1000, 900))
    expect(afterWrongChain(first, at(1001, 900))).toBe(first)
  })
})
