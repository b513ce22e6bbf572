import type { BlockNumber } from '../units.ts'
import type { PoolEvent, PoolPrice } from './pool-event.ts'
import { type PoolIdentity, stateAtCreation, unknownState } from './pool-state.ts'
import type { Candle, StoredLiquidityChange, StoredSwap } from './stored-rows.ts'
import { activeLiquidityAt, applyLiquidityDelta, type TickMap } from './tick-map.ts'
import { createTrackedPool, type TrackedPool } from './tracked-pool.ts'

/** A pool as it stood at a block of the past, as far as what came later tells. */
export type HistoricalPool = {
  readonly identity: PoolIdentity
  /** Null if what came later contradicts itself. */
  readonly tickMap: TickMap | null
  readonly price: PoolPrice | null
  /** Swaps came later: the price is that after the first of them, not the one that stood. */
  readonly isPriceLater: boolean
}

type LiquidityChange = Pick<StoredLiquidityChange, 'tickLower' | 'tickUpper' | 'liquidityDelta'>

/** The map before the last of its changes; null if there can have been none. */
const mapBefore = (map: TickMap | null, change: LiquidityChange): TickMap | null => {
  if (map === null) return null
  const undone = applyLiquidityDelta(map, { ...change, liquidityDelta: -change.liquidityDelta })
  return undone.known ? undone.value : null
}

/** A pool as of `block`, its changes after that block given newest first. */
export const historicalPoolAt = (
  { identity, state, tickMap }: TrackedPool,
  block: BlockNumber,
  changes: readonly LiquidityChange[],
): HistoricalPool => ({
  identity,
  tickMap: state.mapFault === 'index_gap' ? null : changes.reduce(mapBefore, tickMap),
  price: state.price,
  isPriceLater: state.lastSwapBlock !== null && state.lastSwapBlock > block,
})

/** One step further back: as of the block before these events of the pool, given in chain order. */
export const rewindPool = (pool: HistoricalPool, events: readonly PoolEvent[]): HistoricalPool => {
  let { tickMap, price, isPriceLater } = pool
  for (const event of events.toReversed()) {
    if (event.kind === 'liquidity-changed') tickMap = mapBefore(tickMap, event)
    if (event.kind === 'swapped') {
      price = { sqrtPriceX96: event.sqrtPriceX96, tick: event.tick }
      isPriceLater = true
    }
    if (event.kind === 'initialized') {
      price = null
      isPriceLater = false
    }
  }
  return { ...pool, tickMap, price, isPriceLater }
}

/** The pool as events after that block can be folded into it. */
export const trackHistoricalPool = ({ identity, tickMap, price }: HistoricalPool): TrackedPool => {
  const pool = createTrackedPool(identity, price)
  if (tickMap === null) {
    return { ...pool, state: { ...unknownState, price } }
  }
  const liquidity = price === null ? 0n : activeLiquidityAt(tickMap, price.tick)
  return { ...pool, tickMap, state: { ...stateAtCreation(price), liquidity } }
}

/**
 * Without the buckets that would show a price before it stood: those of a pool whose earlier price
 * nobody knows, up to its first swap.
 */
export const dropCandlesBeforeFirstPrice = (
  candles: readonly Candle[],
  pools: ReadonlyMap<number, HistoricalPool>,
  swaps: readonly StoredSwap[],
): readonly Candle[] => {
  const firstTs = new Map<number, number>()
  for (const { pool, ts } of swaps) if (!firstTs.has(pool)) firstTs.set(pool, ts)
  return candles.filter(({ pool, swaps: count, ts }) => {
    const isLater = pools.get(pool)?.isPriceLater ?? false
    return count > 0 || !isLater || ts >= (firstTs.get(pool) ?? Number.POSITIVE_INFINITY)
  })
}
