import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measureRange, type RangedPool, type RangePath } from './measure-range.ts'
import { feesOf, type PathSwap } from './path-swap.ts'
import { amountsAt, rangeBetween, rootsOf } from './range-position.ts'

const pair = { stockIsToken0: true, decimals0: 18, decimals1: 6 }
const toTs = 1_000_000
const fromTs = toTs - 86_400

/** √price of a stock of this many dollars. */
const rootFor = (price: number): number => Math.sqrt(price * 1e-12)

const rangedOf = (rest: Partial<RangedPool> & { lower: number; upper: number }): RangedPool => {
  const { lower, upper, ...own } = rest
  const range = rangeBetween({ lower, upper }, pair, 10)
  const price = own.stockPriceUsd ?? 200
  return {
    ...{ pair, roots: rootsOf(range), usd: 1_000, isValuedByStock: false, fault: null },
    ...{ root: rootFor(price), stockPriceUsd: price, otherPriceUsd: 1 },
    ...own,
  }
}

/** A swap between two prices through liquidity `liquidity`, with a fee of 0.3 %. */
const swapOf = (before: number, after: number, liquidity: number, ts: number): PathSwap => {
  const [from, to] = [rootFor(before), rootFor(after)]
  const isUp = to > from
  const gross = (amount: number): number => amount / 0.997
  const amount0 = isUp ? -liquidity * (1 / from - 1 / to) : gross(liquidity * (1 / to - 1 / from))
  const amount1 = isUp ? gross(liquidity * (to - from)) : -liquidity * (from - to)
  return {
    ...{ ts, before: from, after: to, amount0, amount1, liquidity },
    ...{ wholeFee: 0.003, lpPart: 0.003, usd: Math.abs(amount1) / 1e6 },
  }
}

const pathOf = (prices: readonly number[], liquidity = 1e15): RangePath => {
  const [first = 200] = prices
  const step = 86_400 / prices.length
  const swaps = prices
    .slice(1)
    .map((price, at) =>
      swapOf(prices[at] ?? first, price, liquidity, Math.round(fromTs + step * (at + 1))),
    )
  return { fromTs, toTs, complete: true, start: rootFor(first), swaps, reasons: [] }
}

const anyPrices = fc.array(fc.double({ min: 150, max: 260, noNaN: true }), {
  minLength: 2,
  maxLength: 30,
})
const anyRange = fc
  .tuple(
    fc.double({ min: 100, max: 240, noNaN: true }),
    fc.double({ min: 5, max: 200, noNaN: true }),
  )
  .map(([lower, width]) => ({ lower, upper: lower + width }))

describe('what a range earns', () => {
  test('of a swap by liquidity so small is its fee growth, whatever ticks it crossed', () => {
    fc.assert(
      fc.property(
        anyPrices,
        anyRange,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (prices, at, cut) => {
          const [before = 0, after = 0] = prices
          if (Math.abs(before - after) < 1e-6) return
          const middle = before + (after - before) * (0.1 + 0.8 * cut)
          const [one, two] = [swapOf(before, middle, 1e15, 0), swapOf(middle, after, 4e15, 0)]
          const crossed = {
            ...two,
            before: one.before,
            amount0: one.amount0 + two.amount0,
            amount1: one.amount1 + two.amount1,
            usd: (one.usd ?? 0) + (two.usd ?? 0),
          }
          const roots = rootsOf(rangeBetween(at, pair, 10))
          const alone = feesOf(crossed, roots, 1)?.raw ?? 0
          const parts = [one, two].map((swap) => feesOf(swap, roots, 1)?.raw ?? 0)
          expect(alone).toBeCloseTo((parts[0] ?? 0) + (parts[1] ?? 0), 9)
        },
      ),
    )
  })

  test('is added up over ranges side by side', () => {
    fc.assert(
      fc.property(anyPrices, anyRange, ([before = 0, after = 0], { lower, upper }) => {
        const swap = swapOf(before, after, 1e15, 0)
        const [low, middle, high] = [lower, (lower + upper) / 2, upper].map(rootFor)
        const ends = [
          { lower: low ?? 0, upper: high ?? 0 },
          { lower: low ?? 0, upper: middle ?? 0 },
          { lower: middle ?? 0, upper: high ?? 0 },
        ]
        const [whole = 0, one = 0, two = 0] = ends.map((each) => feesOf(swap, each, 1e10)?.raw ?? 0)
        expect(whole).toBeCloseTo(one + two, -Math.floor(Math.log10(whole + 1)) + 9)
      }),
    )
  })

  test('is never more than the fees, and less by the dollar the more dollars there are', () => {
    fc.assert(
      fc.property(
        anyPrices,
        anyRange,
        fc.double({ min: 1, max: 1e9, noNaN: true }),
        (prices, at, usd) => {
          const path = pathOf(prices)
          const all = path.swaps.reduce((sum, swap) => sum + (swap.usd ?? 0) * 0.003, 0)
          const ranged = rangedOf({ ...at, usd })
          const [some, more] = [ranged, { ...ranged, usd: usd * 3 }].map((each) =>
            measureRange(each, path),
          )
          expect(some?.feesUsd ?? 0).toBeLessThanOrEqual(all * (1 + 1e-9))
          expect(more?.feeApr ?? 0).toBeLessThanOrEqual((some?.feeApr ?? 0) * (1 + 1e-9))
        },
      ),
    )
  })
})

