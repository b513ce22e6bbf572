import { amount0Delta, amount1Delta, rangeAmounts } from '../math/sqrt-price-math.ts'
import { createMemo } from '../memo.ts'
import { type RawAmounts, zeroAmounts } from './pool-state.ts'
import { lastTickAtOrBelow, type TickMap } from './tick-map.ts'

/*
 * Segments above the price hold token0, segments below it token1; only the segment with the price
 * holds both. Maps are immutable, so the sums of the other segments are cached as they are needed.
 *
 *              below1                price               above0
 *     t0 ------ t1 ------ t2 ----------x---- t3 ------ t4 ------ t5
 *      token1     token1    both              token0     token0
 */
type Sums = {
  /** By tick: token1 of all segments below it. */
  readonly below1: bigint[]
  /** By tick, from the last one: token0 of all segments above it. */
  readonly above0: bigint[]
}

/** More pools than trade at one time. */
const mapsMax = 2048

const sumsOf = createMemo(mapsMax, (_: TickMap): Sums => ({ below1: [0n], above0: [0n] }))

/** Amounts between a tick and the next one, rounded down. */
const amountsFrom = (map: TickMap, index: number, sqrtPriceX96: bigint): RawAmounts => {
  const liquidity = map.liquidities[index] ?? 0n
  const sqrtLowerX96 = map.sqrtPricesX96[index]
  const sqrtUpperX96 = map.sqrtPricesX96[index + 1]
  if (liquidity === 0n || sqrtLowerX96 === undefined || sqrtUpperX96 === undefined)
    return zeroAmounts
  return rangeAmounts({ sqrtLowerX96, sqrtUpperX96, liquidity }, sqrtPriceX96)
}

const sumBelow = (map: TickMap, { below1 }: Sums, index: number): bigint => {
  for (let tick = below1.length; tick <= index; tick++) {
    const { amount1 } = amountsFrom(map, tick - 1, map.sqrtPricesX96[tick] ?? 0n)
    below1.push((below1[tick - 1] ?? 0n) + amount1)
  }
  return below1[index] ?? 0n
}

const sumAbove = (map: TickMap, { above0 }: Sums, index: number): bigint => {
  const last = map.ticks.length - 1
  for (let tick = last - above0.length; tick >= index; tick--) {
    const { amount0 } = amountsFrom(map, tick, map.sqrtPricesX96[tick] ?? 0n)
    above0.push((above0[last - tick - 1] ?? 0n) + amount0)
  }
  return above0[last - index] ?? 0n
}

/** What the liquidity around a √price holds between its two next ticks: a part of the reserves. */
export const activeAmountsAt = (map: TickMap, sqrtPriceX96: bigint): RawAmounts =>
  amountsFrom(map, lastTickAtOrBelow(map, sqrtPriceX96), sqrtPriceX96)

/** Token0 above a √price that lies between this tick and the next one, segments rounded down. */
const amount0From = (map: TickMap, index: number, sqrtPriceX96: bigint): bigint => {
  const next = map.sqrtPricesX96[index + 1]
  if (next === undefined) return 0n
  const whole = sumAbove(map, sumsOf(map), index + 1)
  const liquidity = map.liquidities[index] ?? 0n
  const span = { sqrtPriceAX96: sqrtPriceX96, sqrtPriceBX96: next, liquidity }
  return liquidity === 0n ? whole : whole + amount0Delta(span, 'down')
}

/** Token1 below a √price that lies between this tick and the next one, segments rounded down. */
const amount1Until = (map: TickMap, index: number, sqrtPriceX96: bigint): bigint => {
  const tick = map.sqrtPricesX96[index]
  if (tick === undefined) return 0n
  const whole = sumBelow(map, sumsOf(map), index)
  const liquidity = map.liquidities[index] ?? 0n
  const span = { sqrtPriceAX96: tick, sqrtPriceBX96: sqrtPriceX96, liquidity }
  return liquidity === 0n ? whole : whole + amount1Delta(span, 'down')
}

/** Token0 of all positions at a √price, as in the reserves. */
export const amount0Above = (map: TickMap, sqrtPriceX96: bigint): bigint =>
  amount0From(map, lastTickAtOrBelow(map, sqrtPriceX96), sqrtPriceX96)

/** Token1 of all positions at a √price, as in the reserves. */
export const amount1Below = (map: TickMap, sqrtPriceX96: bigint): bigint =>
  amount1Until(map, lastTickAtOrBelow(map, sqrtPriceX96), sqrtPriceX96)

/**
 * Principal of all positions, in range or not, at a √price (Q64.96): raw amounts, each segment
 * between two ticks rounded down (docs/methodology.md §4). Never negative.
 */
export const reservesFromTickMap = (map: TickMap, sqrtPriceX96: bigint): RawAmounts => {
  if (map.ticks.length === 0) return zeroAmounts
  const index = lastTickAtOrBelow(map, sqrtPriceX96)
  return {
    amount0: amount0From(map, index, sqrtPriceX96),
    amount1: amount1Until(map, index, sqrtPriceX96),
  }
}
