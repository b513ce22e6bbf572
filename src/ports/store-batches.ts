import type { BlockRef, TimedBlock } from '../domain/chain/block-ref.ts'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { PoolIdentity, PoolNumber, PoolState, RawAmounts } from '../domain/pool/pool-state.ts'
import type {
  Candle,
  ReferencePoint,
  StoredLiquidityChange,
  StoredSwap,
  StoredTick,
} from '../domain/pool/stored-rows.ts'
import type { Quote } from '../domain/price/quote.ts'
import type { PoolCoverage } from '../domain/status/pool-coverage.ts'
import type { PoolSearch } from '../domain/status/pool-search.ts'
import type { CoveragePass } from '../domain/status/venue-coverage.ts'
import type { TokenMetadata } from '../domain/token/metadata.ts'
import type { Address, BlockNumber, UnixSeconds } from '../domain/units.ts'

export type SyncPhase = 'discover' | 'liquidity' | 'state' | 'swaps' | 'done'

export type SyncProgress = {
  readonly phase: SyncPhase
  readonly done: number
  readonly total: number
}

/** Progress as the status shows it. */
export type SyncProgressWithEvents = SyncProgress & {
  /** Logs read since the start. */
  readonly events: number
}

/**
 * How far back the swaps of the pools of the bootstrap reach (methodology §8). Pools created later
 * have all of their swaps.
 */
export type BackfillCursor = {
  /** Swaps after this block are complete; up to and including it they are missing. */
  readonly completeAfter: BlockRef
  /** The oldest block to backfill: done once `completeAfter` lies before it. */
  readonly firstBlock: BlockNumber
  /** The first `completeAfter`. */
  readonly startedAt: BlockNumber
  /** Pools up to this number were seeded without their swaps. */
  readonly lastPoolNumber: PoolNumber
}

/** The store's one row of cursors and counters, written by every transaction. */
export type IndexHeader = {
  /** Grows with every commit that changes an answer. */
  readonly revision: number
  /** Grows when stored events were replaced: readers must recompute their sums. */
  readonly epoch: number
  readonly identity: ChainIdentity
  readonly cursor: BlockRef | null
  /** Finality checks matched up to this block. Never decreases. */
  readonly finalizedCursor: BlockRef | null
  readonly head: BlockRef | null
  /** The last finality check compared two endpoints. */
  readonly crossChecked: boolean
  /** Events that finality checks found missing, wrong or surplus, over the store's lifetime. */
  readonly repairs: number
  readonly progress: SyncProgress
  /** Null: every pool has all of its swaps. */
  readonly backfillCursor: BackfillCursor | null
  /** Null: no branch was replaced since this is recorded. */
  readonly lastReplacement: ReplacementRecord | null
  /** When enrichment last completed. */
  readonly enrichedTs: UnixSeconds | null
  /** When the last pass over all stocks read their contracts. */
  readonly stocksReadTs: UnixSeconds | null
  /** Null before the first coverage audit of this chain's pools. */
  readonly coverage: PoolCoverage | null
  /** Null before the first audit of creation logs. */
  readonly coveragePass: CoveragePass | null
  /** Retention has deleted swaps before this time; null: none. */
  readonly swapsKeptSince: UnixSeconds | null
  /** When the process of the last claim started. */
  readonly writerStartedTs: UnixSeconds | null
}

/** A branch replacement, for readers that missed the moment. */
export type ReplacementRecord = {
  /** The epoch that began with it; other changes may have begun later ones. */
  readonly epoch: number
  /** The common ancestor; null: no block stayed. */
  readonly ancestor: TimedBlock | null
}

/** All changes of a range of blocks, written in one transaction. */
export type RangeBatch = {
  /** Rejected unless the store's cursor is at this block; null for the first batch. */
  readonly expectedCursor: BlockNumber | null
  /** The range's last block, which becomes the cursor. */
  readonly to: BlockRef
  readonly head: BlockRef
  readonly progress: SyncProgress
  /** Blocks of the range that hold events: later reorg searches compare their hashes. */
  readonly blocks: readonly BlockRef[]
  readonly pools: readonly PoolIdentity[]
  readonly states: readonly { readonly pool: PoolNumber; readonly state: PoolState }[]
  readonly ticks: readonly StoredTick[]
  readonly swaps: readonly StoredSwap[]
  readonly liquidity: readonly StoredLiquidityChange[]
  /** Merged into stored candles as `mergeCandles` does, the stored half being the earlier one. */
  readonly candles: readonly Candle[]
  readonly references: readonly ReferencePoint[]
}

/** A pool whose tick map is read up to and including a block. */
export type TickMapCursor = { readonly pool: PoolNumber; readonly mappedTo: BlockNumber }

/** State of an unfinished bootstrap (methodology §8). Until it ends its pools have an index gap. */
export type BootstrapState = {
  /** Batches written so far. */
  readonly steps: number
  /** All data is of this block's branch, up to and including it. */
  readonly to: BlockRef
  /** Pools are discovered up to this block. */
  readonly discoveredTo: BlockNumber
  /** Pools without an entry have no ticks yet. */
  readonly tickMapCursors: readonly TickMapCursor[]
}

