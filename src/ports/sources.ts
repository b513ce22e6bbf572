import type { Outcome } from '../domain/outcome.ts'
import type { PublishedQuote, QuotePublisher, QuoteRefusal } from '../domain/price/quote.ts'
import type { StockListing } from '../domain/stock/stock.ts'
import type { Address, PoolId, UnixSeconds } from '../domain/units.ts'

export type SourceFault = {
  readonly kind: 'unreachable' | 'rate-limited' | 'malformed'
  readonly detail: string
}

/** A token whose price is requested. */
export type QuoteRequest = {
  readonly address: Address
  readonly symbol: string
  /** True for a stock, which issuers quote; false for a trusted token, which only feeds price. */
  readonly isStock: boolean
  readonly feed: Address | null
  /** What the feed's answers are a price of. */
  readonly feedPer: 'token' | 'share'
}

/** A row of a source that is not a valid quote. */
export type RejectedQuote = {
  readonly address: Address
  readonly symbol: string
  readonly reason: QuoteRefusal
}

export type QuoteBatch = {
  readonly quotes: readonly PublishedQuote[]
  readonly refused: readonly RejectedQuote[]
  /** Number of requested tokens that this source covers. */
  readonly expected: number
}

export type QuoteSource = {
  readonly id: QuotePublisher
  readonly read: (
    wanted: readonly QuoteRequest[],
    now: UnixSeconds,
  ) => Promise<Outcome<QuoteBatch, SourceFault>>
}

/** The issuer's live list of stock tokens. */
export type StockListSource = {
  readonly read: () => Promise<Outcome<readonly StockListing[], SourceFault>>
}

/** A screener's data of a pool, in whole tokens and US dollars. */
export type ScreenerRow = {
  readonly poolId: PoolId
  readonly reserves: readonly { readonly address: Address; readonly amount: number }[]
  readonly liquidityUsd: number | null
  readonly vol24hUsd: number | null
  readonly fetchedTs: UnixSeconds
}

export type Screener = {
  readonly id: string
  readonly read: (
    pools: readonly PoolId[],
    now: UnixSeconds,
  ) => Promise<Outcome<readonly ScreenerRow[], SourceFault>>
}
