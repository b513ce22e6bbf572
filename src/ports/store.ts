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
  StoredTick,
} from '../domain/pool/stored-rows.ts'
import type { Quote } from '../domain/price/quote.ts'
import type { PoolCoverage } from '../domain/status/pool-coverage.ts'
import type { PoolSearch } from '../domain/status/pool-search.ts'
import type { SourceRecord } from '../domain/status/source-state.ts'
import type { CoveragePass } from '../domain/status/venue-coverage.ts'
import type { Stock } from '../domain/stock/stock.ts'
import type { Address, BlockNumber, PoolId, UnixSeconds } from '../domain/units.ts'
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
  PoolDepth,
  PoolSeedBatch,
  RangeBatch,
  ReplacementRecord,
  StoredPool,
  StoredToken,
  SwapTransaction,
  SyncProgress,
  VolumeSum,
} from './store-batches.ts'
import type { HistoryReads } from './store-history.ts'

export type StoreWriter = {
  /**
   * Claims the store for this chain; fails if it belongs to another. An origin hash that one side
   * does not know is no conflict, and is stored once known. An earlier claim without an origin hash
   * and a cursor is replaced, with all rows written under it: no chain has confirmed it.
   */
  readonly claim: (
    identity: ChainIdentity,
    startedTs: UnixSeconds,
    /** A block that the chain has: a store with it is of this chain and gets its first block. */
    proof?: BlockRef | null,
  ) => Promise<'ready' | 'other-chain'>
  /** One transaction, fenced by `batch.expectedCursor`. Idempotent. */
  readonly commitRange: (batch: RangeBatch) => Promise<'committed' | 'stale-cursor'>
  /** Replaces a pool's state and complete tick map, after a rebuild. */
  readonly replaceTickMap: (
    pool: PoolNumber,
    state: PoolState,
    ticks: readonly StoredTick[],
  ) => Promise<void>
  /** Adds depths to pools that a version without depths stored; a stored depth stays. */
  readonly recordDepths: (depths: readonly PoolDepth[]) => Promise<void>
  /** One transaction, fenced by `batch.expectedSteps`: a second write is stale. */
  readonly commitBootstrap: (batch: BootstrapBatch) => Promise<'committed' | 'stale-cursor'>
  /**
   * Deletes all chain data in one transaction, fenced by the cursor (null: the bootstrap has not
   * ended). Rejected once a block is finalized. Reference points stay.
   */
  readonly resetIndex: (cursor: BlockRef | null) => Promise<'committed' | 'stale-cursor'>
  /** One transaction adds pools with all their rows. Ends the bootstrap, whose pools are stored. */
  readonly seedPools: (batch: PoolSeedBatch) => Promise<'committed' | 'stale-cursor'>
  /** One transaction, fenced by `batch.expectedCursor`. Idempotent. */
  readonly commitBackfill: (batch: BackfillBatch) => Promise<'committed' | 'stale-cursor'>
  /** Records progress when there is no batch to commit. */
  readonly recordProgress: (progress: SyncProgress) => Promise<void>
  /** Replaces the rows of these addresses. */
  readonly recordSearches: (searches: readonly PoolSearch[]) => Promise<void>
  /** Deletes the rows of addresses that the index no longer follows. */
  readonly forgetSearches: (addresses: readonly Address[]) => Promise<void>
  /**
   * Replaces a branch in one transaction and increments the epoch. Idempotent. Reference points
   * stay: they are prices, not events.
   */
  readonly replaceBranch: (
    replacement: BranchReplacement,
  ) => Promise<'committed' | 'stale-cursor' | 'below-finalized'>
  /** Advances the finalized cursor, fenced by `update.expectedCursor`. Idempotent. */
  readonly advanceFinalized: (update: FinalityUpdate) => Promise<'committed' | 'stale-cursor'>
  readonly recordHead: (head: BlockRef) => Promise<void>
  readonly recordCoverage: (coverage: PoolCoverage) => Promise<void>
  readonly recordCoveragePass: (pass: CoveragePass) => Promise<void>
  /** Sets the traders of rows that still hold a swap of the same transaction, without a trader. */
  readonly recordTraders: (swaps: readonly SwapTransaction[]) => Promise<void>
  readonly recordTokens: (tokens: readonly StoredToken[]) => Promise<void>
  /**
   * `passTs`: a pass over all stocks at this time has read every stored stock that is not marked as
   * failed. It is stored once, so that a pass without changes rewrites no row.
   */
  readonly recordStocks: (stocks: readonly Stock[], passTs?: UnixSeconds) => Promise<void>
  readonly recordSource: (record: SourceRecord) => Promise<void>
  /** Records one enrichment pass: quotes, reference points, external reserves, hot pools. */
  readonly recordEnrichment: (pass: EnrichmentBatch) => Promise<void>
  /**
   * Deletes raw swaps and minute rows before the limits, and blocks a day before the finalized
   * cursor, in bounded transactions. Hours and days are never deleted. Returns the number of
   * deleted rows.
   */
  readonly prune: (limits: {
    readonly swapsBeforeTs: UnixSeconds
    readonly minuteRowsBeforeTs: UnixSeconds
  }) => Promise<number>
  /** All tokens, ordered by address. */
  readonly readTokens: () => AsyncIterable<StoredToken>
  /**
   * All pools, ordered by number, for the start of a process. A caller that reads header, pools and
   * ticks in this order detects another writer by its own first commit.
   */
  readonly readPools: () => AsyncIterable<StoredPool>
  /** All ticks of all pools, in (pool, tick) order. */
  readonly readTicks: () => AsyncIterable<StoredTick>
  /** Null before a bootstrap begins and after it has ended. */
  readonly readBootstrap: () => Promise<BootstrapState | null>
  /** Stored liquidity changes in blocks > `block`, newest first. */
  readonly readLiquidityAfter: (block: BlockNumber) => Promise<readonly StoredLiquidityChange[]>
  /** The newest stored block at or below this one; see `prune`. */
  readonly readBlockAtOrBelow: (block: BlockNumber) => Promise<BlockRef | null>
  /** Stored events of the range, each list in any order. */
  readonly readEvents: (range: BlockRange) => Promise<StoredRangeEvents>
  /** Pools with events above the ancestor (null: all); may contain others, misses none. */
  readonly readPoolsChangedAfter: (ancestor: BlockRef | null) => Promise<readonly PoolNumber[]>
  /** Swaps before this one, newest first; null: from the newest on. */
  readonly readSwapTransactions: (
    before: Pick<SwapTransaction, 'block' | 'logIndex' | 'ts'> | null,
    rowsMax: number,
  ) => Promise<readonly SwapTransaction[]>
  readonly readPoolHistory: (pool: PoolNumber, block: BlockNumber) => Promise<PoolHistory>
}

