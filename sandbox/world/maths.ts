/**
 * Uniswap's formulas in floating point. They only choose what traders and providers attempt; the
 * contracts compute the result in exact integers.
 */

const tickBase = 1.0001
const q96 = 2 ** 96

/** TickMath's bounds, v3-core and v4-core alike. */
const tickMax = 887_272
export const sqrtPriceMin = 4_295_128_739n
export const sqrtPriceMax = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n

const sqrtPriceOfTick = (tick: number): number => tickBase ** (tick / 2)

/** `price` in raw units of token1 per raw unit of token0. */
const tickOfPrice = (price: number): number => Math.floor(Math.log(price) / Math.log(tickBase))

export function toSqrtPriceX96(price: number): bigint {
  const rounded = BigInt(Math.floor(Math.sqrt(price) * q96))
  return rounded <= sqrtPriceMin
    ? sqrtPriceMin + 1n
    : rounded >= sqrtPriceMax
      ? sqrtPriceMax - 1n
      : rounded
}

export const fromSqrtPriceX96 = (sqrtPriceX96: bigint): number => (Number(sqrtPriceX96) / q96) ** 2

export type TickRange = { readonly tickLower: number; readonly tickUpper: number }

/** Raw amounts in one unit of liquidity (v3 whitepaper 6.29 and 6.30). */
export function amountsPerLiquidity(
  price: number,
  range: TickRange,
): { readonly amount0: number; readonly amount1: number } {
  const [low, high] = [sqrtPriceOfTick(range.tickLower), sqrtPriceOfTick(range.tickUpper)]
  const at = Math.min(Math.max(Math.sqrt(price), low), high)
  return { amount0: 1 / at - 1 / high, amount1: at - low }
}

/** The range from `low` to `high` times the price, on the pool's grid and never empty. */
export function rangeAround(
  price: number,
  low: number,
  high: number,
  tickSpacing: number,
): TickRange {
  const onGrid = (tick: number): number => Math.floor(tick / tickSpacing) * tickSpacing
  const edge = onGrid(tickMax)
  const tickLower = Math.max(-edge, Math.min(onGrid(tickOfPrice(price * low)), edge - tickSpacing))
  const tickUpper = Math.min(edge, onGrid(tickOfPrice(price * high)) + tickSpacing)
  return { tickLower, tickUpper: Math.max(tickUpper, tickLower + tickSpacing) }
}

export function fullRange(tickSpacing: number): TickRange {
  const edge = Math.floor(tickMax / tickSpacing) * tickSpacing
  return { tickLower: -edge, tickUpper: edge }
}
