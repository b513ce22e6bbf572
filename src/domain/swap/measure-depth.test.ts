import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Position, quotedPoolOf } from '../../../test/support/domain/quoted-pool.ts'
import { identityOf } from '../../../test/support/domain/sample-inputs.ts'
import { amountToApprox } from '../math/pool-price.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import { known, unknown } from '../reading.ts'
import { segmentsMax } from './liquidity-segments.ts'
import { measureDepth } from './measure-depth.ts'
import { quoteSwap } from './quote-swap.ts'
import type { QuotedPool } from './quoted-pool.ts'

const depthOf = (pool: QuotedPool, choice: 'none' | 'near' | 'all' = 'all') => {
  const depth = measureDepth(pool, choice)
  if (depth === null) throw new Error('no depth')
  return depth
}

const turned = { kind: 'canonical', stockIsToken0: false } as const
const prices = { stockPriceUsd: 2, otherPriceUsd: 4 }

describe('price bands', () => {
  it('are the amounts that move the price so far, whichever token is the stock', () => {
    const liquidity = 1e6
    for (const classification of [turned, { ...turned, stockIsToken0: true }]) {
      const { bands } = depthOf(quotedPoolOf({ classification, prices }))
      expect(bands.map(({ bps }) => bps)).toEqual([50, 100, 200, 500, 1000])
      for (const { bps, buy, sell } of bands) {
        const [up, down] = [Math.sqrt(1 + bps / 1e4), Math.sqrt(1 - bps / 1e4)]
        expect(buy.otherAmount).toBeCloseTo(liquidity * (up - 1), 6)
        expect(buy.stockAmount).toBeCloseTo(liquidity * (1 - 1 / up), 6)
        expect(sell.otherAmount).toBeCloseTo(liquidity * (1 - down), 6)
        expect(sell.stockAmount).toBeCloseTo(liquidity * (1 / down - 1), 6)
        expect(buy.usd).toBe(buy.otherAmount * 4)
        expect(sell.usd).toBe(sell.otherAmount * 4)
      }
    }
  })

  it('are worth the stock in a meme pool, and unknown without its price', () => {
    const classification = { kind: 'meme', stockIsToken0: true } as const
    const [band] = depthOf(quotedPoolOf({ classification, prices })).bands
    expect(band?.buy.usd).toBe((band?.buy.stockAmount ?? 0) * 2)
    const unpriced = { stockPriceUsd: null, otherPriceUsd: null }
    const [other] = depthOf(quotedPoolOf({ classification, prices: unpriced })).bands
    expect([other?.buy.usd, other?.sell.usd]).toEqual([null, null])
  })

  it('end with the liquidity', () => {
    const pool = quotedPoolOf({ positions: [[-60, 60, 10n ** 24n]] })
    const [, first, ...further] = depthOf(pool).bands
    for (const band of further) expect(band).toEqual({ ...first, bps: band.bps })
    const empty = depthOf(quotedPoolOf({ positions: [] })).bands
    const nothing = { stockAmount: 0, otherAmount: 0, usd: 0 }
    for (const { buy, sell } of empty) expect([buy, sell]).toEqual([nothing, nothing])
  })
})

describe('the order ladder', () => {
  it('is that of swap quotes', () => {
    const pool = quotedPoolOf({ prices })
    const { ladder } = depthOf(pool)
    expect(ladder.map(({ usd }) => usd)).toEqual([1_000, 10_000, 100_000, 1_000_000])
    for (const { usd, ...fills } of ladder) {
      for (const side of ['buy', 'sell'] as const) {
        const result = quoteSwap(pool, { side, amount: { of: 'usd', usd } })
        expect(result).toMatchObject({ value: { quote: fills[side] } })
      }
    }
  })

  it('has no fills without a price or a fee', () => {
    const none = { buy: null, sell: null }
    const unpriced = quotedPoolOf({ prices: { stockPriceUsd: null, otherPriceUsd: null } })
    expect(depthOf(unpriced).ladder[0]).toEqual({ usd: 1_000, ...none })
    const v4 = quotedPoolOf({ pool: { ...identityOf(), version: 'v4', protocol: 'uniswap-v4' } })
    expect(depthOf(v4).ladder[3]).toEqual({ usd: 1_000_000, ...none })
  })
})

