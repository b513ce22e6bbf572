import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'
import {
  sqrtPriceAtTick,
  sqrtPriceMaxX96,
  sqrtPriceMinX96,
  tickMax,
  tickMin,
} from '../math/tick-math.ts'
import { depthOf, depthPriceMove } from './pool-depth.ts'
import type { RawAmounts } from './pool-state.ts'
import { applyLiquidityDelta, emptyTickMap, type TickMap } from './tick-map.ts'
import { reservesFromTickMap } from './tick-map-reserves.ts'

type Mint = readonly [tickLower: number, tickUpper: number, liquidity: bigint]

const mapOf = (mints: readonly Mint[]): TickMap =>
  mints.reduce((map, [tickLower, tickUpper, liquidityDelta]) => {
    const after = applyLiquidityDelta(map, { tickLower, tickUpper, liquidityDelta })
    if (!after.known) throw new Error(after.reason)
    return after.value
  }, emptyTickMap)

const anyTick = fc.integer({ min: -2_000, max: 2_000 })
const anyLiquidity = fc.bigInt(1n, 10n ** 26n)
const anyMint: fc.Arbitrary<Mint> = fc
  .tuple(fc.uniqueArray(anyTick, { minLength: 2, maxLength: 2 }), anyLiquidity)
  .map(([ticks, liquidity]) => [Math.min(...ticks), Math.max(...ticks), liquidity])
const anyMints = fc.array(anyMint, { minLength: 1, maxLength: 12 })
/** Between ticks and on them. */
const anyPrice = fc
  .tuple(anyTick, fc.constantFrom(0n, 1n, -1n, 10n ** 24n))
  .map(([tick, shift]) => sqrtPriceAtTick(tick) + shift)

/** √(numerator / denominator) of a √price, from the squared price: another way to the same. */
const moved = (sqrtPriceX96: bigint, numerator: bigint, denominator: bigint): bigint => {
  const square = (sqrtPriceX96 ** 2n * numerator) / denominator
  let [low, high] = [0n, 1n << 200n]
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (middle * middle <= square) low = middle
    else high = middle - 1n
  }
  return low
}

const limitsOf = (price: bigint) => ({
  up1: moved(price, 102n, 100n),
  down1: moved(price, 98n, 100n),
  up0: moved(price, 100n, 98n),
  down0: moved(price, 100n, 102n),
})

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** Position by position instead of segment by segment. */
const bruteForce = (mints: readonly Mint[], price: bigint): RawAmounts => {
  const { up1, down1, up0, down0 } = limitsOf(price)
  const sum = (delta: typeof amount0Delta, from: bigint, to: bigint): bigint =>
    mints.reduce((all, [tickLower, tickUpper, liquidity]) => {
      const [lower, upper] = [sqrtPriceAtTick(tickLower), sqrtPriceAtTick(tickUpper)]
      const [sqrtPriceAX96, sqrtPriceBX96] = [lower > from ? lower : from, lesser(upper, to)]
      if (sqrtPriceAX96 >= sqrtPriceBX96) return all
      return all + delta({ sqrtPriceAX96, sqrtPriceBX96, liquidity }, 'down')
    }, 0n)
  return {
    amount0: lesser(sum(amount0Delta, price, up0), sum(amount0Delta, down0, price)),
    amount1: lesser(sum(amount1Delta, price, up1), sum(amount1Delta, down1, price)),
  }
}

const difference = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a)

/** Roundings of the segments, and the last digits of the limits. */
const expectAlmost = (actual: RawAmounts, expected: RawAmounts): void => {
  for (const key of ['amount0', 'amount1'] as const) {
    const tolerance = 64n + expected[key] / 10n ** 12n
    expect(difference(actual[key], expected[key])).toBeLessThanOrEqual(tolerance)
  }
}

