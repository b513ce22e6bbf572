import type { Address, BlockNumber, Hash, PoolId, UnixSeconds } from '../units.ts'
import type { SwapView } from './pool.ts'

export const historyOrders = ['asc', 'desc'] as const
export type HistoryOrder = (typeof historyOrders)[number]

/** One page of past rows (docs/api.md). In responses the cursor is opaque text. */
export type HistoryPage<Item, Cursor = string> = {
  readonly items: readonly Item[]
  /** Continues after the last item; null at the end. */
  readonly next: Cursor | null
  /** Null before the first indexed block. */
  readonly asOfBlock: BlockNumber | null
  /** False if rows of the requested range are missing: not backfilled yet, or deleted. */
  readonly complete: boolean
}

/** One bucket with its prices, in the unit of the request. */
export type CandleView = {
  readonly ts: UnixSeconds
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number | null
  readonly volumeUsd: number | null
  readonly volumeStock: number | null
  readonly swaps: number
  readonly closed: boolean
}

/** A swap in a list of past rows. */
export type PastSwapView = SwapView & {
  readonly poolId: PoolId
  readonly stockSymbol: string
  /** Null in rows of a version that did not keep it. */
  readonly txIndex: number | null
  /** Sender of the transaction; null until it is read, or where the network file does not ask. */
  readonly trader: Address | null
  /** Its block passed the finality check. */
  readonly settled: boolean
}

export const liquidityChangeKinds = ['add', 'remove'] as const

/** A change of liquidity in a list of past rows. */
export type LiquidityChangeView = {
  readonly txHash: Hash
  readonly logIndex: number
  /** Null in rows of a version that did not keep it; so are the fields of the position. */
  readonly txIndex: number | null
  readonly block: BlockNumber
  readonly ts: UnixSeconds
  readonly kind: (typeof liquidityChangeKinds)[number]
  readonly tickLower: number
  readonly tickUpper: number
  /** Signed, as decimal text. */
  readonly liquidityDelta: string
  /** Of the pool's mathematics at the price of the swap before; null if that is not stored. */
  readonly stockAmount: number | null
  readonly otherAmount: number | null
  /** v3 only. */
  readonly owner: Address | null
  /** v4 only. */
  readonly sender: Address | null
  readonly salt: Hash | null
  /** Its block passed the finality check. */
  readonly settled: boolean
}