describe('liquidity segments', () => {
  it('lie between neighbouring ticks, by ascending price of the stock', () => {
    const positions: readonly Position[] = [
      [-600, 600, 10n ** 20n],
      [-60, 1200, 10n ** 20n],
      [1800, 2400, 10n ** 20n],
    ]
    const ticksOf = (pool: QuotedPool) =>
      depthOf(pool).segments.map(({ tickLower, tickUpper }) => [tickLower, tickUpper])
    const ascending = [
      [-600, -60],
      [-60, 600],
      [600, 1200],
      [1800, 2400],
    ]
    const pool = quotedPoolOf({ positions })
    expect(ticksOf(pool)).toEqual(ascending)
    const other = quotedPoolOf({ positions, classification: turned })
    expect(ticksOf(other)).toEqual(ascending.toReversed())
    for (const { segments } of [depthOf(pool), depthOf(other)]) {
      for (const [at, segment] of segments.entries()) {
        expect(segment.priceLower).toBeLessThan(segment.priceUpper)
        const next = segments[at + 1]
        if (next !== undefined) expect(segment.priceUpper).toBeLessThanOrEqual(next.priceLower)
      }
    }
    expect(depthOf(pool).segments[0]?.priceUpper).toBeCloseTo(1.0001 ** -60, 9)
    expect(depthOf(other).segments[0]?.priceUpper).toBeCloseTo(1.0001 ** -1800, 9)
  })

  it('add up to the reserves', () => {
    const position = fc
      .tuple(fc.integer({ min: -60, max: 59 }), fc.integer({ min: 1, max: 60 }))
      .map(([lower, width]): Position => [lower * 60, (lower + width) * 60, 10n ** 21n])
    const drawn = fc.record({
      positions: fc.array(position, { maxLength: 9 }),
      tick: fc.integer({ min: -4000, max: 4000 }),
    })
    fc.assert(
      fc.property(drawn, (parts) => {
        const pool = quotedPoolOf({ ...parts, prices, decimals1: known(6) })
        const { segments } = depthOf(pool)
        const { price } = pool.pool
        if (pool.tickMap === null || price === null) throw new Error('no map')
        const held = reservesFromTickMap(pool.tickMap, price.sqrtPriceX96)
        const sumOf = (name: 'stockAmount' | 'otherAmount' | 'usd') =>
          segments.reduce((sum, segment) => sum + (segment[name] ?? 0), 0)
        const [stock, other] = [amountToApprox(held.amount0, 18), amountToApprox(held.amount1, 6)]
        expect(sumOf('stockAmount')).toBeCloseTo(stock, 6)
        expect(sumOf('otherAmount') / (other || 1)).toBeCloseTo(other === 0 ? 0 : 1, 9)
        expect(sumOf('usd') / (stock * 2 + other * 4 || 1)).toBeCloseTo(segments.length ? 1 : 0, 9)
      }),
    )
  })

  it('are those from half to twice the price, all, or none', () => {
    const positions: readonly Position[] = [
      [-12_000, -7_020, 1n],
      [-6_960, -6_900, 1n],
      [6_900, 6_960, 1n],
      [6_960, 12_000, 1n],
    ]
    const pool = quotedPoolOf({ positions })
    expect(depthOf(pool, 'near').segments.map(({ tickLower }) => tickLower)).toEqual([-6960, 6900])
    expect(depthOf(pool, 'all').segments).toHaveLength(4)
    expect(depthOf(pool, 'none').segments).toEqual([])
  })

  it.each([
    [0, -200, 199],
    [-29_000, -500, -101],
    [29_000, 100, 499],
  ])('are the nearest to tick %i if there are too many', (tick, first, last) => {
    const positions = Array.from(
      { length: 1_000 },
      (_, at): Position => [(at - 500) * 60, (at - 499) * 60, BigInt(at + 1)],
    )
    const { segments } = depthOf(quotedPoolOf({ positions, tick }))
    expect(segments).toHaveLength(segmentsMax)
    const ends = [segments[0]?.tickLower, segments.at(-1)?.tickLower]
    expect(ends).toEqual([first * 60, last * 60])
  })
})

describe('there is no depth', () => {
  it.each([
    { pool: { price: null } },
    { pool: { mapFault: 'index_gap' } },
    { pool: { mapFault: 'reserve_short' } },
    { isRebasing: true },
    { pool: { mapFault: 'hook_custom_accounting' } },
    { tickMap: null },
    { decimals0: unknown('unread') },
    { decimals1: unknown('unread') },
  ] as const)('with %o', (parts) => {
    expect(measureDepth(quotedPoolOf(parts), 'near')).toBeNull()
  })
})
