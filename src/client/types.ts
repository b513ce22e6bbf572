import type { CandleWidthName } from '../domain/history/candle-range.ts'
import type { ExportDataset, ExportFormat } from '../domain/history/exported-file.ts'
import type { RangeName } from '../domain/series/series-range.ts'
import type { ExportedFilesView } from '../domain/views/exported-files.ts'
import type {
  CandleView,
  HistoryOrder,
  HistoryPage,
  LiquidityChangeView,
  PastSwapView,
} from '../domain/views/history.ts'
import type { PoolDetailView, PoolKind, PoolView } from '../domain/views/pool.ts'
import type { PoolDepthView, SegmentChoice } from '../domain/views/pool-depth.ts'
import type { PoolProvenanceView } from '../domain/views/provenance.ts'
import type { PoolRangesView } from '../domain/views/range-earnings.ts'
import type { ResolvedTokenView, UnverifiedTokenView } from '../domain/views/resolved-token.ts'
import type { HealthView, IndexView, StatusView } from '../domain/views/service.ts'
import type { StockDetailView, StockView } from '../domain/views/stock.ts'
import type { StockDepthView, StockQuoteView } from '../domain/views/stock-order.ts'
import type { PoolQuoteView, SwapSide } from '../domain/views/swap-quote.ts'
import type { TokenPricesView, TokenPriceView } from '../domain/views/token-price.ts'
import type { ChangeEvent, RollbackChange, SwapChange } from '../market/changes.ts'
import type { PoolCandleQuery } from '../market/history.ts'
import type { Page, PoolSort } from '../market/market.ts'

export type Pool = PoolView
export type PoolDetail = PoolDetailView
export type Depth = PoolDepthView
export type PoolRanges = PoolRangesView
export type Provenance = PoolProvenanceView
export type PoolQuote = PoolQuoteView
export type Stock = StockView
export type StockDetail = StockDetailView
export type StockQuote = StockQuoteView
export type StockDepth = StockDepthView
export type ResolvedToken = ResolvedTokenView
export type UnverifiedToken = UnverifiedTokenView
export type TokenPrice = TokenPriceView
export type TokenPrices = TokenPricesView
export type Health = HealthView
export type Status = StatusView
export type Index = IndexView
export type Candle = CandleView
export type Swap = PastSwapView
export type LiquidityChange = LiquidityChangeView
export type { HistoryPage, Page }

/** A part of the past; times in Unix seconds, both ends included. */
export type HistoryRange = {
  readonly from?: number
  readonly to?: number
  readonly order?: HistoryOrder
}

/** `cursor` is the `next` of the page before. */
export type HistoryPaging = { readonly limit?: number; readonly cursor?: string }

export type StockCandleFilter = HistoryRange & { readonly width: CandleWidthName }

export type CandleFilter = StockCandleFilter & {
  readonly price?: PoolCandleQuery['price']
  readonly fill?: PoolCandleQuery['fill']
}

/** Filters of a list of swaps; an absent one does not filter. */
export type SwapFilter = HistoryRange & {
  readonly side?: SwapSide
  readonly minUsd?: number
  readonly trader?: string
  readonly sender?: string
}

/** Filters of a list of pools; an absent one does not filter. */
export type PoolFilter = {
  readonly symbol?: string
  readonly kind?: PoolKind
  readonly q?: string
  readonly version?: 'v3' | 'v4'
  readonly venue?: string
  readonly active?: boolean
  readonly hot?: boolean
  readonly comparable?: boolean
  readonly minLiquidityUsd?: number
  readonly minDepthUsd?: number
  readonly sort?: PoolSort
  readonly order?: 'asc' | 'desc'
}

export type StockFilter = { readonly q?: string }

export type ExportedFiles = ExportedFilesView

export type FileFilter = { readonly dataset?: ExportDataset; readonly format?: ExportFormat }

export type Paging = { readonly limit?: number; readonly offset?: number }

/** A pool of the past: after a block, or after the last block up to a time in Unix seconds. */
export type AsOf =
  | { readonly asOfBlock?: number; readonly asOfTs?: never }
  | { readonly asOfTs: number; readonly asOfBlock?: never }

export type Range = { readonly range?: RangeName }

/** An order with one amount: whole tokens or smallest units in decimal digits, or dollars. */
export type QuoteOrder = { readonly side: SwapSide } & (
  | { readonly stockAmount: string }
  | { readonly otherAmount: string }
  | { readonly stockAmountRaw: string }
  | { readonly otherAmountRaw: string }
  | { readonly usd: number }
)

/** Prices in other tokens per stock token; small ones as decimal text. */
export type RangeOrder = {
  readonly lower: number | string
  readonly upper: number | string
  readonly usd?: number
}

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

/** A swap to add, or the block above which all swaps are to be dropped (null: all). */
export type SwapStep =
  | { readonly topic: 'swap'; readonly data: SwapChange }
  | { readonly topic: 'rollback'; readonly data: Pick<RollbackChange, 'afterBlock'> }

/** The swaps to follow; `symbol` or `id` of a pool, or neither. */
export type FollowOptions = {
  readonly symbol?: string
  readonly id?: string
  /** The first time in Unix seconds; the service's present one if absent. */
  readonly from?: number
  readonly signal?: AbortSignal | undefined
}

export type StreamOptions = {
  readonly topics?: readonly ('pool' | 'swap' | 'stock' | 'source')[]
  readonly symbol?: string
  readonly id?: string
  /** Starts after this event. */
  readonly lastEventId?: string
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
}
