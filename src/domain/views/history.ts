import type { Address, BlockNumber, PoolId, UnixSeconds } from '../units.ts'
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
