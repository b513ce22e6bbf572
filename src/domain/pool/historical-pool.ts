import { getProtocol } from '../dex/find-protocol.ts'
import type { BlockNumber } from '../units.ts'
import { type PoolEvent, type PoolPrice, setsFees } from './pool-event.ts'
import { type PoolFees, type PoolIdentity, stateAtCreation, unknownState } from './pool-state.ts'
import type { Candle, StoredLiquidityChange, StoredSwap } from './stored-rows.ts'
import { activeLiquidityAt, applyLiquidityDelta, type TickMap } from './tick-map.ts'
import { createTrackedPool, type TrackedPool } from './tracked-pool.ts'

/** A pool at an earlier block, derived from its present state and later events. */
export type HistoricalPool = {
  readonly identity: PoolIdentity
  /** Null if the later events contradict each other. */
  readonly tickMap: TickMap | null
  readonly price: PoolPrice | null
  /** A swap followed: `price` is the price after it, not the one at the block. */
  readonly isPriceLater: boolean
  /**
   * Those that held then and do so still, by logs or since the creation; null if they changed, and
   * it is not known when.
   */
  readonly fees: PoolFees | null
}

type LiquidityChange = Pick<StoredLiquidityChange, 'tickLower' | 'tickUpper' | 'liquidityDelta'>

/** The tick map before its last change; null if that is impossible. */
const mapBefore = (map: TickMap | null, change: LiquidityChange): TickMap | null => {
  if (map === null) return null
  const undone = applyLiquidityDelta(map, { ...change, liquidityDelta: -change.liquidityDelta })
  return undone.known ? undone.value : null
}

const heldFees = (
  { fees }: TrackedPool['state'],
  { protocol, createdBlock }: PoolIdentity,
  block: BlockNumber,
): PoolFees | null => {
  const { fee, logsLpFee } = getProtocol(protocol)
  // The part of the protocol alone changes there: that of the past is taken to be as it is known.
  if (fee === 'key') return fees
  const sinceMax = logsLpFee ? block : createdBlock
  return fees !== null && fees.block <= sinceMax ? fees : null
}

/** The pool at `block`; `changes` are those after it, newest first. */
export const historicalPoolAt = (
  { identity, state, tickMap }: TrackedPool,
  block: BlockNumber,
  changes: readonly LiquidityChange[],
): HistoricalPool => ({
  identity,
  tickMap: state.mapFault === 'index_gap' ? null : changes.reduce(mapBefore, tickMap),
  price: state.price,
  isPriceLater: state.lastSwapBlock !== null && state.lastSwapBlock > block,
  fees: heldFees(state, identity, block),
})

/** The pool before these events, which are in chain order. */
export const rewindPool = (pool: HistoricalPool, events: readonly PoolEvent[]): HistoricalPool => {
  let { tickMap, price, isPriceLater, fees } = pool
  for (const event of events.toReversed()) {
    if (event.kind === 'liquidity-changed') tickMap = mapBefore(tickMap, event)
    if (setsFees(event) && getProtocol(pool.identity.protocol).fee === 'state') fees = null
    if (event.kind === 'swapped') {
      price = { sqrtPriceX96: event.sqrtPriceX96, tick: event.tick }
      isPriceLater = true
    }
    if (event.kind === 'initialized') {
      price = null
      isPriceLater = false
    }
  }
  return { ...pool, tickMap, price, isPriceLater, fees }
}

/** A tracked pool to which the events after that block can be applied. */
export const trackHistoricalPool = (historical: HistoricalPool): TrackedPool => {
  const { identity, tickMap, price, fees } = historical
  const pool = createTrackedPool(identity, price)
  if (tickMap === null) {
    return { ...pool, state: { ...unknownState, price, fees } }
  }
  const liquidity = price === null ? 0n : activeLiquidityAt(tickMap, price.tick)
  return { ...pool, tickMap, state: { ...stateAtCreation(price), liquidity, fees } }
}

/**
 * Drops the candles before the first swap of each pool whose earlier price is unknown: they would
 * show a later price.
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
