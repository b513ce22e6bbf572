import type { CandleWidthName } from '../domain/history/candle-range.ts'
import type { EventCursor } from '../domain/history/event-cursor.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Address, PoolId, UnixSeconds } from '../domain/units.ts'
import type {
  CandleView,
  HistoryOrder,
  HistoryPage,
  LiquidityChangeView,
  PastSwapView,
} from '../domain/views/history.ts'
import type { SwapSide } from '../domain/views/swap-quote.ts'
import type { StockKey } from './stock-key.ts'

/** What every list of past rows takes. */
export type HistoryQuery<Cursor> = {
  readonly limit: number
  readonly cursor: Cursor | null
  /** Both ends included. */
  readonly fromTs: UnixSeconds | null
  readonly toTs: UnixSeconds | null
  readonly order: HistoryOrder
}

/** The bucket after which a page continues. */
export type CandleCursor = { readonly ts: UnixSeconds }

/** The rows asked for were deleted; those since this time are kept. */
export type HistoryPruned = { readonly kind: 'history-pruned'; readonly keptSince: UnixSeconds }

/** The event of the cursor is not there any more: the chain replaced its block. */
export type CursorReplaced = { readonly kind: 'cursor-replaced' }

/** Filters of lists of swaps; null does not filter. */
export type SwapFilter = {
  readonly side: SwapSide | null
  /** Swaps without a value do not match. */
  readonly minUsd: number | null
  /** Swaps whose trader is not known do not match. */
  readonly trader: Address | null
  readonly sender: Address | null
}

export type SwapQuery = HistoryQuery<EventCursor> & SwapFilter

export type SwapPage = HistoryPage<PastSwapView, EventCursor>

export type LiquidityPage = HistoryPage<LiquidityChangeView, EventCursor>

export type EventFault = HistoryPruned | CursorReplaced

export const candlePrices = ['usd', 'other'] as const
export const candleFills = ['none', 'previous'] as const

export type StockCandleQuery = HistoryQuery<CandleCursor> & { readonly width: CandleWidthName }

export type PoolCandleQuery = StockCandleQuery & {
  readonly price: (typeof candlePrices)[number]
  /** `none` leaves out buckets without swaps, `previous` fills them with the price before. */
  readonly fill: (typeof candleFills)[number]
  /** Whether to add up `volumeStock`, which takes the swaps themselves. */
  readonly hasStockVolume: boolean
}

export type CandlePage = HistoryPage<CandleView, CandleCursor>

/** Past rows of pools and stocks; null for an unknown pool or stock. */
export type HistoryQueries = {
  readonly poolCandles: (
    id: PoolId,
    query: PoolCandleQuery,
  ) => Promise<Outcome<CandlePage, HistoryPruned> | null>
  /** Of its pools against trusted tokens together, from the swaps that are kept (docs/api.md). */
  readonly stockCandles: (
    key: StockKey,
    query: StockCandleQuery,
  ) => Promise<Outcome<CandlePage, HistoryPruned> | null>
  readonly poolSwaps: (
    id: PoolId,
    query: SwapQuery,
  ) => Promise<Outcome<SwapPage, EventFault> | null>
  /** Of all its pools, in chain order. */
  readonly stockSwaps: (
    key: StockKey,
    query: SwapQuery,
  ) => Promise<Outcome<SwapPage, EventFault> | null>
  /** Of all stocks. */
  readonly swaps: (query: SwapQuery) => Promise<Outcome<SwapPage, EventFault>>
  readonly liquidityChanges: (
    id: PoolId,
    query: HistoryQuery<EventCursor>,
  ) => Promise<Outcome<LiquidityPage, EventFault> | null>
}
