import { getProtocol } from '../dex/find-protocol.ts'
import type { ContractState } from '../dex/protocol.ts'
import { type BlockNumber, nativeAddress } from '../units.ts'
import { depthOf } from './pool-depth.ts'
import type { EventPosition, PoolEvent, PoolLiquidityChanged, PoolSwapped } from './pool-event.ts'
import { feeOfSwap, feesAfterRead, feesAfterUpdate, feesAtCreation } from './pool-fees.ts'
import { settingsAfter, settingsAtCreation } from './pool-settings.ts'
import {
  type ContractFees,
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

/** A pool in the indexer. */
export type TrackedPool = {
  readonly identity: PoolIdentity
  readonly state: PoolState
  readonly tickMap: TickMap
}

/** Rows of the pool's ticks for the store. */
export const toStoredTicks = ({ identity, tickMap }: TrackedPool): readonly StoredTick[] =>
  listTicks(tickMap).map((tick) => ({ pool: identity.number, ...tick }))

export const createTrackedPool = (
  identity: PoolIdentity,
  initial: PoolState['price'],
): TrackedPool => ({
  identity,
  state: stateAtCreation(initial, {
    fees: feesAtCreation(identity),
    settings: settingsAtCreation(identity),
  }),
  tickMap: emptyTickMap,
})

type Created = Extract<PoolEvent, { kind: 'created' }>

export const createPoolIdentity = (event: Created, number: PoolNumber): PoolIdentity => ({
  number,
  id: event.poolId,
  version: getProtocol(event.protocol).version,
  protocol: event.protocol,
  venue: event.venue,
  key: event.key,
  createdBlock: event.at.block,
  createdTs: event.at.ts,
})

/** Ticks that form no valid map set `index_gap` instead of producing wrong reserves. */
export const toTrackedPool = (
  row: PoolIdentity & PoolState,
  ticks: readonly Tick[],
): TrackedPool => {
  const { number, id, version, protocol, venue, key, createdBlock, createdTs } = row
  const { price, liquidity, lastSwapTs, lastSwapBlock, lastSwapFee, fees, settings } = row
  const map = buildTickMap(ticks)
  const { reserves, depth, mapFault } = map.known ? row : unknownState
  return {
    identity: { number, id, version, protocol, venue, key, createdBlock, createdTs },
    state: {
      ...{ price, liquidity, reserves, depth, mapFault },
      ...{ lastSwapTs, lastSwapBlock, lastSwapFee, fees, settings },
    },
    tickMap: map.known ? map.value : emptyTickMap,
  }
}

const isHooked = ({ identity }: TrackedPool): boolean =>
  identity.key.hooks !== null && identity.key.hooks !== nativeAddress

/** Whether the map is known not to be what the pool owes. */
export const hasWrongMap = ({ mapFault }: PoolState): boolean =>
  mapFault !== null && mapFault !== 'reserve_short'

/** A gap replaces `reserve_short`: such a map does not say what the pool must hold. */
const withGap = (mapFault: PoolState['mapFault']): ReserveFault =>
  mapFault === null || mapFault === 'reserve_short' ? 'index_gap' : mapFault

/**
 * Checks the tick map against a swap (methodology §4). A map with another in-range liquidity than
 * the event is incomplete. A hooked pool that trades without liquidity is served by its hook.
 */
const detectReserveFault = (pool: TrackedPool, event: PoolSwapped): ReserveFault | null => {
  const { mapFault } = pool.state
  if (activeLiquidityAt(pool.tickMap, event.tick) !== event.liquidity) return withGap(mapFault)
  if (mapFault !== null) return mapFault
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
    depth: pool.state.depth,
    mapFault: detectReserveFault(pool, event),
    lastSwapTs: event.at.ts,
    lastSwapBlock: event.at.block,
    lastSwapFee: feeOfSwap(event, { ...pool.identity, fees: pool.state.fees }),
    fees: pool.state.fees,
    settings: pool.state.settings,
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
      mapFault: isBroken ? withGap(state.mapFault) : state.mapFault,
    },
  }
}

const withUpdatedFees = (
  pool: TrackedPool,
  changed: Partial<ContractFees>,
  { block }: Pick<EventPosition, 'block'>,
): TrackedPool => {
  const { identity: origin, state } = pool
  const fees = feesAfterUpdate(state.fees, changed, { origin, block })
  return { ...pool, state: { ...state, fees } }
}

