import type { Address, BlockNumber, Hash, PoolId, ProtocolId, UnixSeconds } from '../units.ts'

/** A pool's key; `hooks` is null in v3, the zero address in a hookless pool of a singleton. */
export type PoolKey = {
  readonly token0: Address
  readonly token1: Address
  /** Hundredths of a bip, as in the key; 0x800000 marks a dynamic-fee v4 pool. */
  readonly fee: number
  readonly tickSpacing: number
  readonly hooks: Address | null
  /** Of a custom pool of Algebra: whose pool of these tokens it is. Others have none. */
  readonly deployer?: Address
  /** PancakeSwap Infinity only: the tick spacing, and what the hook may do. */
  readonly parameters?: Hash | null
}

/** v3: each pool is a contract. v4: one contract holds the pools, by id. */
export type PoolVersion = 'v3' | 'v4'

/** Position of an event on the chain; (block, logIndex) orders all events. */
export type EventPosition = {
  readonly block: BlockNumber
  readonly blockHash: Hash
  readonly ts: UnixSeconds
  readonly txHash: Hash
  /** The transaction's place in its block; null in rows of a version that did not keep it. */
  readonly txIndex: number | null
  readonly logIndex: number
}

/** Where a stored event lies, by which lists of past rows continue. */
export type EventPlace = Pick<EventPosition, 'block' | 'logIndex' | 'ts'>

export type PoolPrice = { readonly sqrtPriceX96: bigint; readonly tick: number }

/** v3: `PoolCreated` (price unknown until `Initialize`). v4: `Initialize` (price included). */
export type PoolCreated = {
  readonly kind: 'created'
  readonly protocol: ProtocolId
  /** The factory (v3) or PoolManager (v4) that emitted it. */
  readonly venue: Address
  readonly key: PoolKey
  readonly initial: PoolPrice | null
}

/** v3 `Initialize`. */
export type PoolInitialized = { readonly kind: 'initialized' } & PoolPrice

/** Fees of one swap in hundredths of a bip: `overrideFee`, unless it is 0, replaces the LP fee. */
export type SwapFees = { readonly overrideFee: number; readonly pluginFee: number }

/** Amounts are raw and signed from the pool's side: positive means that the pool received. */
export type PoolSwapped = {
  readonly kind: 'swapped'
  readonly amount0: bigint
  readonly amount1: bigint
  /** State after the swap. */
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  /**
   * The fee taken (v4: LP + protocol) in hundredths of a bip, never the hook's. Null where the log
   * has none (`Protocol.swapFee`).
   */
  readonly fee: number | null
  /** What a plugin of Algebra asked for this swap; absent where no log says so. */
  readonly announced?: SwapFees
  /** PancakeSwap v3: what of the input the protocol takes, raw. Others have none. */
  readonly protocolAmount?: bigint
  /** PancakeSwap Infinity: the protocol's part of `fee`, in the same unit. Others have none. */
  readonly protocolFee?: number
  readonly sender: Address
  /** Null in v4, whose event has no recipient. */
  readonly recipient: Address | null
}

/**
 * Whose position a change of liquidity belongs to. v3: the `owner` of `Mint` and `Burn`. v4: the
 * `sender` of `ModifyLiquidity` and its `salt`. The others are null, and all three in rows of a
 * version that did not keep them.
 */
export type PositionKey = {
  readonly owner: Address | null
  readonly sender: Address | null
  readonly salt: Hash | null
}

/** v3 `Mint` (+) and `Burn` (-), v4 `ModifyLiquidity`. */
export type PoolLiquidityChanged = PositionKey & {
  readonly kind: 'liquidity-changed'
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidityDelta: bigint
}

/** As in `ContractFees`, by `ProtocolFeeUpdated`, `SetFeeProtocol` or `CommunityFee`. */
export type PoolProtocolFeeSet = { readonly kind: 'protocol-fee-set'; readonly protocolFee: number }

/** The LP fee of a pool whose contract holds it, in hundredths of a bip, as in `ContractFees`. */
export type PoolLpFeeSet = { readonly kind: 'lp-fee-set'; readonly lpFee: number }

/** Algebra's pools announce the fees of a swap in the log right before that of the swap. */
export type PoolSwapFeesAnnounced = { readonly kind: 'swap-fees-announced' } & SwapFees

/** What changes of a pool's settings (`PoolSettings`), one or the other. */
export type PoolSettingSet = {
  readonly kind: 'setting-set'
  readonly tickSpacing?: number
  /** Bits of the calls that the pool makes to its plugin. */
  readonly pluginConfig?: number
}

export type PoolEventBody =
  | PoolCreated
  | PoolInitialized
  | PoolSwapped
  | PoolLiquidityChanged
  | PoolProtocolFeeSet
  | PoolLpFeeSet
  | PoolSwapFeesAnnounced
  | PoolSettingSet

/** A decoded event of any protocol (docs/methodology.md, preamble: signs and units). */
export type PoolEvent = { readonly poolId: PoolId; readonly at: EventPosition } & PoolEventBody

type FeesSet = Extract<PoolEvent, { kind: 'protocol-fee-set' | 'lp-fee-set' }>
type RulesSet = Extract<PoolEvent, { kind: FeesSet['kind'] | 'setting-set' }>

/** Whether the event changes nothing but the fees of a pool. */
export const setsFees = (event: PoolEvent): event is FeesSet =>
  event.kind === 'protocol-fee-set' || event.kind === 'lp-fee-set'

/** Whether the event changes neither price nor principal, only fees or settings of a pool. */
export const setsRules = (event: PoolEvent): event is RulesSet =>
  setsFees(event) || event.kind === 'setting-set'