/** Pool numbers, both ends included. */
export type PoolNumbers = { readonly from: PoolNumber; readonly to: PoolNumber }

/** Reads of one state of the store. */
export type StoreSnapshot = HistoryReads & {
  readonly header: () => Promise<IndexHeader | null>
  /**
   * All pools by number and all tokens by address, in pages whose length the store chooses: a
   * caller that converts all rows at once would hold them twice.
   */
  readonly pools: () => AsyncIterable<readonly StoredPool[]>
  readonly tokens: () => AsyncIterable<readonly StoredToken[]>
  readonly poolsChangedAfter: (revision: number) => Promise<readonly StoredPool[]>
  readonly tokensChangedAfter: (revision: number) => Promise<readonly StoredToken[]>
  /** Pools with `from` <= number <= `to`, by number. */
  readonly poolsBetween: (numbers: PoolNumbers) => Promise<readonly StoredPool[]>
  /** Pools with `from` <= id <= `to`, compared as bytes, by id. */
  readonly poolsById: (ids: {
    readonly from: PoolId
    readonly to: PoolId
  }) => Promise<readonly StoredPool[]>
  /** Both tokens of the pools with these numbers, each once, in any order. */
  readonly tokensOfPools: (numbers: PoolNumbers) => Promise<readonly StoredToken[]>
  /** A pool's tick map, by tick; empty for an unknown pool. */
  readonly ticksOfPool: (pool: PoolNumber) => Promise<readonly StoredTick[]>
  readonly stocksChangedAfter: (revision: number) => Promise<readonly Stock[]>
  readonly quotes: () => Promise<readonly Quote[]>
  readonly reserves: () => Promise<readonly ExternalReserve[]>
  readonly sources: () => Promise<readonly SourceRecord[]>
  /** Complete and running searches, by address. */
  readonly searches: () => Promise<readonly PoolSearch[]>
  /** Per pool that has swaps with `afterTs` < ts <= `toTs` in blocks > `afterBlock`. */
  readonly volume: (span: {
    readonly afterTs: UnixSeconds
    readonly toTs: UnixSeconds
    readonly afterBlock: BlockNumber
  }) => Promise<readonly VolumeSum[]>
  /**
   * The same for complete hours, `fromTs` <= ts < `toTs`, from hourly candles, in a fraction of the
   * time. Sums that exceed a candle's limit are computed from the swaps.
   */
  readonly hourlyVolume: (span: {
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<readonly VolumeSum[]>
  /** Candles with `fromTs` <= ts <= `toTs`, oldest first, and the last one before `fromTs`. */
  readonly candles: (query: {
    readonly pool: PoolNumber
    readonly width: CandleWidth
    readonly fromTs: UnixSeconds
    readonly toTs: UnixSeconds
  }) => Promise<{ readonly before: Candle | null; readonly rows: readonly Candle[] }>
  /** A block of which events are stored or at which a batch ended; null for any other. */
  readonly block: (block: BlockNumber) => Promise<BlockRef | null>
  /** The branch replacements that began later epochs than this one, oldest first. */
  readonly replacementsAfter: (epoch: number) => Promise<readonly ReplacementRecord[]>
  /** The same as `candles`, per token. */
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