describe('depth', () => {
  it('is what all positions hold within the move, the smaller direction', () => {
    fc.assert(
      fc.property(anyMints, anyPrice, (mints, price) => {
        expectAlmost(depthOf(mapOf(mints), price), bruteForce(mints, price))
      }),
    )
  })

  it('is the difference of the reserves before and after the move', () => {
    fc.assert(
      fc.property(anyMints, anyPrice, (mints, price) => {
        const map = mapOf(mints)
        const at = (sqrtPriceX96: bigint) => reservesFromTickMap(map, sqrtPriceX96)
        const { up1, down1, up0, down0 } = limitsOf(price)
        const now = at(price)
        expectAlmost(depthOf(map, price), {
          amount0: lesser(at(down0).amount0 - now.amount0, now.amount0 - at(up0).amount0),
          amount1: lesser(at(up1).amount1 - now.amount1, now.amount1 - at(down1).amount1),
        })
      }),
    )
  })

  it('is never negative and never above what the pool holds', () => {
    fc.assert(
      fc.property(anyMints, anyPrice, (mints, price) => {
        const map = mapOf(mints)
        const [depth, held] = [depthOf(map, price), reservesFromTickMap(map, price)]
        for (const key of ['amount0', 'amount1'] as const) {
          expect(depth[key]).toBeGreaterThanOrEqual(0n)
          expect(depth[key]).toBeLessThanOrEqual(held[key])
        }
      }),
    )
  })

  it('does not see money beyond the move', () => {
    const far = fc.integer({ min: 300, max: 100_000 })
    fc.assert(
      fc.property(anyMints, far, fc.boolean(), anyLiquidity, (mints, distance, isAbove, much) => {
        const tick = isAbove ? 2_000 + distance : -2_000 - distance
        const added = [...mints, [tick, tick + 60, much * 10n ** 6n]] as const
        for (const at of [-2_000, -1, 0, 1_999]) {
          const price = sqrtPriceAtTick(at)
          expect(depthOf(mapOf(added), price)).toEqual(depthOf(mapOf(mints), price))
        }
      }),
    )
  })

  test.each([
    ['in the middle', 0],
    ['at a high price', 300_000],
    ['at a low price', -300_000],
  ])('of a full-range pool %s is L · √P · (√1.02 − 1)', (_, tick) => {
    const liquidity = 10n ** 30n
    const price = sqrtPriceAtTick(tick)
    const map = mapOf([[tickMin, tickMax, liquidity]])
    const root = Number(price) / 2 ** 96
    const share = Math.sqrt(1 + depthPriceMove) - 1
    const { amount0, amount1 } = depthOf(map, price)
    expect(Number(amount1) / (1e30 * root * share)).toBeCloseTo(1, 9)
    expect(Number(amount0) / ((1e30 / root) * share)).toBeCloseTo(1, 9)
  })

  it('of one unit in range and money far away is next to nothing', () => {
    const map = mapOf([
      [tickMin, tickMax, 1n],
      [6_000, 12_000, 10n ** 24n],
      [-12_000, -6_000, 10n ** 24n],
    ])
    expect(reservesFromTickMap(map, 1n << 96n).amount1).toBeGreaterThan(10n ** 23n)
    expect(depthOf(map, 1n << 96n)).toEqual({ amount0: 0n, amount1: 0n })
  })

  it('of money on one side of the price only is zero: nothing holds the other direction', () => {
    for (const range of [
      [-6_000, 0],
      [0, 6_000],
    ] as const) {
      const map = mapOf([[...range, 10n ** 24n]])
      expect(depthOf(map, 1n << 96n)).toEqual({ amount0: 0n, amount1: 0n })
    }
  })

  it('is continuous where the price crosses a tick', () => {
    fc.assert(
      fc.property(anyMints, anyTick, (mints, tick) => {
        const map = mapOf([...mints, [tick, tick + 10, 10n ** 20n]])
        const price = sqrtPriceAtTick(tick)
        const [below, on, above] = [price - 1n, price, price + 1n].map((at) => depthOf(map, at))
        for (const beside of [below, above]) {
          if (beside === undefined || on === undefined) throw new Error('no depth')
          expectAlmost(beside, on)
        }
      }),
    )
  })

  test.each([
    ['lowest', sqrtPriceMinX96],
    ['highest', sqrtPriceMaxX96],
  ])('at the %s price is zero: there is nothing beyond', (_, price) => {
    const map = mapOf([[tickMin, tickMax, 10n ** 30n]])
    expect(depthOf(map, price)).toEqual({ amount0: 0n, amount1: 0n })
  })

  it('of an empty map is zero', () => {
    expect(depthOf(emptyTickMap, 1n << 96n)).toEqual({ amount0: 0n, amount1: 0n })
  })
})
