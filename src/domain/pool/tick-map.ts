import { isTick, sqrtPriceAtTick } from '../math/tick-math.ts'
import { createMemo } from '../memo.ts'
import { known, type Reading, unknown } from '../reading.ts'
import type { PoolLiquidityChanged } from './pool-event.ts'

/**
 * A pool's liquidity over all prices, computed from its events. Immutable.
 *
 *     ticks              t0        t1        t2
 *     liquidities         |   L0    |   L1    |  0
 *
 * Every liquidity is >= 0, the last is 0, and every gross is > 0 (a tick without a position is
 * dropped, as in the contracts).
 */
export type TickMap = {
  readonly ticks: readonly number[]
  /** √price (Q64.96) of each tick, cached because it is expensive to compute. */
  readonly sqrtPricesX96: readonly bigint[]
  /** In-range liquidity from each tick to the next. */
  readonly liquidities: readonly bigint[]
  /** `liquidityGross` of each tick: the liquidity of all positions that begin or end there. */
  readonly grosses: readonly bigint[]
}

/** One entry of the contracts' `ticks` mapping; gross 0 means that the tick is empty. */
export type Tick = { readonly tick: number; readonly net: bigint; readonly gross: bigint }

/** Why events or rows cannot be the complete history of a pool; usually some are missing. */
export type TickMapFault =
  | 'tick_out_of_range'
  | 'ticks_not_ordered'
  | 'liquidity_negative'
  | 'liquidity_endless'

export const emptyTickMap: TickMap = {
  ticks: [],
  sqrtPricesX96: [],
  liquidities: [],
  grosses: [],
}

/** Pools share many position bounds, above all those of the full range. */
const ticksMax = 8192
const sqrtPriceOf = createMemo(ticksMax, sqrtPriceAtTick)

/** Index of the first tick >= `tick`; the number of ticks if there is none. */
const indexFrom = (ticks: readonly number[], tick: number): number => {
  let low = 0
  let high = ticks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ticks[middle] ?? 0) < tick) low = middle + 1
    else high = middle
  }
  return low
}

/** Index of the last tick at or below a √price (Q64.96); -1 if there is none. */
export const lastTickAtOrBelow = (
  { sqrtPricesX96 }: Pick<TickMap, 'sqrtPricesX96'>,
  sqrtPriceX96: bigint,
): number => {
  let low = 0
  let high = sqrtPricesX96.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sqrtPricesX96[middle] ?? 0n) <= sqrtPriceX96) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Index of the last tick at or below a tick; -1 if there is none. */
export const lastTickUpTo = ({ ticks }: Pick<TickMap, 'ticks'>, tick: number): number =>
  indexFrom(ticks, tick + 1) - 1

const liquidityFrom = (map: Pick<TickMap, 'liquidities'>, index: number): bigint =>
  map.liquidities[index] ?? 0n

const tickAtIndex = (map: TickMap, index: number): Tick => ({
  tick: map.ticks[index] ?? 0,
  net: liquidityFrom(map, index) - liquidityFrom(map, index - 1),
  gross: map.grosses[index] ?? 0n,
})

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** Liquidity that begins here, (gross + net) / 2, and ends here, (gross − net) / 2, is >= 0. */
const isPossible = ({ net, gross }: Tick): boolean => magnitude(net) <= gross

const withTick = (map: TickMap, tick: number): TickMap => {
  const index = indexFrom(map.ticks, tick)
  if (map.ticks[index] === tick) return map
  return {
    ticks: map.ticks.toSpliced(index, 0, tick),
    sqrtPricesX96: map.sqrtPricesX96.toSpliced(index, 0, sqrtPriceOf(tick)),
    liquidities: map.liquidities.toSpliced(index, 0, liquidityFrom(map, index - 1)),
    grosses: map.grosses.toSpliced(index, 0, 0n),
  }
}

