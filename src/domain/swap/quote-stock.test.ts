import { describe, expect, it } from 'vitest'
import { quotedPoolOf } from '../../../test/support/domain/quoted-pool.ts'
import { addressOf, identityOf } from '../../../test/support/domain/sample-inputs.ts'
import { known } from '../reading.ts'
import { quoteStock, type StockOrder } from './quote-stock.ts'
import { quoteSwap } from './quote-swap.ts'
import type { QuotedPool } from './quoted-pool.ts'
import type { StockPools } from './stock-pools.ts'

/** At tick 0 one stock token costs one other token. */
const poolOf = (id: number, parts: Parameters<typeof quotedPoolOf>[0] = {}): QuotedPool =>
  quotedPoolOf({ ...parts, pool: { ...identityOf({ id: addressOf(id) }), ...parts.pool } })

const poolsOf = (...pools: readonly QuotedPool[]): StockPools => ({
  pools,
  bestPoolId: null,
  excluded: [],
})

const buyFor = (usd: number): StockOrder => ({ side: 'buy', amount: { usd } })
const whole = (digits: bigint, decimals = 0) => ({ whole: { digits, decimals } })

const answerOf = (pools: StockPools, order: StockOrder) => {
  const result = quoteStock(pools, order)
  if (!result.ok) throw new Error(result.fault.kind)
  return result.value
}

const quoteOf = (pools: StockPools, order: StockOrder) => {
  const { quote, reasons } = answerOf(pools, order)
  if (quote === null) throw new Error(reasons.join())
  return quote
}

const faultOf = (pools: StockPools, order: StockOrder) => {
  const result = quoteStock(pools, order)
  return result.ok ? null : result.fault
}

const twins = poolsOf(poolOf(1), poolOf(2))

describe('an order in the pools of a stock', () => {
  it('has legs that are the swap quotes of their pools', () => {
    for (const order of [
      buyFor(5000),
      { side: 'buy', amount: whole(5000n) },
      { side: 'sell', amount: whole(5000n) },
      { side: 'sell', amount: { usd: 5000 } },
    ] as const) {
      const { legs, exact, side } = quoteOf(twins, order)
      expect(legs).toHaveLength(2)
      for (const { share, ...leg } of legs) {
        expect(share).toBeCloseTo(0.5, 9)
        const pool = twins.pools.find((each) => each.pool.id === leg.poolId) ?? poolOf(1)
        const raw = BigInt(exact === 'input' ? leg.amountInRaw : leg.amountOutRaw)
        const of = (side === 'buy') === (exact === 'input') ? 'other' : 'stock'
        expect(quoteSwap(pool, { side, amount: { of, raw } })).toMatchObject({
          value: { quote: leg },
        })
      }
    }
  })

  it('adds up to exactly the stock of the order', () => {
    for (const side of ['buy', 'sell'] as const) {
      const { legs, exact, ...quote } = quoteOf(twins, { side, amount: whole(12345678901n, 7) })
      expect(quote).toMatchObject({ filled: true, stockAmountRaw: '1234567890100000000000' })
      const parts = legs.map((leg) =>
        BigInt(exact === 'input' ? leg.amountInRaw : leg.amountOutRaw),
      )
      expect(parts.reduce((a, b) => a + b)).toBe(1234567890100000000000n)
    }
  })

  it('pays the dollars of the order in tokens of any decimals and price', () => {
    const cents = poolOf(3, {
      tick: -276_324,
      positions: [[-300_000, -200_040, 10n ** 18n]],
      decimals1: known(6),
    })
    const quote = quoteOf(poolsOf(poolOf(1), cents), buyFor(2000))
    expect(quote.legs.map(({ share }) => share).reduce((a, b) => a + b)).toBeCloseTo(1, 12)
    expect(quote.usd).toBeCloseTo(2000, 9)
    expect(quote.legs.map(({ amountIn }) => amountIn ?? 0).reduce((a, b) => a + b)).toBeCloseTo(
      2000,
      5,
    )
  })

  it('counts the stock to sell for dollars by the mid price', () => {
    const prices = { stockPriceUsd: 4, otherPriceUsd: 4 }
    const quote = quoteOf(poolsOf(poolOf(1, { prices })), { side: 'sell', amount: { usd: 1000 } })
    expect(quote).toMatchObject({ exact: 'input', stockAmount: 250, midPriceUsd: 4 })
    expect(quote.executionPriceUsd).toBeCloseTo(4 * 0.997, 2)
    expect(quote.costBps).toBeCloseTo(32.48, 1)
    expect(quote.priceImpactBps).toBeCloseTo(2.49, 1)
  })

  it('saves against the best single pool, and nothing if one pool is best', () => {
    const two = quoteOf(twins, buyFor(50_000))
    // Half of the order moves √price half as far: 0.025 instead of 0.05, which costs as much less.
    expect(two.savedBps).toBeGreaterThan(240)
    expect(two.savedBps).toBeLessThan(260)
    expect(twins.pools.map(({ pool }) => pool.id)).toContain(two.singlePoolId)
    const one = quoteOf(poolsOf(poolOf(1)), buyFor(50_000))
    expect([one.savedBps, one.legs[0]?.share]).toEqual([0, 1])
  })

  it('costs less than nothing where other pools are cheaper than the best pool', () => {
    const cheap = poolOf(2, { tick: -500, prices: { stockPriceUsd: 0.951, otherPriceUsd: 1 } })
    const pools = { ...poolsOf(cheap, poolOf(1)), bestPoolId: addressOf(1) }
    const { costBps, midPriceUsd } = quoteOf(pools, buyFor(100))
    expect(midPriceUsd).toBe(1)
    expect(costBps).toBeLessThan(-400)
  })

  it('is filled as far as the liquidity of all pools goes, which no single pool can be', () => {
    const quote = quoteOf(twins, buyFor(1e12))
    expect(quote).toMatchObject({ filled: false, savedBps: null, singlePoolId: null })
    expect(quote.legs.map(({ filled }) => filled)).toEqual([false, false])
  })
})

