import type { BlockRef } from '../chain/block-ref.ts'
import { flatCandle, rawPrice, withSwap } from '../series/candles.ts'
import { bucketStart } from '../series/series-range.ts'
import type { BlockNumber, UnixSeconds } from '../units.ts'
import {
  type Candle,
  type CandleWidth,
  candleWidths,
  type StoredLiquidityChange,
  type StoredSwap,
} from './stored-rows.ts'
import { activeLiquidityAt, type TickMap } from './tick-map.ts'
import { createTickSums } from './tick-sums.ts'
import { hasWrongMap, type TrackedPool, withUpdatedAmounts } from './tracked-pool.ts'

/** Stored rows of a pool up to a block. */
export type PoolHistory = {
  /** The newest swap at or below the block. */
  readonly lastSwap: StoredSwap | null
  /** All stored changes of the pool, also those above the block, in chain order. */
  readonly changes: readonly StoredLiquidityChange[]
}

const mapOfChanges = (changes: readonly StoredLiquidityChange[]): TickMap | null => {
  const sums = createTickSums()
  for (const change of changes) sums.add(change)
  return sums.toMap()
}

const isSameMap = (one: TickMap, other: TickMap): boolean =>
  one.ticks.length === other.ticks.length &&
  one.ticks.every(
    (tick, index) =>
      tick === other.ticks[index] &&
      one.liquidities[index] === other.liquidities[index] &&
      one.grosses[index] === other.grosses[index],
  )

const isAfter = (change: StoredLiquidityChange, swap: StoredSwap): boolean =>
  change.block > swap.block || (change.block === swap.block && change.logIndex > swap.logIndex)

/**
 * The pool after `block`, rebuilt from its stored rows. Null if no swap of that time is stored, or
 * if the rows do not produce the present tick map, or if the settings are of a later block.
 */
export const poolAtBlock = (
  pool: TrackedPool,
  { lastSwap: swap, changes }: PoolHistory,
  block: BlockNumber,
): TrackedPool | null => {
  const { settings } = pool.state
  if (hasWrongMap(pool.state) || swap === null) return null
  if (settings !== null && settings.block > block) return null
  const now = mapOfChanges(changes)
  if (now === null || !isSameMap(now, pool.tickMap)) return null
  const map = mapOfChanges(changes.filter((change) => change.block <= block))
  if (map === null) return null
  const { sqrtPriceX96, tick, fee } = swap
  const liquidity = changes
    .filter((change) => change.block <= block && isAfter(change, swap))
    .filter(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper)
    .reduce((sum, { liquidityDelta }) => sum + liquidityDelta, swap.liquidity)
  if (liquidity !== activeLiquidityAt(map, tick)) return null
  return withUpdatedAmounts({
    identity: pool.identity,
    tickMap: map,
    state: {
      price: { sqrtPriceX96, tick },
      liquidity,
      reserves: null,
      depth: null,
      // Balances have no events: only a check ends `reserve_short`.
      mapFault: pool.state.mapFault,
      lastSwapTs: swap.ts,
      lastSwapBlock: swap.block,
      lastSwapFee: fee,
      fees: pool.state.fees,
      settings,
    },
  })
}

/** Activity of a pool in the candles that are open at a block. */
export type PoolActivity = {
  /** Swaps from the start of the block's day up to the block, in chain order. */
  readonly swaps: readonly StoredSwap[]
  /** Time of the last liquidity change at or below the block. */
  readonly changedTs: UnixSeconds | null
  /** Time of the pool's first price; null if other activity suffices. */
  readonly pricedTs: UnixSeconds | null
}

/** The pool's candles that contain a block, as they were when it was the last block. */
export const openCandlesAt = (
  pool: TrackedPool,
  { ts }: BlockRef,
  { swaps, changedTs, pricedTs }: PoolActivity,
): readonly Candle[] => {
  const { price } = pool.state
  if (price === null) return []
  const bucketOf = (width: CandleWidth): readonly Candle[] => {
    const startTs = bucketStart(ts, width)
    const own = swaps.filter((swap) => swap.ts >= startTs)
    const movedTs = Math.max(changedTs ?? -1, pricedTs ?? -1)
    if (own.length === 0 && movedTs < startTs) return []
    const flat = flatCandle(pool, rawPrice(price.sqrtPriceX96), startTs)
    return [own.reduce(withSwap, { ...flat, width, ts: startTs })]
  }
  return candleWidths.flatMap(bucketOf)
}
