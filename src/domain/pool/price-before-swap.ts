import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'
import type { PoolSwapped } from './pool-event.ts'
import { lastTickAtOrBelow, type TickMap } from './tick-map.ts'

/*
 * What the pool paid has no fee in it: it is what its liquidity holds between the two prices.
 *
 *     token1 was paid: the price fell      token0 was paid: the price rose
 *     after ──────────────▶ before         before ◀────────────── after
 */

const climb = (map: TickMap, after: bigint, paid1: bigint): bigint => {
  let price = after
  let left = paid1
  for (let at = lastTickAtOrBelow(map, after); at < map.ticks.length - 1; at++) {
    const upper = map.sqrtPricesX96[at + 1] ?? price
    const liquidity = map.liquidities[at] ?? 0n
    const span = { sqrtPriceAX96: price, sqrtPriceBX96: upper, liquidity }
    const held = amount1Delta(span, 'down')
    if (left <= held) return liquidity === 0n ? price : price + (left << 96n) / liquidity
    left -= held
    price = upper
  }
  return price
}

const descend = (map: TickMap, after: bigint, paid0: bigint): bigint => {
  let price = after
  let left = paid0
  for (let at = lastTickAtOrBelow(map, after); at >= 0; at--) {
    const lower = map.sqrtPricesX96[at] ?? price
    const liquidity = map.liquidities[at] ?? 0n
    const span = { sqrtPriceAX96: lower, sqrtPriceBX96: price, liquidity }
    const held = amount0Delta(span, 'down')
    if (left <= held) {
      const scaled = liquidity << 96n
      return liquidity === 0n ? price : (price * scaled) / (scaled + left * price)
    }
    left -= held
    price = lower
  }
  return price
}

type Swap = Pick<PoolSwapped, 'amount0' | 'amount1' | 'sqrtPriceX96'>

/**
 * The √price before a swap, by the tick map of that time; across a range without liquidity any
 * price of it. Past swaps are read newest first, so that the swap before is not known yet.
 */
export const sqrtPriceBefore = (map: TickMap, { amount0, amount1, sqrtPriceX96 }: Swap): bigint => {
  if (amount1 < 0n) return climb(map, sqrtPriceX96, -amount1)
  return amount0 < 0n ? descend(map, sqrtPriceX96, -amount0) : sqrtPriceX96
}
