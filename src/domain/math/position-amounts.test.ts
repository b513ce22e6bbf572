import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { positionAmounts } from '../../../test/support/domain/position-amounts.ts'
import { amount0Delta, amount1Delta } from './sqrt-price-math.ts'
import { sqrtPriceAtTick, sqrtPriceMaxX96, sqrtPriceMinX96, tickAtSqrtPrice } from './tick-math.ts'

describe('positionAmounts', () => {
  // 10^18 · (1.0001^30 − 1.0001^-30) = 5999709018652706.59…
  // 10^18 · (1 − 1.0001^-30)        = 2995354955910780.93…
  //
  //     tick   -120      -60       0       60      120
  //                       [----- liquidity -----)
  const position = { tickLower: -60, tickUpper: 60, liquidity: 10n ** 18n }

  it.each([
    ['below the range: all token0', -120, { amount0: 5_999_709_018_652_706n, amount1: 0n }],
    ['at its lower end: all token0', -60, { amount0: 5_999_709_018_652_706n, amount1: 0n }],
    [
      'in the middle: as much of both',
      0,
      { amount0: 2_995_354_955_910_780n, amount1: 2_995_354_955_910_780n },
    ],
    ['at its upper end: all token1', 60, { amount0: 0n, amount1: 5_999_709_018_652_706n }],
    ['above the range: all token1', 120, { amount0: 0n, amount1: 5_999_709_018_652_706n }],
  ])('%s', (_, tick, expected) => {
    expect(positionAmounts(position, sqrtPriceAtTick(tick))).toEqual(expected)
  })

  it('gives what the contracts give, which branch on the tick and not on the price', () => {
    // After a swap that ends on an initialised tick from above, the tick is one below the price.
    const byTick = (
      { tickLower, tickUpper, liquidity }: typeof position,
      { sqrtPriceX96, tick }: { sqrtPriceX96: bigint; tick: number },
    ) => {
      const [lower, upper] = [sqrtPriceAtTick(tickLower), sqrtPriceAtTick(tickUpper)]
      const amount0 = (from: bigint) =>
        amount0Delta({ sqrtPriceAX96: from, sqrtPriceBX96: upper, liquidity }, 'down')
      const amount1 = (to: bigint) =>
        amount1Delta({ sqrtPriceAX96: lower, sqrtPriceBX96: to, liquidity }, 'down')
      if (tick < tickLower) return { amount0: amount0(lower), amount1: 0n }
      if (tick >= tickUpper) return { amount0: 0n, amount1: amount1(upper) }
      return { amount0: amount0(sqrtPriceX96), amount1: amount1(sqrtPriceX96) }
    }
    const ticks = fc.integer({ min: -500, max: 500 })
    const prices = fc.oneof(
      fc
        .bigInt({ min: sqrtPriceAtTick(-600), max: sqrtPriceAtTick(600) })
        .map((sqrtPriceX96) => ({ sqrtPriceX96, tick: tickAtSqrtPrice(sqrtPriceX96) })),
      fc
        .record({ at: ticks, crossed: fc.integer({ min: 0, max: 1 }) })
        .map(({ at, crossed }) => ({ sqrtPriceX96: sqrtPriceAtTick(at), tick: at - crossed })),
    )
    const liquidities = fc.bigInt({ min: 0n, max: 1n << 100n })
    fc.assert(
      fc.property(ticks, ticks, liquidities, prices, (a, b, liquidity, price) => {
        fc.pre(a !== b)
        const range = { tickLower: Math.min(a, b), tickUpper: Math.max(a, b), liquidity }
        expect(positionAmounts(range, price.sqrtPriceX96)).toEqual(byTick(range, price))
      }),
      { numRuns: 1000 },
    )
  })

  it('holds one token only at the ends of all prices', () => {
    const whole = { tickLower: -887_220, tickUpper: 887_220, liquidity: 1n }
    expect(positionAmounts(whole, sqrtPriceMinX96).amount1).toBe(0n)
    expect(positionAmounts(whole, sqrtPriceMaxX96).amount0).toBe(0n)
  })
})
