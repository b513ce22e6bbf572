import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import { applyLiquidityDelta, emptyTickMap, type TickMap } from '../pool/tick-map.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import { approximateDepth } from './tick-depth.ts'

type Mint = readonly [tickLower: number, tickUpper: number, liquidity: bigint]

const mapOf = (mints: readonly Mint[]): TickMap =>
  mints.reduce((map, [tickLower, tickUpper, liquidityDelta]) => {
    const after = applyLiquidityDelta(map, { tickLower, tickUpper, liquidityDelta })
    if (!after.known) throw new Error(after.reason)
    return after.value
  }, emptyTickMap)

const anyTick = fc.integer({ min: -200_000, max: 200_000 })
const anyMint: fc.Arbitrary<Mint> = fc
  .tuple(fc.uniqueArray(anyTick, { minLength: 2, maxLength: 2 }), fc.bigInt(10n ** 20n, 10n ** 26n))
  .map(([ticks, liquidity]) => [Math.min(...ticks), Math.max(...ticks), liquidity])
const anyMints = fc.array(anyMint, { minLength: 1, maxLength: 8 })

describe('the depth of a map', () => {
  it('is what it holds, to many digits', () => {
    fc.assert(
      fc.property(anyMints, anyTick, (mints, tick) => {
        const map = mapOf(mints)
        const truth = reservesFromTickMap(map, sqrtPriceAtTick(tick))
        const { amount0, amount1 } = approximateDepth(map, sqrtPriceAtTick(tick))
        // Of whole tokens of 18 decimals: differences below a millionth do not matter.
        for (const [depth, raw] of [
          [amount0, truth.amount0],
          [amount1, truth.amount1],
        ] as const) {
          expect(Math.abs(depth - Number(raw))).toBeLessThan(1e12 + Number(raw) * 1e-9)
        }
      }),
    )
  })

  it.each([
    ['on its lower end', -60, 1],
    ['on its upper end', 60, 0],
    ['below', -100, 1],
    ['above', 100, 0],
  ])('is on one side only when the price stands %s', (_, tick, share0) => {
    const { amount0, amount1 } = approximateDepth(
      mapOf([[-60, 60, 10n ** 18n]]),
      sqrtPriceAtTick(tick),
    )
    expect([amount0 > 0, amount1 > 0]).toEqual([share0 === 1, share0 === 0])
  })

  it('of an empty map is nothing', () => {
    expect(approximateDepth(emptyTickMap, 1n << 96n)).toEqual({ amount0: 0, amount1: 0 })
  })
})
