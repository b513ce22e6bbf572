import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  chainlinkEquityMaxAgeSeconds,
  clockAheadToleranceSeconds,
  policyDefault,
} from '../../src/domain/status/freshness.ts'
import { sessionAt } from '../../src/domain/stock/market-session.ts'
import { createWatch, iso, newYork } from './watch.ts'

/*
 *  true time      ----|----------|-------|--------->
 *  our clock      --------|  (jumps)  |----|------->   looks, then reads
 *
 * The world follows the true time; the writer and the API follow a clock that the test moves at
 * will, and the writer may die. What the rows say must also hold at the true time, except for the
 * error of that clock at the read: 30 s of it are tolerated (methodology §3), more is detected as
 * long as the writer lives, because then the world is ahead of us.
 */

const startTs = newYork('2026-09-14 09:30:00')
const { quoteMaxAgeSeconds, poolMaxAgeSeconds } = policyDefault

type Step = {
  /** True seconds since the step before. */
  readonly passed: number
  /** Our clock less the true one. */
  readonly error: number
  readonly isWriterAlive: boolean
  readonly isIssuerAlive: boolean
  readonly isOracleNew: boolean
}

const anyError = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  fc.integer({ min: -40, max: 40 }),
  fc.integer({ min: -8000, max: 8000 }),
)

const anyStep: fc.Arbitrary<Step> = fc.record({
  passed: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 5000 })),
  error: anyError,
  isWriterAlive: fc.boolean(),
  isIssuerAlive: fc.boolean(),
  isOracleNew: fc.boolean(),
})

const firstLook: Step = {
  passed: 0,
  error: 0,
  isWriterAlive: true,
  isIssuerAlive: true,
  isOracleNew: true,
}

/** Plays the steps; gives what is true and what is read at the last one. */
const play = async (steps: readonly Step[]) => {
  const watch = createWatch()
  let trueTs = startTs
  let issuerTs: number | null = null
  let oracleTs: number | null = null
  let stateTs: number | null = null
  let readOracleTs: number | null = null
  for (const step of [firstLook, ...steps]) {
    trueTs += step.passed
    if (step.isOracleNew) oracleTs = trueTs
    const row = { bid: '99.9', ask: '100.1', isTradingHalt: false, generatedAt: iso(trueTs) }
    const oracle = oracleTs === null ? null : { usd: 100, ts: oracleTs }
    watch.publish({ issuer: step.isIssuerAlive ? row : null, oracle })
    if (!step.isWriterAlive) continue
    await watch.look(trueTs + step.error, trueTs)
    stateTs = trueTs - 2
    readOracleTs = oracleTs
    if (step.isIssuerAlive) issuerTs = trueTs
  }
  const { error = 0, isWriterAlive = false } = steps.at(-1) ?? {}
  const rows = await watch.read(trueTs + error)
  const ageOf = (ts: number | null): number =>
    ts === null ? Number.POSITIVE_INFINITY : trueTs - ts
  const ages = { issuer: ageOf(issuerTs), oracle: ageOf(readOracleTs), state: ageOf(stateTs) }
  return { ...rows, ages, error, isWriterAlive, now: trueTs + error }
}

const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 6 })

/** By how much a clock that is behind makes things look younger than they are. */
const flatteryOf = (error: number): number => Math.max(0, -error)

test('no row looks fresher than the truth, but for the error of our clock', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { stock, pool, ages, error, now } = await play(steps)
      const flattery = flatteryOf(error)
      if (stock.dataStatus === 'fresh') {
        expect(ages.issuer).toBeLessThanOrEqual(quoteMaxAgeSeconds + flattery)
      }
      if (stock.quoteTs !== null && error >= 0) {
        const shown = stock.quoteSource === 'issuer' ? ages.issuer : ages.oracle
        expect(now - stock.quoteTs).toBeGreaterThanOrEqual(Math.min(shown, now))
      }
      if (pool.dataStatus === 'fresh' || pool.dataStatus === 'partial') {
        expect(ages.state).toBeLessThanOrEqual(poolMaxAgeSeconds + flattery)
      }
      if (pool.premiumBps !== null || pool.comparable) {
        expect(sessionAt(now)).not.toBe('closed')
        const isQuoted = ages.issuer <= quoteMaxAgeSeconds + flattery
        expect(isQuoted || ages.oracle <= chainlinkEquityMaxAgeSeconds + flattery).toBe(true)
      }
    }),
    { numRuns: 400 },
  )
})

