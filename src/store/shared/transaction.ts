import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolIdentity, PoolNumber } from '../../domain/pool/pool-state.ts'
import type {
  Candle,
  CandleWidth,
  ReferencePoint,
  StoredLiquidityChange,
  StoredSwap,
  StoredTick,
} from '../../domain/pool/stored-rows.ts'
import type { Quote } from '../../domain/price/quote.ts'
import type { PoolSearch } from '../../domain/status/pool-search.ts'
import type { SourceRecord } from '../../domain/status/source-state.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import type {
  EnrichmentBatch,
  ExternalReserve,
  IndexHeader,
  LastSwap,
  PoolDepth,
  RangeBatch,
  ReplacementRecord,
  StoredToken,
  SwapTransaction,
  TickMapCursor,
} from '../../ports/store-batches.ts'
import type { Eventual, Session } from './session.ts'
import type { BootstrapRow } from './tables.ts'

/** Writes records as if one after the other; returns the number of changed rows. */
type Writer<T> = (records: readonly T[]) => Eventual<number>

/** The same for rows that carry the revision of their last change. */
type RevisedWriter<T> = (records: readonly T[], revision: number) => Eventual<number>

/** Writes records as rows: one statement per record, or one per table. */
export type RowWriters = {
  readonly blocks: Writer<BlockRef>
  readonly pools: RevisedWriter<PoolIdentity>
  readonly states: RevisedWriter<RangeBatch['states'][number]>
  /** Stored for pools with reserves and without a depth. */
  readonly depths: RevisedWriter<PoolDepth>
  readonly lastHot: RevisedWriter<EnrichmentBatch['hot'][number]>
  /** Stored for pools without a swap. */
  readonly lastSwaps: RevisedWriter<LastSwap>
  /** Deletes ticks without liquidity. */
  readonly ticks: Writer<StoredTick>
  readonly swaps: Writer<StoredSwap>
  readonly traders: Writer<SwapTransaction>
  readonly liquidity: Writer<StoredLiquidityChange>
  /** The stored half of a candle is the earlier one. */
  readonly candles: Writer<Candle>
  /** The stored half of a candle is the later one. */
  readonly earlierCandles: Writer<Candle>
  readonly references: Writer<ReferencePoint>
  /** Stored points stay: they are later, or of a better source. */
  readonly earlierReferences: Writer<ReferencePoint>
  readonly replacements: Writer<ReplacementRecord>
  readonly searches: Writer<PoolSearch>
  readonly removeSearches: Writer<Address>
  readonly bootstrap: Writer<BootstrapRow>
  readonly tickMapCursors: Writer<TickMapCursor>
  readonly tokens: RevisedWriter<StoredToken>
  readonly stocks: RevisedWriter<Stock>
  readonly sources: Writer<SourceRecord>
  readonly quotes: Writer<Quote>
  readonly reserves: Writer<ExternalReserve>
  readonly removeTicks: (pools: readonly PoolNumber[]) => Eventual<unknown>
  readonly removeCandles: (
    pools: readonly PoolNumber[],
    width: CandleWidth,
    fromTs: UnixSeconds,
  ) => Eventual<unknown>
}

export type Transaction = Session & {
  readonly rows: RowWriters
  /** Locks the row, which serializes the writes of all processes. */
  readonly header: () => Eventual<IndexHeader | null>
  readonly saveHeader: (header: IndexHeader) => Eventual<unknown>
}

/** The connection of the writer. */
export type WriteConnection<Tx extends Transaction = Transaction> = {
  /** Rolls back if `work` rejects. `work` may run more than once. */
  readonly write: <T>(work: (tx: Tx) => Eventual<T>) => Promise<T>
  readonly read: <T>(work: (session: Session) => Eventual<T>) => Promise<T>
}
