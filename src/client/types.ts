import type { RangeName } from '../domain/series/series-range.ts'
import type { PoolDetailView, PoolKind, PoolView } from '../domain/views/pool.ts'
import type { PoolDepthView, SegmentChoice } from '../domain/views/pool-depth.ts'
import type { HealthView, IndexView, StatusView } from '../domain/views/service.ts'
import type { StockDetailView, StockView } from '../domain/views/stock.ts'
import type { StockDepthView, StockQuoteView } from '../domain/views/stock-order.ts'
import type { PoolQuoteView, SwapSide } from '../domain/views/swap-quote.ts'
import type { ChangeEvent } from '../market/changes.ts'
import type { Page, PoolSort } from '../market/market.ts'

export type Pool = PoolView
export type PoolDetail = PoolDetailView
export type Depth = PoolDepthView
export type PoolQuote = PoolQuoteView
export type Stock = StockView
export type StockDetail = StockDetailView
export type StockQuote = StockQuoteView
export type StockDepth = StockDepthView
export type Health = HealthView
export type Status = StatusView
export type Index = IndexView
export type { Page }

/** Filters of a list of pools; an absent one does not filter. */
export type PoolFilter = {
  readonly symbol?: string
  readonly kind?: PoolKind
  readonly q?: string
  readonly version?: 'v3' | 'v4'
  readonly active?: boolean
  readonly hot?: boolean
  readonly comparable?: boolean
  readonly minLiquidityUsd?: number
  readonly minDepthUsd?: number
  readonly sort?: PoolSort
  readonly order?: 'asc' | 'desc'
}

export type StockFilter = { readonly q?: string }

export type Paging = { readonly limit?: number; readonly offset?: number }

export type Range = { readonly range?: RangeName }

/** An order with one amount: whole tokens or smallest units in decimal digits, or dollars. */
export type QuoteOrder = { readonly side: SwapSide } & (
  | { readonly stockAmount: string }
  | { readonly otherAmount: string }
  | { readonly stockAmountRaw: string }
  | { readonly otherAmountRaw: string }
  | { readonly usd: number }
)

export type Segments = { readonly segments?: SegmentChoice }

/** An order with one amount: whole tokens in decimal digits, or dollars. */
export type StockQuoteOrder = { readonly side: SwapSide } & (
  | { readonly stockAmount: string }
  | { readonly usd: number }
)

type Topic = ChangeEvent['topic']

/** A change; its `id` resumes the stream after it. */
export type StreamEvent = {
  readonly [Each in Topic]: {
    readonly topic: Each
    readonly data: Extract<ChangeEvent, { readonly topic: Each }>['data']
    readonly id: string
  }
}[Topic]

export type StreamOptions = {
  readonly topics?: readonly ('pool' | 'swap' | 'stock' | 'source')[]
  readonly symbol?: string
  readonly id?: string
  /** Starts after this event. */
  readonly lastEventId?: string
  /** Ends the stream. */
  readonly signal?: AbortSignal
}