test('a clock that is behind is found out while the world can be read', async () => {
  const behind = fc.integer({ min: clockAheadToleranceSeconds + 3, max: 100_000 })
  await fc.assert(
    fc.asyncProperty(anySteps, behind, async (steps, seconds) => {
      const last = { passed: 5, isWriterAlive: true, isIssuerAlive: true, isOracleNew: false }
      const { stock, pool } = await play([...steps, { ...last, error: -seconds }])
      expect(stock.dataStatus).not.toBe('fresh')
      expect(stock.statusReasons).toContain('clock_ahead')
      expect(pool.dataStatus).toBe('stale')
      expect(pool.statusReasons).toContain('clock_ahead')
      expect(pool.comparable).toBe(false)
    }),
    { numRuns: 200 },
  )
})

test('a stale quote does not become fresh again because the clock catches up', async () => {
  // Our clock goes back ten minutes after a good look and stays wrong. The issuer still quotes.
  const watch = createWatch()
  const say = (ts: number) =>
    watch.publish({
      issuer: { bid: '99.9', ask: '100.1', isTradingHalt: false, generatedAt: iso(ts) },
      oracle: null,
    })
  say(startTs)
  await watch.look(startTs)
  expect((await watch.read(startTs)).stock.dataStatus).toBe('fresh')
  for (const trueTs of [startTs + 5, startTs + 300, startTs + 590, startTs + 610, startTs + 640]) {
    say(trueTs)
    await watch.look(trueTs - 600, trueTs)
    const { stock, pool } = await watch.read(trueTs - 600)
    expect([stock.dataStatus, pool.dataStatus]).toEqual(['stale', 'stale'])
    expect(stock.statusReasons).toContain('clock_ahead')
    expect(pool.comparable).toBe(false)
  }
  say(startTs + 700)
  await watch.look(startTs + 700)
  expect((await watch.read(startTs + 700)).stock.dataStatus).toBe('fresh')
})

test('without a writer every row only grows older as the clock goes forward', async () => {
  const rank = ['fresh', 'partial', 'stale', 'unavailable']
  const anyWaits = fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 2, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(anyWaits, fc.boolean(), async (waits, hasOracle) => {
      const watch = createWatch()
      const row = { bid: '99.9', ask: '100.1', isTradingHalt: false, generatedAt: iso(startTs) }
      watch.publish({ issuer: row, oracle: hasOracle ? { usd: 100, ts: startTs - 60 } : null })
      await watch.look(startTs)
      let [stockRank, poolRank, age] = [0, 0, 0]
      let ts = startTs
      for (const wait of waits) {
        ts += wait
        const { stock, pool } = await watch.read(ts)
        // Within one session, where a feed that stands in is the only way up.
        const [nowStock, nowPool] = [stock, pool].map((each) => rank.indexOf(each.dataStatus))
        expect(nowStock).toBeGreaterThanOrEqual(stockRank)
        expect(nowPool).toBeGreaterThanOrEqual(poolRank)
        if (stock.quoteSource === 'issuer') {
          expect(ts - (stock.quoteTs ?? ts)).toBeGreaterThanOrEqual(age)
          age = ts - (stock.quoteTs ?? ts)
        }
        stockRank = nowStock ?? 0
        poolRank = nowPool ?? 0
      }
    }),
    { numRuns: 100 },
  )
})
