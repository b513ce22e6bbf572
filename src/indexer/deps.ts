import type { TextHash } from '../domain/chain/event-digest.ts'
import type { Keccak256 } from '../domain/dex/pool-id.ts'
import type { Venues } from '../domain/ingest/decode-pool-log.ts'
import type { Policy } from '../domain/status/freshness.ts'
import type { StockListing } from '../domain/stock/stock.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import type { Address, BlockNumber } from '../domain/units.ts'
import type { ChainReader } from '../ports/chain-reader.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { QuoteSource, Screener, StockListSource } from '../ports/sources.ts'
import type { Store } from '../ports/store.ts'
import type { SyncProgressWithEvents } from '../ports/store-batches.ts'
import type { NamedContract } from './verify/contract-check.ts'

/** What is particular to a chain, as the pipeline needs it. */
export type IndexedNetwork = {
  readonly name: string
  readonly chainId: number
  readonly venues: Venues
  /** The first block that may hold anything of ours. */
  readonly origin: BlockNumber
  /** The StateView that belongs to a v4 PoolManager. */
  readonly stateViewOf: (venue: Address) => Address | null
  /** What the chain can be asked for, to find a wrong address. */
  readonly contracts: readonly NamedContract[]
  readonly trusted: readonly (TrustedToken & { readonly feed: Address | null })[]
  /** Shipped with the network; the live registry adds to them. */
  readonly stocks: readonly StockListing[]
  readonly beacon: Address | null
}

export type IndexerDeps = {
  readonly network: IndexedNetwork
  readonly chain: ChainReader
  readonly store: Store
  readonly clock: Clock
  readonly logger: Logger
  readonly keccak256: Keccak256
  /** Of a text, for digests. */
  readonly sha256: TextHash
  readonly policy: Policy
  readonly quoteSources: readonly QuoteSource[]
  readonly registry: StockListSource | null
  readonly screener: Screener | null
  readonly historyDays: number
  /** A chain longer than this from its origin on is not read block by block at first. */
  readonly bootstrapBlocksMin?: number
  readonly pollMs: number
  readonly onProgress: (progress: SyncProgressWithEvents) => void
  /** The store or every endpoint is of another chain: the index can not go on. */
  readonly onRefused: (reason: string) => void
}
