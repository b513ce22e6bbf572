import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'
import { sqrtRatioX96 } from '../math/sqrt-ratio.ts'
import { type RawAmounts, zeroAmounts } from './pool-state.ts'
import { lastTickAtOrBelow, type TickMap } from './tick-map.ts'
import { amount0Above, amount1Below, reservesFromTickMap } from './tick-map-reserves.ts'

/** How far the price moves for the amounts of `depthOf` (docs/methodology.md §4). */
export const depthPriceMove = 0.02

/** Parts of the price that the move is a whole number of. */
const priceParts = 1_000_000n
const moveParts = BigInt(Math.round(depthPriceMove * Number(priceParts)))
/** Factors of the √price when the price in token1, or the inverse price, moves. */
const token1Up = sqrtRatioX96(priceParts + moveParts, priceParts)
const token1Down = sqrtRatioX96(priceParts - moveParts, priceParts)
const token0Up = sqrtRatioX96(priceParts, priceParts - moveParts)
const token0Down = sqrtRatioX96(priceParts, priceParts + moveParts)

const multiplied = (sqrtPriceX96: bigint, factorX96: bigint): bigint =>
  (sqrtPriceX96 * factorX96) >> 96n

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** The liquidity around the price if it is the same for the whole move in both directions. */
const evenLiquidity = (map: TickMap, sqrtPriceX96: bigint): bigint | null => {
  const index = lastTickAtOrBelow(map, sqrtPriceX96)
  const [below, above] = [map.sqrtPricesX96[index], map.sqrtPricesX96[index + 1]]
  if (below === undefined || below > multiplied(sqrtPriceX96, token1Down)) return null
  if (above === undefined || above < multiplied(sqrtPriceX96, token0Up)) return null
  return map.liquidities[index] ?? 0n
}

/** At the same liquidity, paying in to raise a price takes less than lowering it pays out. */
const evenDepth = (liquidity: bigint, sqrtPriceX96: bigint): RawAmounts => {
  const spanTo = (factorX96: bigint) => ({
    sqrtPriceAX96: sqrtPriceX96,
    sqrtPriceBX96: multiplied(sqrtPriceX96, factorX96),
    liquidity,
  })
  return {
    amount0: amount0Delta(spanTo(token0Down), 'down'),
    amount1: amount1Delta(spanTo(token1Up), 'down'),
  }
}

const unevenDepth = (map: TickMap, sqrtPriceX96: bigint): RawAmounts => {
  const { amount0, amount1 } = reservesFromTickMap(map, sqrtPriceX96)
  const amount0At = (factorX96: bigint) => amount0Above(map, multiplied(sqrtPriceX96, factorX96))
  const amount1At = (factorX96: bigint) => amount1Below(map, multiplied(sqrtPriceX96, factorX96))
  return {
    amount0: smaller(amount0At(token0Down) - amount0, amount0 - amount0At(token0Up)),
    amount1: smaller(amount1At(token1Up) - amount1, amount1 - amount1At(token1Down)),
  }
}

/**
 * Per token, the amount of it that moves the price of the other token by `depthPriceMove`: paid in
 * to raise that price or taken out to lower it, whichever is less. At resting liquidity, without
 * fees: the reserves before and after the move. Never negative and never above the reserves.
 */
export const depthOf = (map: TickMap, sqrtPriceX96: bigint): RawAmounts => {
  if (map.ticks.length === 0) return zeroAmounts
  const even = evenLiquidity(map, sqrtPriceX96)
  if (even === 0n) return zeroAmounts
  const depth = even === null ? unevenDepth(map, sqrtPriceX96) : evenDepth(even, sqrtPriceX96)
  return depth.amount0 === 0n && depth.amount1 === 0n ? zeroAmounts : depth
}
