import type { PoolNumber, RawAmounts } from '../pool/pool-state.ts'
import type { Address, BlockNumber, Hash, UnixSeconds } from '../units.ts'

/* What aggregators read of a pool, each event once: amounts are raw. */

type FeedPlace = {
  readonly pool: PoolNumber
  readonly block: BlockNumber
  readonly ts: UnixSeconds
  readonly txHash: Hash
  readonly txIndex: number
  /** Of the block, so that it is unique in it. */
  readonly logIndex: number
  /**
   * Sender of the transaction; where that is not known, the caller of the pool or the owner of the
   * position.
   */
  readonly maker: Address
  /** Principal by the tick map after the event; null where map or price are not known exactly. */
  readonly reserves: RawAmounts | null
}

/** A swap with one token in, which is positive, and the other one out, which is negative. */
export type FeedSwap = FeedPlace &
  RawAmounts & {
    readonly kind: 'swap'
    /** After the swap. */
    readonly sqrtPriceX96: bigint
  }

/** Liquidity that was added or removed, with what it took or paid of both tokens. */
export type FeedLiquidity = FeedPlace & RawAmounts & { readonly kind: 'join' | 'exit' }

export type FeedEvent = FeedSwap | FeedLiquidity
