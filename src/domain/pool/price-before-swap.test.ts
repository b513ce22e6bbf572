import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSampleChain } from '../../../test/support/domain/sample-chain.ts'
import { poolOf, rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import { sqrtPriceAtTick } from '../math/tick-math.ts'
import { sqrtPriceBefore } from './price-before-swap.ts'
import { buildTickMap } from './tick-map.ts'
import { reservesFromTickMap } from './tick-map-reserves.ts'

const anyRange = fc
  .tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 40 }))
  .map(([from, width]) => [from * 60, (from + width) * 60] as const)
const anyPosition = fc.record({ range: anyRange, liquidity: fc.bigInt(10n ** 12n, 10n ** 24n) })
const anyTick = fc.integer({ min: -3_100, max: 5_500 })

test('a pool at the price before a swap holds what it held before it', () => {
  const ends = fc.record({ positions: fc.array(anyPosition, { maxLength: 6 }), before: anyTick })
  fc.assert(
    fc.property(ends, anyTick, ({ positions, before }, after) => {
      const { emit } = createSampleChain()
      const pool = poolOf(emit, 'v3', { token0: tokens.apple, token1: tokens.weth })
      pool.create(before === 0 ? rootPrice(1n) : sqrtPriceAtTick(before))
      for (const { range, liquidity } of positions) pool.mint(...range, liquidity)
      const held = pool.reserves()
      const sqrtPriceX96 = sqrtPriceAtTick(after)
      const amounts = pool.swapTo(sqrtPriceX96)
      const map = buildTickMap(pool.rows())
      if (!map.known) throw new Error(map.reason)
      const found = sqrtPriceBefore(map.value, { ...amounts, sqrtPriceX96 })
      const again = reservesFromTickMap(map.value, found)
      // Amounts are whole units, so that a price is known to within some of them.
      for (const side of ['amount0', 'amount1'] as const) {
        const error = Math.abs(Number(again[side] - held[side]))
        expect(error).toBeLessThanOrEqual(50 + Number(held[side]) * 1e-9)
      }
    }),
    { numRuns: 300 },
  )
})
