import type { RawAmounts } from '../pool/pool-state.ts'
import { amount0Delta, amount1Delta } from './sqrt-price-math.ts'
import { sqrtPriceAtTick } from './tick-math.ts'

export type PositionRange = {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/** Liquidity between two √prices (Q64.96), lower first. */
export type SqrtPriceRange = {
  readonly sqrtLowerX96: bigint
  readonly sqrtUpperX96: bigint
  readonly liquidity: bigint
}

/**
 * What liquidity on a range holds at a √price, raw, each side rounded down: above the price lies
 * token0, below it token1 (docs/methodology.md §4).
 */
export const amountsOfRange = (range: SqrtPriceRange, sqrtPriceX96: bigint): RawAmounts => {
  const { sqrtLowerX96: lower, sqrtUpperX96: upper, liquidity } = range
  const split = sqrtPriceX96 < lower ? lower : sqrtPriceX96 > upper ? upper : sqrtPriceX96
  return {
    amount0:
      split === upper
        ? 0n
        : amount0Delta({ sqrtPriceAX96: split, sqrtPriceBX96: upper, liquidity }, 'down'),
    amount1:
      split === lower
        ? 0n
        : amount1Delta({ sqrtPriceAX96: lower, sqrtPriceBX96: split, liquidity }, 'down'),
  }
}

/**
 * The principal that burning a position yields: v3 `UniswapV3Pool.burn`, v4 `Pool.modifyLiquidity`,
 * without fees. The contracts branch on the current tick, this on the √price; where they could
 * differ (the price stands on a boundary that was crossed downwards) both give the same amounts.
 * @throws RangeError for ticks out of range or negative liquidity: bugs, not data.
 */
export const positionAmounts = (position: PositionRange, sqrtPriceX96: bigint): RawAmounts =>
  amountsOfRange(
    {
      sqrtLowerX96: sqrtPriceAtTick(position.tickLower),
      sqrtUpperX96: sqrtPriceAtTick(position.tickUpper),
      liquidity: position.liquidity,
    },
    sqrtPriceX96,
  )
