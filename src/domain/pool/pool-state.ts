import type { Address, BlockNumber, PoolId, ProtocolId, UnixSeconds } from '../units.ts'
import type { PoolKey, PoolPrice, PoolVersion } from './pool-event.ts'

/** The store's number of a pool; never reused within an epoch. */
export type PoolNumber = number

/** Immutable properties of a pool. */
export type PoolIdentity = {
  readonly number: PoolNumber
  readonly id: PoolId
  readonly version: PoolVersion
  readonly protocol: ProtocolId
  /** Factory (v3) or PoolManager (v4). */
  readonly venue: Address
  readonly key: PoolKey
  readonly createdBlock: BlockNumber
  readonly createdTs: UnixSeconds
}

/** Raw token amounts (smallest units). */
export type RawAmounts = { readonly amount0: bigint; readonly amount1: bigint }

/** Shared, because most pools stay empty. */
export const zeroAmounts: RawAmounts = { amount0: 0n, amount1: 0n }

/**
 * Why reserves cannot be computed from the tick map (docs/methodology.md §4). `index_gap`: the map
 * disagrees with the liquidity of the events, and the pool is being rebuilt.
 * `hook_custom_accounting`: a hook holds or moves the tokens. `reserve_short`: the pool holds less
 * than the map says.
 */
export type ReserveFault = 'index_gap' | 'hook_custom_accounting' | 'reserve_short'

/** Fees of a pool as its contract has them, in hundredths of a bip. */
export type ContractFees = {
  /** Of a pool of Uniswap v3 the fee of its key. */
  readonly lpFee: number
  /**
   * v4: low 12 bits for swaps of token0 for token1, high 12 for the others (ProtocolFeeLibrary).
   * v3: one part in so many of the fee, of token0 in the low 4 bits, of token1 in the next ones, 0
   * for none (UniswapV3Pool.setFeeProtocol). Algebra: thousandths of the fee.
   */
  readonly protocolFee: number
}

/** A v4 pool's fees, and the block since which they hold as far as is known. */
export type PoolFees = ContractFees & {
  /** Block of the creation, the event or the read that showed them. */
  readonly block: BlockNumber
}

/** What may be changed of an Algebra pool besides its fee, and the block since which it holds. */
export type PoolSettings = {
  /** 0 until the pool has a price. */
  readonly tickSpacing: number
  /** Bits of the calls that the pool makes to its plugin; 0 without one. */
  readonly pluginConfig: number
  readonly block: BlockNumber
}

/** State of a pool at the cursor. */
export type PoolState = {
  /** Null until the pool is initialised. */
  readonly price: PoolPrice | null
  /** In-range liquidity after the last event. */
  readonly liquidity: bigint
  /** Principal by the tick map; null if `mapFault` is set. */
  readonly reserves: RawAmounts | null
  /** What moves the price near its present value (`depthOf`); null if `reserves` is. */
  readonly depth: RawAmounts | null
  readonly mapFault: ReserveFault | null
  readonly lastSwapTs: UnixSeconds | null
  readonly lastSwapBlock: BlockNumber | null
  /** Fee of the last swap in hundredths of a bip; null where the fee of the key says it. */
  readonly lastSwapFee: number | null
  /** Null in v3 without a protocol fee, and while they are not known. */
  readonly fees: PoolFees | null
  /** Null where the key has them for good, and while they are not known. */
  readonly settings: PoolSettings | null
}

export const stateAtCreation = (
  initial: PoolPrice | null,
  { fees, settings }: Pick<PoolState, 'fees' | 'settings'> = { fees: null, settings: null },
): PoolState => ({
  price: initial,
  liquidity: 0n,
  reserves: zeroAmounts,
  depth: zeroAmounts,
  mapFault: null,
  lastSwapTs: null,
  lastSwapBlock: null,
  lastSwapFee: null,
  fees,
  settings,
})

/**
 * Whether the pool holds nothing and has no known swap. Most created pools stay empty: readers keep
 * them in the store and not in memory.
 */
export const isEmptyPool = (state: PoolState): boolean =>
  state.liquidity === 0n &&
  state.lastSwapTs === null &&
  state.mapFault === null &&
  state.reserves?.amount0 === 0n &&
  state.reserves.amount1 === 0n

/** State of a pool of which only the identity is known. */
export const unknownState: PoolState = {
  ...stateAtCreation(null),
  reserves: null,
  depth: null,
  mapFault: 'index_gap',
}
