import type { TextHash } from '../domain/chain/event-digest.ts'
import type { Keccak256 } from '../domain/dex/pool-id.ts'
import type { ReviewedHooks } from '../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../domain/dex/venue.ts'
import type { Quote } from '../domain/price/quote.ts'
import type { Reading } from '../domain/reading.ts'
import type { Policy } from '../domain/status/freshness.ts'
import type { SourceRecord } from '../domain/status/source-state.ts'
import type { Stock, StockListing } from '../domain/stock/stock.ts'
import type { StandardOf } from '../domain/stock/stock-standard.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import type { Address, BlockNumber } from '../domain/units.ts'
import type { ChainReader, ReadSenders } from '../ports/chain-reader.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { QuoteSource, Screener, StockListSource } from '../ports/sources.ts'
import type { Store } from '../ports/store.ts'
import type { StoredToken, SyncProgressWithEvents } from '../ports/store-batches.ts'
import type { NamedContract } from './verify/contract-check.ts'

/** The network file, as far as the indexer needs it. */
export type IndexedNetwork = {
  readonly name: string
  readonly chainId: number
  readonly venues: Venues
  /** First block that may hold logs of an indexed pool. */
  readonly origin: BlockNumber
  /** The StateView of a v4 PoolManager; null if the network file has none. */
  readonly stateViewOf: (venue: Address) => Address | null
  /** Checked with calls, to find wrong addresses. */
  readonly contracts: readonly NamedContract[]
  readonly trusted: readonly (TrustedToken & { readonly feed: Address | null })[]
  readonly reviewedHooks: ReviewedHooks
  /** Stocks of the network file; the live registry adds to them. */
  readonly stocks: readonly StockListing[]
  readonly standardOf: StandardOf
}

/** What the store holds when the indexer starts. */
export type StoredState = {
  readonly decimals: Map<Address, Reading<number>>
  /** Tokens with a field that is not known. */
  readonly unknownTokens: readonly StoredToken[]
  readonly stocks: readonly Stock[]
  readonly quotes: readonly Quote[]
  readonly sources: readonly SourceRecord[]
}

export type IndexerDeps = {
  readonly network: IndexedNetwork
  readonly chain: ChainReader
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly keccak256: Keccak256
  readonly sha256: TextHash
  /** Numbers from 0 to below 1. */
  readonly random: () => number
  readonly policy: Policy
  readonly quoteSources: readonly QuoteSource[]
  readonly registry: StockListSource | null
  readonly screener: Screener | null
  /** Null: the network file asks for no traders. */
  readonly readSenders: ReadSenders | null
  readonly historyDays: number
  /** What the endpoints' responses lack, for the status; null if nothing. */
  readonly endpointWarning?: () => string | null
  /** A chain with more blocks above the origin begins with a bootstrap. */
  readonly bootstrapBlocksMin?: number
  readonly pollMs: number
  readonly onProgress: (progress: SyncProgressWithEvents) => void
  /** The store or every endpoint belongs to another chain: the indexer cannot run. */
  readonly onRefused: (reason: string) => void
}