/** The result of one step of the bootstrap, written in one transaction. */
export type BootstrapBatch = {
  /** Rejected unless this many batches are written; 0 for the first. */
  readonly expectedSteps: number
  readonly progress: SyncProgress
  /** What the bootstrap searches: it is complete when the bootstrap is. */
  readonly searches: readonly PoolSearch[]
} & Pick<BootstrapState, 'to' | 'discoveredTo' | 'tickMapCursors'> &
  Pick<RangeBatch, 'pools' | 'states' | 'ticks'>

/** Pools that are added with their past, up to the cursor. */
export type PoolSeedBatch = {
  /** Rejected unless the cursor is at this block; null for an empty store. */
  readonly expectedCursor: BlockNumber | null
  readonly at: BlockRef
  readonly head: BlockRef
  readonly progress: SyncProgress
  /** Swaps that these pools lack, for an empty store. Null keeps the header's cursor. */
  readonly backfillCursor: BackfillCursor | null
  /** Complete from now on: all of their pools are stored. Stored reference points stay. */
  readonly searches: readonly PoolSearch[]
} & Pick<
  RangeBatch,
  'blocks' | 'pools' | 'states' | 'ticks' | 'swaps' | 'liquidity' | 'candles' | 'references'
>

/** A pool's depth, of which its stored state has none. */
export type PoolDepth = { readonly pool: PoolNumber; readonly depth: RawAmounts }

/** A pool's newest swap, found by the backfill after the pool's state was read. */
export type LastSwap = {
  readonly pool: PoolNumber
  readonly ts: UnixSeconds
  readonly block: BlockNumber
  readonly fee: number | null
  /** The swap showed that the pool's hook holds the tokens (methodology §4). */
  readonly isHookServed: boolean
}

/** A range of past blocks, written in one transaction. Never changes a pool's state. */
export type BackfillBatch = {
  /** Rejected unless `completeAfter` of the backfill cursor is at this block. */
  readonly expectedCursor: BlockNumber
  /** The new `completeAfter`; unchanged by a batch that only has reference points. */
  readonly after: BlockRef
  readonly progress: SyncProgress
  /** Stored for pools without a swap. */
  readonly lastSwaps: readonly LastSwap[]
  /** Candles are the earlier halves of stored ones. Stored reference points stay. */
} & Pick<RangeBatch, 'blocks' | 'swaps' | 'liquidity' | 'candles' | 'references'>

/** A pool as of a common ancestor. */
export type PoolAtAncestor = {
  readonly pool: PoolNumber
  readonly state: PoolState
  readonly ticks: readonly StoredTick[]
  /** The candles whose bucket contains the ancestor. */
  readonly candles: readonly Candle[]
}

/** Replaces all events above a common ancestor. */
export type BranchReplacement = {
  /** Rejected unless the header has this epoch and cursor. */
  readonly epoch: number
  readonly cursor: BlockRef
  /** The last block that stays; null if none does. Never below the finalized cursor. */
  readonly ancestor: BlockRef | null
  /** Every pool that existed at the ancestor and has an event above it. */
  readonly restored: readonly PoolAtAncestor[]
  /** The new branch above the ancestor; may end below the old cursor. */
  readonly branch: RangeBatch
  /** Events found missing, wrong or surplus; 0 for a reorg. */
  readonly repairs: number
}

/** The result of a finality check that matched. */
export type FinalityUpdate = {
  /** Rejected unless the finalized cursor is at this block; null for the first. */
  readonly expectedCursor: BlockNumber | null
  readonly to: BlockRef
  readonly crossChecked: boolean
}

export type StoredPool = PoolIdentity &
  PoolState & {
    /** When the pool last met the conditions of `hot` (methodology §6). */
    readonly lastHotTs: UnixSeconds | null
  }

/** The key of a swap's row, its transaction, and that one's sender (null: not read yet). */
export type SwapTransaction = Pick<
  StoredSwap,
  'pool' | 'block' | 'logIndex' | 'ts' | 'txHash' | 'trader'
>

export type StoredToken = TokenMetadata & { readonly address: Address }

/** A pool's reserves from a source other than its tick map (methodology §4). */
export type ExternalReserve = {
  readonly pool: PoolNumber
  readonly source: 'balance' | 'screener'
  /** Whole tokens. */
  readonly amount0: number | null
  readonly amount1: number | null
  /** As the screener reports it; null for balances. */
  readonly liquidityUsd: number | null
  readonly ts: UnixSeconds
}

/** Volume of some of a pool's swaps. */
export type VolumeSum = {
  readonly pool: PoolNumber
  /** Exact at any size, so that it can be subtracted from another sum. */
  readonly usdMicro: bigint
  readonly swaps: number
  readonly unpriced: number
  readonly estimated: number
  readonly implausible: number
  /** Sum of the known yields (`feeYieldParts`), exact as well. */
  readonly feeYield: bigint
  /** Swaps whose yield is known. */
  readonly yielded: number
}

export type EnrichmentBatch = {
  readonly ts: UnixSeconds
  readonly quotes: readonly Quote[]
  readonly references: readonly ReferencePoint[]
  readonly reserves: readonly ExternalReserve[]
  readonly hot: readonly { readonly pool: PoolNumber; readonly lastHotTs: UnixSeconds }[]
}
