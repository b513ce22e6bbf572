import type { RawAmounts } from '../pool/pool-state.ts'
import { divide, type Rounding } from './divide.ts'

/**
 * Token amounts between two √prices, bit for bit as Uniswap's SqrtPriceMath and FullMath
 * (v3-core and v4-core). A bigint cannot overflow, nor does a valid pool in the contracts.
 */

/** Liquidity that is usable between two √prices (Q64.96), given in either order. */
export type LiquiditySpan = {
  readonly sqrtPriceAX96: bigint
  readonly sqrtPriceBX96: bigint
  readonly liquidity: bigint
}

const q96Less1 = (1n << 96n) - 1n

const ordered = ({ sqrtPriceAX96: a, sqrtPriceBX96: b, liquidity }: LiquiditySpan) => {
  if (liquidity < 0n) throw new RangeError(`liquidity ${liquidity} is negative`)
  const [lower, upper] = a < b ? [a, b] : [b, a]
  if (lower < 0n) throw new RangeError(`√price ${lower} is negative`)
  return { lower, upper, liquidity }
}

/**
 * SqrtPriceMath.getAmount0Delta, unsigned form: liquidity · (1/√lower − 1/√upper), raw token0.
 * @throws RangeError for negative liquidity or a √price of zero: bugs, not data.
 */
export const amount0Delta = (span: LiquiditySpan, rounding: Rounding): bigint => {
  const { lower, upper, liquidity } = ordered(span)
  if (lower === 0n) throw new RangeError('√price is zero, so the amount of token0 is infinite')
  // The contract divides by one √price and then by the other. Rounding the same way twice is
  // rounding once, and one division takes two thirds of the time.
  return divide((liquidity << 96n) * (upper - lower), upper * lower, rounding)
}

/**
 * SqrtPriceMath.getAmount1Delta, unsigned form: liquidity · (√upper − √lower), raw token1.
 * @throws RangeError for negative liquidity or √price: bugs, not data.
 */
export const amount1Delta = (span: LiquiditySpan, rounding: Rounding): bigint => {
  const { lower, upper, liquidity } = ordered(span)
  const scaled = liquidity * (upper - lower)
  // A shift instead of a division by 2^96 takes a third of the time; each candle calls this.
  return (rounding === 'up' ? scaled + q96Less1 : scaled) >> 96n
}

/** Liquidity between two √prices (Q64.96), lower first. */
type SqrtPriceRange = {
  readonly sqrtLowerX96: bigint
  readonly sqrtUpperX96: bigint
  readonly liquidity: bigint
}

/**
 * What liquidity on a range holds at a √price, raw, each side rounded down: above the price lies
 * token0, below it token1 (docs/methodology.md §4).
 */
export const rangeAmounts = (range: SqrtPriceRange, sqrtPriceX96: bigint): RawAmounts => {
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
