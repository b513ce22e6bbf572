import { rangeAmounts } from '../../../src/domain/math/sqrt-price-math.ts'
import { sqrtPriceAtTick } from '../../../src/domain/math/tick-math.ts'
import type { RawAmounts } from '../../../src/domain/pool/pool-state.ts'

type PositionRange = {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/**
 * The principal that burning a position yields: v3 `UniswapV3Pool.burn`, v4 `Pool.modifyLiquidity`,
 * without fees. The contracts branch on the current tick, this on the √price; where they could
 * differ (the price stands on a boundary that was crossed downwards) both give the same amounts.
 * @throws RangeError for ticks out of range or negative liquidity: bugs, not data.
 */
export const positionAmounts = (position: PositionRange, sqrtPriceX96: bigint): RawAmounts =>
  rangeAmounts(
    {
      sqrtLowerX96: sqrtPriceAtTick(position.tickLower),
      sqrtUpperX96: sqrtPriceAtTick(position.tickUpper),
      liquidity: position.liquidity,
    },
    sqrtPriceX96,
  )
