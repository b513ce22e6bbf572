import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'
import { type RawAmounts, zeroAmounts } from './pool-state.ts'
import { lastTickAtOrBelow, type TickMap } from './tick-map.ts'

/** How far the price moves for the amounts of `depthOf` (docs/methodology.md §4). */
export const depthPriceMove = 0.02

/** Parts of the price that the move is a whole number of. */
const priceParts = 1_000_000n
const moveParts = BigInt(Math.round(depthPriceMove * Number(priceParts)))
const q96 = 1n << 96n

/** floor(√value) by Newton's method. */
const integerSqrt = (value: bigint): bigint => {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** √(numerator / denominator), Q96. */
const sqrtRatioX96 = (numerator: bigint, denominator: bigint): bigint =>
  integerSqrt((numerator * q96 * q96) / denominator)

/** Factors of the √price when the price in token1, or the inverse price, moves. */
const token1Up = sqrtRatioX96(priceParts + moveParts, priceParts)
const token1Down = sqrtRatioX96(priceParts - moveParts, priceParts)
const token0Up = sqrtRatioX96(priceParts, priceParts - moveParts)
const token0Down = sqrtRatioX96(priceParts, priceParts + moveParts)

const multiplied = (sqrtPriceX96: bigint, factorX96: bigint): bigint =>
  (sqrtPriceX96 * factorX96) / q96

/** Amount of one token between two √prices, lower first, each segment rounded down. */
const amountBetween = (
  { sqrtPricesX96, liquidities, ticks }: TickMap,
  amountDelta: typeof amount0Delta,
  [lower, upper]: readonly [lower: bigint, upper: bigint],
): bigint => {
  const first = Math.max(0, lastTickAtOrBelow({ sqrtPricesX96 }, lower))
  let sum = 0n
  for (let index = first; index < ticks.length - 1; index++) {
    const liquidity = liquidities[index] ?? 0n
    const sqrtLowerX96 = sqrtPricesX96[index] ?? 0n
    const sqrtUpperX96 = sqrtPricesX96[index + 1] ?? 0n
    if (sqrtLowerX96 >= upper) break
    if (liquidity === 0n || sqrtUpperX96 <= lower) continue
    const sqrtPriceAX96 = sqrtLowerX96 > lower ? sqrtLowerX96 : lower
    const sqrtPriceBX96 = sqrtUpperX96 < upper ? sqrtUpperX96 : upper
    sum += amountDelta({ sqrtPriceAX96, sqrtPriceBX96, liquidity }, 'down')
  }
  return sum
}

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * Per token, the amount of it that moves the price of the other token by `depthPriceMove`: paid in
 * to raise that price or taken out to lower it, whichever is less. At resting liquidity, without
 * fees; looks at the ticks within the move only. Never negative and never above the reserves.
 */
export const depthOf = (map: TickMap, sqrtPriceX96: bigint): RawAmounts => {
  if (map.ticks.length === 0) return zeroAmounts
  const upTo = (factorX96: bigint) => [sqrtPriceX96, multiplied(sqrtPriceX96, factorX96)] as const
  const downTo = (factorX96: bigint) => [multiplied(sqrtPriceX96, factorX96), sqrtPriceX96] as const
  const amount0 = smaller(
    amountBetween(map, amount0Delta, downTo(token0Down)),
    amountBetween(map, amount0Delta, upTo(token0Up)),
  )
  const amount1 = smaller(
    amountBetween(map, amount1Delta, upTo(token1Up)),
    amountBetween(map, amount1Delta, downTo(token1Down)),
  )
  return amount0 === 0n && amount1 === 0n ? zeroAmounts : { amount0, amount1 }
}
