import type { ContractState } from '../dex/protocol.ts'
import { nativeAddress } from '../units.ts'
import type { PoolEvent, PoolLiquidityChanged, PoolSwapped } from './pool-event.ts'
import {
  type PoolIdentity,
  type PoolNumber,
  type PoolState,
  type RawAmounts,
  type ReserveFault,
  stateAtCreation,
  unknownState,
  zeroAmounts,
} from './pool-state.ts'
import type { StoredTick } from './stored-rows.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  buildTickMap,
  emptyTickMap,
  listTicks,
  type Tick,
  type TickMap,
} from './tick-map.ts'
import { reservesFromTickMap } from './tick-map-reserves.ts'

/** A pool as the index holds it: what it is, what its events made of it, where its liquidity is. */
export type TrackedPool = {
  readonly identity: PoolIdentity
  readonly state: PoolState
  readonly tickMap: TickMap
}

/** The pool's ticks as the store keeps them. */
export const toStoredTicks = ({ identity, tickMap }: TrackedPool): readonly StoredTick[] =>
  listTicks(tickMap).map((tick) => ({ pool: identity.number, ...tick }))

export const createTrackedPool = (
  identity: PoolIdentity,
  initial: PoolState['price'],
): TrackedPool => ({
  identity,
  state: stateAtCreation(initial),
  tickMap: emptyTickMap,
})

type Created = Extract<PoolEvent, { kind: 'created' }>

export const createPoolIdentity = (event: Created, number: PoolNumber): PoolIdentity => ({
  number,
  id: event.poolId,
  version: event.version,
  venue: event.venue,
  key: event.key,
  createdBlock: event.at.block,
  createdTs: event.at.ts,
})

/** Ticks that make no map are a fault of the index, said as such instead of served as reserves. */
export const toTrackedPool = (
  row: PoolIdentity & PoolState,
  ticks: readonly Tick[],
): TrackedPool => {
  const { number, id, version, venue, key, createdBlock, createdTs } = row
  const { price, liquidity, reserves, mapFault, lastSwapTs, lastSwapBlock, lastSwapFee } = row
  const map = buildTickMap(ticks)
  const told = map.known
    ? { reserves, mapFault }
    : { reserves: null, mapFault: 'index_gap' as const }
  return {
    identity: { number, id, version, venue, key, createdBlock, createdTs },
    state: { price, liquidity, ...told, lastSwapTs, lastSwapBlock, lastSwapFee },
    tickMap: map.known ? map.value : emptyTickMap,
  }
}

const isHooked = ({ identity }: TrackedPool): boolean =>
  identity.key.hooks !== null && identity.key.hooks !== nativeAddress

/**
 * What a swap reveals about the map (methodology §4): the event tells the in-range liquidity, so
 * a map that says otherwise has missed something; a hooked pool that trades although both know
 * of no liquidity is served by its hook.
 */
const faultOfSwap = (pool: TrackedPool, event: PoolSwapped): ReserveFault | null => {
  if (pool.state.mapFault !== null) return pool.state.mapFault
  if (activeLiquidityAt(pool.tickMap, event.tick) !== event.liquidity) return 'index_gap'
  return pool.tickMap.ticks.length === 0 && isHooked(pool) ? 'hook_custom_accounting' : null
}

const swapped = (
  pool: TrackedPool,
  event: Extract<PoolEvent, { kind: 'swapped' }>,
): TrackedPool => ({
  identity: pool.identity,
  state: {
    price: { sqrtPriceX96: event.sqrtPriceX96, tick: event.tick },
    liquidity: event.liquidity,
    reserves: pool.state.reserves,
    mapFault: faultOfSwap(pool, event),
    lastSwapTs: event.at.ts,
    lastSwapBlock: event.at.block,
    lastSwapFee: event.fee,
  },
  tickMap: pool.tickMap,
})

const liquidityChanged = (pool: TrackedPool, event: PoolLiquidityChanged): TrackedPool => {
  const { state } = pool
  const map = applyLiquidityDelta(pool.tickMap, event)
  const tick = state.price?.tick
  const isInRange = tick !== undefined && event.tickLower <= tick && tick < event.tickUpper
  const liquidity = isInRange ? state.liquidity + event.liquidityDelta : state.liquidity
  const isBroken = !map.known || liquidity < 0n
  return {
    ...pool,
    tickMap: map.known ? map.value : pool.tickMap,
    state: {
      ...state,
      liquidity: liquidity < 0n ? 0n : liquidity,
      mapFault: state.mapFault ?? (isBroken ? 'index_gap' : null),
    },
  }
}

/** The pool after one more of its events. Its reserves are brought up to date by `withReserves`. */
export const applyPoolEvent = (pool: TrackedPool, event: PoolEvent): TrackedPool => {
  switch (event.kind) {
    case 'swapped':
      return swapped(pool, event)
    case 'liquidity-changed':
      return liquidityChanged(pool, event)
    case 'initialized': {
      const { sqrtPriceX96, tick } = event
      return { ...pool, state: { ...pool.state, price: { sqrtPriceX96, tick } } }
    }
    case 'created':
      return pool
  }
}

/** The pool's reserves by its map; null where the map does not tell them. */
export const computeReserves = ({ state, tickMap }: TrackedPool): RawAmounts | null => {
  if (state.mapFault !== null) return null
  return state.price === null ? zeroAmounts : reservesFromTickMap(tickMap, state.price.sqrtPriceX96)
}

/** The pool with its reserves by the map: apart, because computing them pays only per bucket. */
export const withUpdatedReserves = (pool: TrackedPool): TrackedPool => ({
  ...pool,
  state: { ...pool.state, reserves: computeReserves(pool) },
})

/**
 * A pool whose map was folded from its liquidity events, with the state that its contract tells at
 * the map's last block. A contract that does not tell, or tells another in-range liquidity than
 * the map, leaves the pool to be rebuilt (methodology §4, §8).
 */
export const withOnchainState = (
  pool: TrackedPool,
  contract: ContractState | null,
): TrackedPool => {
  if (contract === null) return { ...pool, state: unknownState }
  const { sqrtPriceX96, tick, liquidity } = contract
  const price = sqrtPriceX96 === 0n ? null : { sqrtPriceX96, tick }
  const isAgreed = price === null || activeLiquidityAt(pool.tickMap, tick) === liquidity
  const mapFault = pool.state.mapFault ?? (isAgreed ? null : 'index_gap')
  return withUpdatedReserves({ ...pool, state: { ...stateAtCreation(price), liquidity, mapFault } })
}