/** Applies one event. `withUpdatedAmounts` then updates reserves and depth. */
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
    case 'protocol-fee-set':
      return withUpdatedFees(pool, { protocolFee: event.protocolFee }, event.at)
    case 'lp-fee-set':
      return withUpdatedFees(pool, { lpFee: event.lpFee }, event.at)
    case 'setting-set': {
      const settings = settingsAfter(pool.state.settings, event, event.at.block)
      return { ...pool, state: { ...pool.state, settings } }
    }
    case 'swap-fees-announced':
    case 'created':
      return pool
  }
}

/** What the positions of the map add up to, whatever the pool holds. */
export const principalOf = ({ state, tickMap }: TrackedPool): RawAmounts =>
  state.price === null ? zeroAmounts : reservesFromTickMap(tickMap, state.price.sqrtPriceX96)

/** Reserves by the tick map; null if the pool has a `mapFault`. */
export const computeReserves = (pool: TrackedPool): RawAmounts | null =>
  pool.state.mapFault === null ? principalOf(pool) : null

/** Depth by the tick map; null if the pool has a `mapFault`. */
export const computeDepth = ({ state, tickMap }: TrackedPool): RawAmounts | null => {
  if (state.mapFault !== null) return null
  return state.price === null ? zeroAmounts : depthOf(tickMap, state.price.sqrtPriceX96)
}

/** Separate from `applyPoolEvent`, because reserves are computed once per candle. */
export const withUpdatedAmounts = (pool: TrackedPool): TrackedPool => ({
  ...pool,
  state: { ...pool.state, reserves: computeReserves(pool), depth: computeDepth(pool) },
})

/** Whether a check found that the pool holds less than its principal. */
export const isReserveShort = ({ state }: TrackedPool): boolean =>
  state.mapFault === 'reserve_short'

/** Sets or ends `reserve_short`, which no event does; a wrong map keeps its own fault. */
export const withReserveShort = (pool: TrackedPool, isShort: boolean): TrackedPool => {
  if (hasWrongMap(pool.state) || isShort === isReserveShort(pool)) return pool
  const mapFault = isShort ? 'reserve_short' : null
  return withUpdatedAmounts({ ...pool, state: { ...pool.state, mapFault } })
}

/** Takes the fees of the contract at a block; the pool itself if they are known already. */
export const withContractFees = (
  pool: TrackedPool,
  { fees: read }: Pick<ContractState, 'fees'>,
  block: BlockNumber,
): TrackedPool => {
  const fees = feesAfterRead(pool.state.fees, read, { origin: pool.identity, block })
  return fees === pool.state.fees ? pool : { ...pool, state: { ...pool.state, fees } }
}

/**
 * The pool on a branch that has only the blocks up to this one of the pool's branch: fees are read
 * again, and settings, which only logs show, need a rebuild.
 */
export const withRulesUpTo = (pool: TrackedPool, block: BlockNumber): TrackedPool => {
  const { fees, settings } = pool.state
  const isOld = (rules: { readonly block: BlockNumber } | null) =>
    rules === null || rules.block <= block
  const kept = isOld(fees) ? pool : { ...pool, state: { ...pool.state, fees: null } }
  if (isOld(settings)) return kept
  const mapFault = withGap(kept.state.mapFault)
  return {
    ...kept,
    state: { ...kept.state, settings: null, reserves: null, depth: null, mapFault },
  }
}

/** Adds what a pool's logs do not show to a pool that was rebuilt from them. */
export const withUnloggedState = (rebuilt: TrackedPool, known: TrackedPool): TrackedPool => {
  const { state } = rebuilt
  const pool = { ...rebuilt, state: { ...state, fees: state.fees ?? known.state.fees } }
  return withReserveShort(pool, isReserveShort(known))
}

/**
 * Adds the contract's state at the tick map's last block. Without a state, or with another in-range
 * liquidity than the map, the pool gets `index_gap` and is rebuilt (methodology §4, §8).
 */
export const withOnchainState = (
  pool: TrackedPool,
  contract: ContractState | null,
  block: BlockNumber,
): TrackedPool => {
  if (contract === null) return { ...pool, state: unknownState }
  const { sqrtPriceX96, tick, liquidity } = contract
  const price = sqrtPriceX96 === 0n ? null : { sqrtPriceX96, tick }
  const isAgreed = price === null || activeLiquidityAt(pool.tickMap, tick) === liquidity
  const mapFault = isAgreed ? pool.state.mapFault : withGap(pool.state.mapFault)
  const rules = { fees: null, settings: pool.state.settings }
  const unread = { ...pool, state: { ...stateAtCreation(price, rules), liquidity, mapFault } }
  return withUpdatedAmounts(price === null ? unread : withContractFees(unread, contract, block))
}