describe('a position', () => {
  test('is never worth more than the tokens kept, by the price of the pool', () => {
    fc.assert(
      fc.property(anyPrices, anyRange, (prices, at) => {
        const last = prices.at(-1) ?? 0
        const { versusHoldingBps, heldUsd, positionUsd } = measureRange(
          rangedOf({ ...at, root: rootFor(last), stockPriceUsd: last }),
          pathOf(prices),
        )
        expect(versusHoldingBps).toBeLessThanOrEqual(1e-6)
        expect((positionUsd ?? 0) - (heldUsd ?? 0)).toBeLessThanOrEqual((heldUsd ?? 0) * 1e-9)
      }),
    )
  })

  test('of the whole range loses what a pool of x · y loses: 2√k / (1 + k)', () => {
    const whole = { lower: 1e-20, upper: 1e20 }
    const { versusHoldingBps } = measureRange(
      rangedOf({ ...whole, root: rootFor(400), stockPriceUsd: 400 }),
      pathOf([100, 400]),
    )
    expect(versusHoldingBps).toBeCloseTo(10_000 * ((2 * Math.sqrt(4)) / 5 - 1), 3)
  })

  test('is worth its dollars at the start, while the price has not moved', () => {
    const path = { ...pathOf([200]), swaps: [] }
    const { heldUsd, positionUsd, inRangeShare, feesUsd, reasons } = measureRange(
      rangedOf({ lower: 180, upper: 220 }),
      path,
    )
    expect([heldUsd, positionUsd].map((usd) => Math.round(usd ?? 0))).toEqual([1000, 1000])
    expect([inRangeShare, feesUsd, reasons]).toEqual([1, 0, []])
  })

  test('is in range for the part of the time that the price was', () => {
    const path = pathOf([200, 300, 200, 300])
    expect(measureRange(rangedOf({ lower: 180, upper: 220 }), path).inRangeShare).toBe(0.5)
    expect(measureRange(rangedOf({ lower: 280, upper: 320 }), path).inRangeShare).toBe(0.5)
  })
})

describe('what is not known', () => {
  const path = pathOf([200, 210, 190])
  const ranged = rangedOf({ lower: 180, upper: 220 })
  const each = (rest: Partial<PathSwap>): RangePath => ({
    ...path,
    swaps: path.swaps.map((swap) => ({ ...swap, ...rest })),
  })

  test.each([
    ['a fee', ranged, each({ lpPart: null }), ['fee_unknown']],
    ['the value of the swaps', ranged, each({ usd: null }), ['swap_unpriced']],
    [
      'who gets the fees',
      { ...ranged, fault: 'reserve_rebasing' as const },
      path,
      ['reserve_rebasing'],
    ],
  ])('%s: no fees, but time and loss', (_, pool, swaps, reasons) => {
    const result = measureRange(pool, swaps)
    expect(result).toMatchObject({
      feesStock: null,
      feesUsd: null,
      feeApr: null,
      netUsd: null,
      reasons,
    })
    expect(result.inRangeShare).toBe(1)
    expect(result.versusHoldingBps).not.toBeNull()
  })

  test('a price of the row: no dollars of today', () => {
    const { heldUsd, feesUsd, reasons } = measureRange({ ...ranged, otherPriceUsd: null }, path)
    expect([heldUsd, reasons]).toEqual([null, ['other_price_missing']])
    expect(feesUsd).toBeGreaterThan(0)
  })
})

test('a range lies at ticks of the pool, in the order of the price of the stock', () => {
  fc.assert(
    fc.property(
      anyRange,
      fc.boolean(),
      fc.constantFrom(1, 10, 60, 200),
      (at, stockIsToken0, spacing) => {
        const own = {
          ...pair,
          stockIsToken0,
          ...(stockIsToken0 ? {} : { decimals0: 6, decimals1: 18 }),
        }
        const range = rangeBetween(at, own, spacing)
        expect([range.tickLower % spacing, range.tickUpper % spacing].map(Math.abs)).toEqual([0, 0])
        expect(range.tickUpper).toBeGreaterThan(range.tickLower)
        const near = 1.0001 ** (spacing / 2 + 1)
        expect(range.priceLower).toBeGreaterThan(at.lower / near)
        expect(range.priceLower).toBeLessThan(at.lower * near)
        const { amount0, amount1 } = amountsAt(rootsOf(range), rootsOf(range).lower)
        expect([amount0 > 0, amount1]).toEqual([true, 0])
      },
    ),
  )
})
