import { sqrtPriceAtTick } from '../../../src/domain/math/tick-math.ts'
import type { PoolPrice } from '../../../src/domain/pool/pool-event.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  emptyTickMap,
} from '../../../src/domain/pool/tick-map.ts'
import type { SwapPool } from '../../../src/domain/swap/simulate-swap.ts'

export type Position = readonly [tickLower: number, tickUpper: number, liquidity: bigint]

export const priceAtTick = (tick: number): PoolPrice => ({
  sqrtPriceX96: sqrtPriceAtTick(tick),
  tick,
})

/** A pool that holds these positions. */
export const poolWith = (
  price: PoolPrice,
  tickSpacing: number,
  positions: readonly Position[],
): SwapPool => {
  let tickMap = emptyTickMap
  for (const [tickLower, tickUpper, liquidityDelta] of positions) {
    const change = { tickLower, tickUpper, liquidityDelta }
    const changed = applyLiquidityDelta(tickMap, change)
    if (!changed.known) throw new Error(changed.reason)
    tickMap = changed.value
  }
  return { price, liquidity: activeLiquidityAt(tickMap, price.tick), tickMap, tickSpacing }
}
