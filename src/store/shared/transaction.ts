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
import type { SourceRecord } from '../../domain/status/source-state.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import type {
  EnrichmentBatch,
  ExternalReserve,
  IndexHeader,
  LastSwap,
  RangeBatch,
  StoredToken,
  TickMapCursor,
} from '../../ports/store-batches.ts'
import type { Eventual, Session } from './session.ts'
import type { BootstrapRow } from './tables.ts'

/** Writes records as if one after the other; returns how many rows that changed. */
type Writer<T> = (records: readonly T[]) => Eventual<number>

/** The same for rows that carry the revision of their last change. */
type RevisedWriter<T> = (records: readonly T[], revision: number) => Eventual<number>

/** How records become rows: one statement per record, or one per table. */
export type RowWriters = {
  readonly blocks: Writer<BlockRef>
  readonly pools: RevisedWriter<PoolIdentity>
  readonly states: RevisedWriter<RangeBatch['states'][number]>
  readonly lastHot: RevisedWriter<EnrichmentBatch['hot'][number]>
  /** Kept where a pool has no swap yet. */
  readonly lastSwaps: RevisedWriter<LastSwap>
  /** A tick without liquidity is removed. */
  readonly ticks: Writer<StoredTick>
  readonly swaps: Writer<StoredSwap>
  readonly liquidity: Writer<StoredLiquidityChange>
  /** The stored half of a candle is the earlier one. */
  readonly candles: Writer<Candle>
  /** The stored half of a candle is the later one. */
  readonly earlierCandles: Writer<Candle>
  readonly references: Writer<ReferencePoint>
  /** A stored reference stays: it is later, or from a better source. */
  readonly earlierReferences: Writer<ReferencePoint>
  readonly discoveredStocks: Writer<Address>
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
  /** Locks it: writes follow each other, whichever process they come from. */
  readonly header: () => Eventual<IndexHeader | null>
  readonly saveHeader: (header: IndexHeader) => Eventual<unknown>
}

/** The one connection that writes, and reads what the writer asks for. */
export type WriteConnection<Tx extends Transaction = Transaction> = {
  /** All of `work` or, if it rejects, nothing of it. `work` may run more than once. */
  readonly write: <T>(work: (tx: Tx) => Eventual<T>) => Promise<T>
  readonly read: <T>(work: (session: Session) => Eventual<T>) => Promise<T>
}