describe('pools that take no part', () => {
  const gone = { poolId: addressOf(9), reason: 'hook_unreviewed' } as const

  it('are named with those that were left out before', () => {
    const pools = { ...poolsOf(poolOf(1), poolOf(2, { tickMap: null })), excluded: [gone] }
    const { excluded, quote } = answerOf(pools, buyFor(100))
    expect(excluded).toEqual([gone, { poolId: addressOf(2), reason: 'index_gap' }])
    expect(quote?.legs.map(({ poolId }) => poolId)).toEqual([addressOf(1)])
  })

  it('leave no answer if there are no others', () => {
    const noFee = poolOf(1, { pool: { version: 'v4', protocol: 'uniswap-v4', fees: null } })
    const answer = answerOf({ ...poolsOf(noFee), excluded: [gone] }, buyFor(100))
    expect(answer).toMatchObject({ quote: null, reasons: ['no_usable_pool'], assumptions: [] })
    expect(answer.excluded).toEqual([gone, { poolId: addressOf(1), reason: 'fee_unknown' }])
    const noPrice = poolOf(1, { prices: { stockPriceUsd: 1, otherPriceUsd: null } })
    expect(answerOf(poolsOf(noPrice), buyFor(100)).excluded).toMatchObject([
      { reason: 'usd_price_missing' },
    ])
  })
})

it('names what the stock and the tokens of its pools cannot express', () => {
  const sold = (digits: bigint, decimals: number): StockOrder => ({
    side: 'sell',
    amount: whole(digits, decimals),
  })
  expect(faultOf(twins, sold(1n, 19))).toEqual({ kind: 'too-many-decimals', decimals: 18 })
  expect(faultOf(twins, sold(10n ** 60n, 0))).toEqual({ kind: 'too-large' })
  expect(faultOf(twins, buyFor(1e-19))).toEqual({ kind: 'too-small' })
  expect(faultOf(twins, { side: 'sell', amount: { usd: 1e-19 } })).toEqual({ kind: 'too-small' })
  expect(quoteOf(twins, buyFor(1e-18))).toMatchObject({ legs: [], filled: false, stockAmount: 0 })
})
