import type { Address, BlockNumber, PoolId, UnixSeconds } from '../units.ts'
import type { PoolKey, PoolPrice, PoolVersion } from './pool-event.ts'

/** The small integer by which the store knows a pool; never reused within an epoch. */
export type PoolNumber = number

/** What never changes about a pool. */
export type PoolIdentity = {
  readonly number: PoolNumber
  readonly id: PoolId
  readonly version: PoolVersion
  /** Factory (v3) or PoolManager (v4). */
  readonly venue: Address
  readonly key: PoolKey
  readonly createdBlock: BlockNumber
  readonly createdTs: UnixSeconds
}

/** Raw token amounts (smallest units). */
export type RawAmounts = { readonly amount0: bigint; readonly amount1: bigint }

/** One object for all: most pools that anybody opens stay empty. */
export const zeroAmounts: RawAmounts = { amount0: 0n, amount1: 0n }

/**
 * Why a pool's reserves can not be had from its liquidity map (docs/methodology.md §4).
 * `index_gap`: the map disagrees with the events' own liquidity; the pool is being rebuilt.
 * `hook_custom_accounting`: a hook holds or moves the tokens, the map does not tell.
 */
export type ReserveFault = 'index_gap' | 'hook_custom_accounting'

/** The fold of a pool's events up to the indexed head. */
export type PoolState = {
  /** Null until the pool is initialised. */
  readonly price: PoolPrice | null
  /** In-range liquidity, as the last event left it. */
  readonly liquidity: bigint
  /** Principal in the pool by its liquidity map, or null with `mapFault` saying why. */
  readonly reserves: RawAmounts | null
  readonly mapFault: ReserveFault | null
  readonly lastSwapTs: UnixSeconds | null
  readonly lastSwapBlock: BlockNumber | null
  /** Fee of the last swap in hundredths of a bip as the v4 event tells it; null in v3. */
  readonly lastSwapFee: number | null
}

export const stateAtCreation = (initial: PoolPrice | null): PoolState => ({
  price: initial,
  liquidity: 0n,
  reserves: zeroAmounts,
  mapFault: null,
  lastSwapTs: null,
  lastSwapBlock: null,
  lastSwapFee: null,
})

/** Of a pool of which nothing is known but that it exists. */
export const unknownState: PoolState = {
  ...stateAtCreation(null),
  reserves: null,
  mapFault: 'index_gap',
}
