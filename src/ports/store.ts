import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { StoredRangeEvents } from '../domain/ingest/pool-events.ts'
import type { PoolHistory } from '../domain/pool/pool-at-block.ts'
import type { PoolNumber, PoolState } from '../domain/pool/pool-state.ts'
import type {
  Candle,
  CandleWidth,
  ReferencePoint,
  StoredLiquidityChange,
  StoredSwap,
  StoredTick,
} from '../domain/pool/stored-rows.ts'
import type { Quote } from '../domain/price/quote.ts'
import type { SourceRecord } from '../domain/status/source-state.ts'
import type { Stock } from '../domain/stock/stock.ts'
import type { Address, BlockNumber, UnixSeconds } from '../domain/units.ts'
import type { BlockRange } from './chain-reader.ts'
import type {
  BackfillBatch,
  BootstrapBatch,
  BootstrapState,
  BranchReplacement,
  EnrichmentBatch,
  ExternalReserve,
  FinalityUpdate,
  IndexHeader,
  PoolSeedBatch,
  RangeBatch,
  StoredPool,
  StoredToken,
  SyncProgress,
  VolumeSum,
} from './store-batches.ts'

export type StoreWriter = {
  /**
   * Claims the store for this chain; fails if it belongs to another. An origin that one side does
   * not know yet contradicts nothing, and is kept once known. A claim without an origin, under
   * which no block was read, gives way with all that was written under it: no chain has proved it.
   */
  readonly claim: (
    identity: ChainIdentity,
    startedTs: UnixSeconds,
  ) => Promise<'ready' | 'other-chain'>
  /** One transaction, fenced by `batch.before`; writing a batch twice changes nothing. */
  readonly commitRange: (batch: RangeBatch) => Promise<'committed' | 'stale-cursor'>
  /** Replaces a pool's whole liquidity map and state, after a rebuild. */
  readonly replaceTickMap: (
    pool: PoolNumber,
    state: PoolState,
    ticks: readonly StoredTick[],
  ) => Promise<void>
  /** One transaction, fenced by `batch.before`; written a second time it is stale. */
  readonly commitBootstrap: (batch: BootstrapBatch) => Promise<'committed' | 'stale-cursor'>
  /**
   * Forgets a first reading and all that was read since, in one transaction, fenced by the indexed
   * block (null: the reading is not over). Nothing settled is ever forgotten. References stay.
   */
  readonly resetIndex: (indexed: BlockRef | null) => Promise<'committed' | 'stale-cursor'>
  /**
   * One transaction: the pools appear with all that is known of them, or not at all. Ends the first
   * reading, whose pools are in already.
   */
  readonly seedPools: (adoption: PoolSeedBatch) => Promise<'committed' | 'stale-cursor'>
  /** One transaction, fenced by `batch.before`; writing a batch twice changes nothing. */
  readonly commitBackfill: (batch: BackfillBatch) => Promise<'committed' | 'stale-cursor'>
  /** How far the first reading is, while there is nothing to commit yet. */
  readonly recordProgress: (backfill: SyncProgress) => Promise<void>
  /** Stocks whose pools are all followed from the first block on, or looked for at first. */
  readonly recordDiscoveredStocks: (stocks: readonly Address[]) => Promise<void>
  /**
   * Replaces a branch in one transaction; the epoch grows, and readers see the old branch or the
   * new one. Doing it twice changes nothing. References stay: they are prices, not events.
   */
  readonly replaceBranch: (
    replacement: BranchReplacement,
  ) => Promise<'committed' | 'stale-cursor' | 'below-finalized'>
  /** Moves the settled block on, fenced by `settling.before`; doing it twice changes nothing. */
  readonly advanceFinalized: (settling: FinalityUpdate) => Promise<'committed' | 'stale-cursor'>
  readonly recordHead: (head: BlockRef) => Promise<void>
  readonly recordTokens: (tokens: readonly StoredToken[]) => Promise<void>
  readonly recordStocks: (stocks: readonly Stock[]) => Promise<void>
  readonly recordSource: (record: SourceRecord) => Promise<void>
  /** One pass of the enrichment: quotes, references, reserves from elsewhere, hot pools. */
  readonly recordEnrichment: (pass: EnrichmentBatch) => Promise<void>
  /**
   * Removes, in bounded pieces, what is older than history is kept: raw swaps and the rows of
   * minutes. Hours and days stay for good. Answers how many rows went.
   */
  readonly prune: (limits: {
    readonly swapsBeforeTs: UnixSeconds
    readonly minuteRowsBeforeTs: UnixSeconds
  }) => Promise<number>
  /** Every token, in the order of addresses. */
  readonly readTokens: () => AsyncIterable<StoredToken>
  /**
   * Every pool, in the order of numbers: to begin with after a restart. Whoever reads header, pools
   * and ticks one after the other, in this order, learns of another writer by his first commit.
   */
  readonly readPools: () => AsyncIterable<StoredPool>
  /** Every liquidity tick of every pool, in (pool, tick) order. */
  readonly readTicks: () => AsyncIterable<StoredTick>
  /** Null before a first reading begins and after it has ended. */
  readonly readBootstrap: () => Promise<BootstrapState | null>
  /** The kept changes of liquidity maps in blocks > `block`, newest first. */
  readonly readLiquidityAfter: (block: BlockNumber) => Promise<readonly StoredLiquidityChange[]>
  /** The newest kept block at or below this one. */
  readonly readBlockAtOrBelow: (block: BlockNumber) => Promise<BlockRef | null>
  /** Each list in any order. */
  readonly readEvents: (range: BlockRange) => Promise<StoredRangeEvents>
  /** Pools that events above the ancestor (null: all) touched; some too many, none too few. */
  readonly readPoolsChangedAfter: (ancestor: BlockRef | null) => Promise<readonly PoolNumber[]>
  readonly readPoolHistory: (pool: PoolNumber, block: BlockNumber) => Promise<PoolHistory>
}