const withoutEmptyTick = (map: TickMap, index: number): TickMap =>
  map.grosses[index] === 0n
    ? {
        ticks: map.ticks.toSpliced(index, 1),
        sqrtPricesX96: map.sqrtPricesX96.toSpliced(index, 1),
        liquidities: map.liquidities.toSpliced(index, 1),
        grosses: map.grosses.toSpliced(index, 1),
      }
    : map

/**
 * Applies a liquidity change (v3 `Mint`, `Burn`; v4 `ModifyLiquidity`). Unknown if no Uniswap pool
 * can have emitted the event; `before` never changes.
 */
export const applyLiquidityDelta = (
  before: TickMap,
  change: Pick<PoolLiquidityChanged, 'tickLower' | 'tickUpper' | 'liquidityDelta'>,
): Reading<TickMap, TickMapFault> => {
  const { tickLower, tickUpper, liquidityDelta } = change
  if (!isTick(tickLower) || !isTick(tickUpper)) return unknown('tick_out_of_range')
  if (tickLower >= tickUpper) return unknown('ticks_not_ordered')
  if (liquidityDelta === 0n) return known(before)

  const widened = withTick(withTick(before, tickLower), tickUpper)
  const lower = indexFrom(widened.ticks, tickLower)
  const upper = indexFrom(widened.ticks, tickUpper)
  const liquidities = widened.liquidities.slice()
  for (let index = lower; index < upper; index++) {
    const liquidity = liquidityFrom(widened, index) + liquidityDelta
    if (liquidity < 0n) return unknown('liquidity_negative')
    liquidities[index] = liquidity
  }
  const grosses = widened.grosses.slice()
  for (const index of [lower, upper]) grosses[index] = (grosses[index] ?? 0n) + liquidityDelta

  const after = { ...widened, liquidities, grosses }
  if (!isPossible(tickAtIndex(after, lower)) || !isPossible(tickAtIndex(after, upper))) {
    return unknown('liquidity_negative')
  }
  return known(withoutEmptyTick(withoutEmptyTick(after, upper), lower))
}

/** In-range liquidity at a tick; the contract's `liquidity` must be equal. */
export const activeLiquidityAt = (map: TickMap, tick: number): bigint =>
  liquidityFrom(map, lastTickUpTo(map, tick))

/** One tick of the map; zeros if no position begins or ends there. */
export const getTick = (map: TickMap, tick: number): Tick => {
  const index = indexFrom(map.ticks, tick)
  return map.ticks[index] === tick ? tickAtIndex(map, index) : { tick, net: 0n, gross: 0n }
}

/** Rows of the map, by ascending tick. */
export const listTicks = (map: TickMap): readonly Tick[] =>
  map.ticks.map((_, index) => tickAtIndex(map, index))

/** Builds a map from rows in any order, each tick once; empty ticks are skipped. */
export const buildTickMap = (rows: readonly Tick[]): Reading<TickMap, TickMapFault> => {
  const ascending = rows
    .filter(({ net, gross }) => net !== 0n || gross !== 0n)
    .sort((a, b) => a.tick - b.tick)
  if (ascending.length === 0) return known(emptyTickMap)
  // Allocated at its final size: a growing array reserves more than most pools need.
  const liquidities = ascending.map(() => 0n)
  let liquidity = 0n
  let tickBefore = Number.NEGATIVE_INFINITY
  for (const [index, row] of ascending.entries()) {
    if (!isTick(row.tick)) return unknown('tick_out_of_range')
    if (row.tick === tickBefore) return unknown('ticks_not_ordered')
    liquidity += row.net
    if (liquidity < 0n || !isPossible(row)) return unknown('liquidity_negative')
    liquidities[index] = liquidity
    tickBefore = row.tick
  }
  if (liquidity !== 0n) return unknown('liquidity_endless')
  return known({
    ticks: ascending.map((row) => row.tick),
    sqrtPricesX96: ascending.map((row) => sqrtPriceOf(row.tick)),
    liquidities,
    grosses: ascending.map((row) => row.gross),
  })
}
