import type { CandleWidthName } from '../domain/history/candle-range.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { PoolId, UnixSeconds } from '../domain/units.ts'
import type { CandleView, HistoryOrder, HistoryPage } from '../domain/views/history.ts'
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
}
