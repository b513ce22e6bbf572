import type { Outcome } from '../domain/outcome.ts'
import type { Quote, QuotePublisher, QuoteRefusal } from '../domain/price/quote.ts'
import type { StockListing } from '../domain/stock/stock.ts'
import type { Address, PoolId, UnixSeconds } from '../domain/units.ts'

export type SourceFault = {
  readonly kind: 'unreachable' | 'rate-limited' | 'malformed'
  readonly detail: string
}

/** What a quote source is asked for. */
export type QuoteRequest = {
  readonly address: Address
  readonly symbol: string
  /** A stock, which issuers quote, or a trusted token, which only feeds price. */
  readonly isStock: boolean
  readonly feed: Address | null
}

/** A row that came but is no quote, and why. */
export type RejectedQuote = {
  readonly address: Address
  readonly symbol: string
  readonly reason: QuoteRefusal
}

export type QuoteBatch = {
  readonly quotes: readonly Quote[]
  readonly refused: readonly RejectedQuote[]
  /** How many of the wanted tokens this source could have answered. */
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

/** What a third party says of a pool; whole tokens and US dollars. */
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
