import { invertRatio, priceRatio, toApprox } from '../math/pool-price.ts'
import { rangeAmounts } from '../math/sqrt-price-math.ts'
import type { RawAmounts } from '../pool/pool-state.ts'
import { lastTickUpTo } from '../pool/tick-map.ts'
import type { LiquiditySegment, SegmentChoice } from '../views/pool-depth.ts'
import type { SwappablePool } from './quoted-pool.ts'
import { type SideAmounts, usdOfBoth } from './side-amounts.ts'

/** Promised by docs/api.md. */
export const segmentsMax = 400

/** 1.0001^6932 is just above 2: `near` is from half to twice the price. */
const nearTicks = 6_932

/** Indices of the map's ticks at which segments with liquidity begin. */
const listIndices = ({ pool, tickMap }: SwappablePool, choice: SegmentChoice): number[] => {
  const { ticks, liquidities } = tickMap
  const { tick } = pool.price
  const reach = choice === 'near' ? nearTicks : Number.POSITIVE_INFINITY
  const indices: number[] = []
  for (const [index, lower] of ticks.entries()) {
    const upper = ticks[index + 1]
    if (upper === undefined || liquidities[index] === 0n) continue
    if (lower < tick + reach && upper > tick - reach) indices.push(index)
  }
  return indices
}

/** The segments around the price if there are too many. */
const nearest = (quoted: SwappablePool, indices: number[]): readonly number[] => {
  const present = lastTickUpTo(quoted.tickMap, quoted.pool.price.tick)
  const at = indices.findIndex((index) => index >= present)
  const middle = at === -1 ? indices.length : at
  const first = Math.min(middle - segmentsMax / 2, indices.length - segmentsMax)
  return indices.slice(Math.max(0, first)).slice(0, segmentsMax)
}

/**
 * What the liquidity holds between neighbouring ticks with positions, by ascending price of the
 * stock: at most `segmentsMax`, those around the price. Segments without liquidity are left out.
 */
export const listSegments = (
  quoted: SwappablePool,
  choice: SegmentChoice,
  toSides: (raw: RawAmounts) => SideAmounts,
): readonly LiquiditySegment[] => {
  if (choice === 'none') return []
  const { pool, tickMap, classification, decimals0, decimals1 } = quoted
  if (!decimals0.known || !decimals1.known) return []
  const { stockIsToken0 } = classification
  const priceAt = (sqrtPriceX96: bigint): number => {
    const ratio = priceRatio(sqrtPriceX96, decimals0.value, decimals1.value)
    return toApprox(stockIsToken0 ? ratio : invertRatio(ratio))
  }
  const segments = nearest(quoted, listIndices(quoted, choice)).map((index) => {
    const [tickLower = 0, tickUpper = 0] = tickMap.ticks.slice(index, index + 2)
    const [sqrtLowerX96 = 0n, sqrtUpperX96 = 0n] = tickMap.sqrtPricesX96.slice(index, index + 2)
    const liquidity = tickMap.liquidities[index] ?? 0n
    const range = { sqrtLowerX96, sqrtUpperX96, liquidity }
    const sides = toSides(rangeAmounts(range, pool.price.sqrtPriceX96))
    const [lower, upper] = [priceAt(sqrtLowerX96), priceAt(sqrtUpperX96)]
    return {
      tickLower,
      tickUpper,
      priceLower: stockIsToken0 ? lower : upper,
      priceUpper: stockIsToken0 ? upper : lower,
      liquidity: liquidity.toString(),
      ...sides,
      usd: usdOfBoth(quoted, sides),
    }
  })
  return stockIsToken0 ? segments : segments.reverse()
}
