import type { Outcome } from '../domain/outcome.ts'
import type { PoolVersion } from '../domain/pool/pool-event.ts'
import type { RangeName } from '../domain/series/series-range.ts'
import type { OrderFault, SwapQuoteOrder } from '../domain/swap/order-amount.ts'
import type { StockOrder } from '../domain/swap/quote-stock.ts'
import type { Address, BlockNumber, Hash, PoolId } from '../domain/units.ts'
import type { PoolDetailView, PoolKind, PoolView } from '../domain/views/pool.ts'
import type { PoolDepthView, SegmentChoice } from '../domain/views/pool-depth.ts'
import type { PoolProvenanceView } from '../domain/views/provenance.ts'
import type { PoolRangesView } from '../domain/views/range-earnings.ts'
import type { ResolvedTokenView } from '../domain/views/resolved-token.ts'
import type { HealthView, StatusView } from '../domain/views/service.ts'
import type { StockDetailView, StockView } from '../domain/views/stock.ts'
import type { StockDepthView, StockQuoteView } from '../domain/views/stock-order.ts'
import type { PoolQuoteView } from '../domain/views/swap-quote.ts'
import type { TokenPricesView } from '../domain/views/token-price.ts'
import type { ChangeListener, MissedChanges } from './changes.ts'
import type { FeedQueries } from './feed/feed.ts'
import type { HistoryQueries } from './history.ts'
import type { PageQuery } from './page-query.ts'
import type { AskedMoment, PoolAtFault } from './past.ts'
import type { StockKey } from './stock-key.ts'
import type { StreamPosition } from './stream-position.ts'

export const poolSorts = [
  'liquidity',
  'vol1h',
  'vol24h',
  'vol24hFiltered',
  'created',
  'lastSwap',
  'premium',
  'depth',
  'feeApr24h',
] as const
export type PoolSort = (typeof poolSorts)[number]

/** Rows of a resolved token. */
export const candidatesMax = 10
export const lookAlikesMax = 20

export type PoolsQuery = PageQuery & {
  /** Upper case. */
  readonly symbol: string | null
  readonly kind: PoolKind | null
  /** Trimmed; null when empty. */
  readonly q: string | null
  readonly version: PoolVersion | null
  /** Name of a venue in lower case. */
  readonly venue: string | null
  readonly active: boolean | null
  readonly hot: boolean | null
  readonly comparable: boolean | null
  readonly minLiquidityUsd: number | null
  readonly minDepthUsd: number | null
  readonly sort: PoolSort | null
  readonly order: 'asc' | 'desc'
}

export type StocksQuery = PageQuery & { readonly q: string | null }

export type Page<T> = {
  readonly items: readonly T[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

type OtherQueries = HistoryQueries & FeedQueries

/** A position: prices in other tokens per stock token, and the dollars put in. */
export type RangeQuery = { readonly lower: number; readonly upper: number; readonly usd: number }

/** Queries of the API. Each call uses one snapshot of the store and one reading of the clock. */
export type Market = OtherQueries & {
  /** False until the first snapshot is built. */
  readonly isReady: () => boolean
  /** Changes with the store's revision and every second: whenever an answer may change. */
  readonly stamp: () => string
  /** Calls the listener after each store read, also without changes, until the result is called. */
  readonly subscribe: (listener: ChangeListener) => () => void
  /** Reads from the store what follows a position, up to a published one. */
  readonly missedChanges: (from: StreamPosition, upTo: StreamPosition) => Promise<MissedChanges>
  /**
   * The block of this number, which an answer was computed at, with its hash while it is known; by
   * default the block that the lists are of. Null before the first indexed block.
   */
  readonly asOf: (
    block: BlockNumber | null,
  ) => { readonly block: BlockNumber; readonly hash: Hash | null } | null
  readonly health: () => HealthView
  readonly status: () => StatusView
  readonly pools: (query: PoolsQuery) => Promise<Page<PoolView>>
  readonly pool: (id: PoolId, range: RangeName) => Promise<PoolDetailView | null>
  /** Null for an unknown pool; fails if the pool has no record of that moment. */
  readonly poolAt: (
    id: PoolId,
    range: RangeName,
    moment: AskedMoment,
  ) => Promise<Outcome<PoolDetailView, PoolAtFault> | null>
  /** Null for an unknown pool; fails if the order cannot be meant for the pool's tokens. */
  readonly quote: (
    id: PoolId,
    order: SwapQuoteOrder,
  ) => Promise<Outcome<PoolQuoteView, OrderFault> | null>
  /** Null for an unknown pool. */
  readonly depth: (id: PoolId, segments: SegmentChoice) => Promise<PoolDepthView | null>
  /** What such a position would have earned; null for an unknown pool. */
  readonly ranges: (id: PoolId, query: RangeQuery) => Promise<PoolRangesView | null>
  /** How the numbers of a pool's row were made; null for an unknown pool. */
  readonly provenance: (id: PoolId) => Promise<PoolProvenanceView | null>
  /** The same of the row of that moment; fails as `poolAt` does. */
  readonly provenanceAt: (
    id: PoolId,
    moment: AskedMoment,
  ) => Promise<Outcome<PoolProvenanceView, PoolAtFault> | null>
  readonly stocks: (query: StocksQuery) => Promise<Page<StockView>>
  readonly stock: (key: StockKey, range: RangeName) => Promise<StockDetailView | null>
  /** Null for an unknown stock; fails if the order cannot be meant for the stock's decimals. */
  readonly stockQuote: (
    key: StockKey,
    order: StockOrder,
  ) => Promise<Outcome<StockQuoteView, OrderFault> | null>
  readonly stockDepth: (key: StockKey) => Promise<StockDepthView | null>
  /** What a ticker, a name or an address stands for. */
  readonly resolve: (q: string) => Promise<ResolvedTokenView>
  /** The price of each of these tokens, in their order. */
  readonly prices: (addresses: readonly Address[]) => Promise<TokenPricesView>
}