/** Reads that all see the same state of the store. */
export type StoreSnapshot = {
  readonly header: () => Promise<IndexHeader | null>
  /**
   * All pools by number and all tokens by address, in pages: of many at once whoever takes them in
   * would hold two forms. How long a page is, the store knows best.
   */
  readonly pools: () => AsyncIterable<readonly StoredPool[]>
  readonly tokens: () => AsyncIterable<readonly StoredToken[]>
  readonly poolsChangedAfter: (revision: number) => Promise<readonly StoredPool[]>
  readonly tokensChangedAfter: (revision: number) => Promise<readonly StoredToken[]>
  readonly stocksChangedAfter: (revision: number) => Promise<readonly Stock[]>
  readonly quotes: () => Promise<readonly Quote[]>
  readonly reserves: () => Promise<readonly ExternalReserve[]>
  readonly sources: () => Promise<readonly SourceRecord[]>
  /** Stocks of which no pool is missing. */
  readonly discoveredStocks: () => Promise<readonly Address[]>
  /** Of each pool that has swaps with `afterTs` < ts <= `toTs` in blocks > `afterBlock`. */
  readonly volume: (span: {
    readonly afterTs: UnixSeconds
    readonly toTs: UnixSeconds
    readonly afterBlock: BlockNumber
  }) => Promise<readonly VolumeSum[]>
  /**
   * The same of whole hours, `fromTs` <= ts < `toTs`, in a fraction of the time: hours of candles
   * are written together with their swaps. What they can not hold is summed up from the swaps.
   */
  readonly hourlyVolume: (span: {
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<readonly VolumeSum[]>
  /** Candles with `fromTs` <= ts <= `toTs`, oldest first, and the last one before them. */
  readonly candles: (query: {
    readonly pool: PoolNumber
    readonly width: CandleWidth
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<{ readonly before: Candle | null; readonly rows: readonly Candle[] }>
  /** Newest first. */
  readonly swaps: (query: {
    readonly pool: PoolNumber
    readonly fromTs: UnixSeconds
    readonly rowsMax: number
  }) => Promise<readonly StoredSwap[]>
  /** As for candles, per token. */
  readonly references: (query: {
    readonly address: Address
    readonly width: CandleWidth
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<{
    readonly before: ReferencePoint | null
    readonly rows: readonly ReferencePoint[]
  }>
}

export type StoreReader = {
  readonly snapshot: <T>(read: (snapshot: StoreSnapshot) => Promise<T>) => Promise<T>
}

export type Store = StoreWriter & StoreReader & { readonly close: () => Promise<void> }
