import type { BlockRef } from '../domain/chain/block-ref.ts'
import type { ChainIdentity } from '../domain/chain/chain-identity.ts'
import type { PoolIdentity, PoolNumber, PoolState } from '../domain/pool/pool-state.ts'
import type {
  Candle,
  ReferencePoint,
  StoredLiquidityChange,
  StoredSwap,
  StoredTick,
} from '../domain/pool/stored-rows.ts'
import type { Quote } from '../domain/price/quote.ts'
import type { TokenMetadata } from '../domain/token/metadata.ts'
import type { Address, BlockNumber, UnixSeconds } from '../domain/units.ts'

export type SyncPhase = 'discover' | 'liquidity' | 'state' | 'swaps' | 'done'

export type SyncProgress = {
  readonly phase: SyncPhase
  readonly done: number
  readonly total: number
}

/** How far the index is, for whoever watches. */
export type SyncProgressWithEvents = SyncProgress & {
  /** Logs read since the start. */
  readonly events: number
}

/**
 * How far back the swaps of the first pools reach (methodology §8). Pools that came later have all
 * of theirs.
 */
export type BackfillCursor = {
  /** Everything after this block is in; of this block and those before it swaps are missing. */
  readonly completeAfter: BlockRef
  /** The first block that is worth having: complete once `after` lies before it. */
  readonly firstBlock: BlockNumber
  /** Where `after` stood at first. */
  readonly startedAt: BlockNumber
  /** Up to this number pools were taken in without their swaps. */
  readonly lastPoolNumber: PoolNumber
}

/** The one row that says where everything stands. */
export type IndexHeader = {
  /** Grows with every commit that changes an answer. */
  readonly revision: number
  /** Grows when stored events were replaced: whoever keeps sums must start anew. */
  readonly epoch: number
  readonly identity: ChainIdentity
  readonly cursor: BlockRef | null
  /** Up to here all was read a second time when it was final, and agrees; never goes back. */
  readonly finalizedCursor: BlockRef | null
  readonly head: BlockRef | null
  /** Two endpoints told what was settled last. */
  readonly crossChecked: boolean
  /** Events that settling found missing, wrong or too many, since the store began. */
  readonly repairs: number
  readonly progress: SyncProgress
  /** Null: every pool has all of its swaps. */
  readonly backfillCursor: BackfillCursor | null
  /** When reserves and references were last brought up to date. */
  readonly enrichedTs: UnixSeconds | null
  /** When the writer that wrote last was started. */
  readonly writerStartedTs: UnixSeconds | null
}

/** Everything that a range of blocks changed, written in one transaction. */
export type RangeBatch = {
  /** The fence: the indexed block that this batch continues; null for the first. */
  readonly expectedCursor: BlockNumber | null
  /** The range's last block, which becomes the indexed one. */
  readonly to: BlockRef
  readonly head: BlockRef
  readonly progress: SyncProgress
  /** Blocks of the range that hold events, for the chain's identity later on. */
  readonly blocks: readonly BlockRef[]
  readonly pools: readonly PoolIdentity[]
  readonly states: readonly { readonly pool: PoolNumber; readonly state: PoolState }[]
  readonly ticks: readonly StoredTick[]
  readonly swaps: readonly StoredSwap[]
  readonly liquidity: readonly StoredLiquidityChange[]
  /**
   * Merged into what is kept: open stays, extremes widen, sums add (dollars as `addUsdMicro` does),
   * the close and reserves replace; but of two halves of which one has no swap, open and extremes
   * are the other's.
   */
  readonly candles: readonly Candle[]
  readonly references: readonly ReferencePoint[]
}

/** A pool whose liquidity map is read up to a block, that block included. */
export type TickMapCursor = { readonly pool: PoolNumber; readonly mappedTo: BlockNumber }

/** How far the first reading of a long chain is (methodology §8). Its pools show an index gap. */
export type BootstrapState = {
  /** Batches that were written. */
  readonly steps: number
  /** All that was read is of the branch that holds this block, and not above it. */
  readonly to: BlockRef
  /** Pools are found up to this block. */
  readonly discoveredTo: BlockNumber
  /** Pools without an entry have no ticks yet. */
  readonly tickMapCursors: readonly TickMapCursor[]
}

/** What one step of a first reading found, written in one transaction. */
export type BootstrapBatch = {
  /** The fence: how many batches were written before; 0 for the first. */
  readonly expectedSteps: number
  readonly progress: SyncProgress
  /** Stocks whose pools are looked for. */
  readonly discoveredStocks: readonly Address[]
} & Pick<BootstrapState, 'to' | 'discoveredTo' | 'tickMapCursors'> &
  Pick<RangeBatch, 'pools' | 'states' | 'ticks'>

/** Pools that are taken in with their past, up to the block at which the index stands. */
export type PoolSeedBatch = {
  /** The fence: the indexed block; null for an empty store, which then stands at `at`. */
  readonly expectedCursor: BlockNumber | null
  readonly at: BlockRef
  readonly head: BlockRef
  readonly progress: SyncProgress
  /** Of an empty store: what is missing of these pools' swaps. Null leaves the header's. */
  readonly backfillCursor: BackfillCursor | null
  /** Stocks of which no pool is missing any more. A reference that is kept already stays. */
  readonly discoveredStocks: readonly Address[]
} & Pick<
  RangeBatch,
  'blocks' | 'pools' | 'states' | 'ticks' | 'swaps' | 'liquidity' | 'candles' | 'references'
>

/** A pool's newest swap, found when its state was known already. */
export type LastSwap = {
  readonly pool: PoolNumber
  readonly ts: UnixSeconds
  readonly block: BlockNumber
  readonly fee: number | null
  /** The swap revealed that the pool's hook holds the tokens (methodology §4). */
  readonly isHookServed: boolean
}

/** A range of the past, written in one transaction; it never changes a state. */
export type BackfillBatch = {
  /** The fence: the block of the history's `after` that this batch precedes. */
  readonly expectedCursor: BlockNumber
  /** The new `after`; the old one for a batch of references alone. */
  readonly after: BlockRef
  readonly progress: SyncProgress
  /** Kept where a pool has no swap yet. */
  readonly lastSwaps: readonly LastSwap[]
  /** The earlier halves of what is kept; a reference that is kept already stays. */
} & Pick<RangeBatch, 'blocks' | 'swaps' | 'liquidity' | 'candles' | 'references'>

/** A pool as it was at an ancestor. */
export type PoolAtAncestor = {
  readonly pool: PoolNumber
  readonly state: PoolState
  readonly ticks: readonly StoredTick[]
  /** Its buckets that the ancestor lies in. */
  readonly candles: readonly Candle[]
}

/** What takes the place of everything above an ancestor. */
export type BranchReplacement = {
  /** The fence: the epoch and the indexed block that this was made for. */
  readonly epoch: number
  readonly cursor: BlockRef
  /** The last block that stays; null if none does. Never below the settled one. */
  readonly ancestor: BlockRef | null
  /** Every pool that existed at the ancestor and that an event above it touched. */
  readonly restored: readonly PoolAtAncestor[]
  /** The new branch, from the ancestor on; may end below the block indexed so far. */
  readonly branch: RangeBatch
  /** Events that were found missing, wrong or too many; 0 for a reorganisation. */
  readonly repairs: number
}

/** A range that was read again and agrees. */
export type FinalityUpdate = {
  /** The fence: the settled block that this continues; null for the first. */
  readonly expectedCursor: BlockNumber | null
  readonly to: BlockRef
  readonly crossChecked: boolean
}

export type StoredPool = PoolIdentity &
  PoolState & {
    /** When the conditions of `hot` last held (methodology §6). */
    readonly lastHotTs: UnixSeconds | null
  }

export type StoredToken = TokenMetadata & { readonly address: Address }

/** What a pool holds by another way than its map (methodology §4). */
export type ExternalReserve = {
  readonly pool: PoolNumber
  readonly source: 'balance' | 'screener'
  /** Whole tokens. */
  readonly amount0: number | null
  readonly amount1: number | null
  /** What a screener says that it is worth; null of balances. */
  readonly liquidityUsd: number | null
  readonly ts: UnixSeconds
}

/** What some of a pool's swaps sum up to. */
export type VolumeSum = {
  readonly pool: PoolNumber
  /** Exact at any size, so that it can be taken off another sum again. */
  readonly usdMicro: bigint
  readonly swaps: number
  readonly unpriced: number
  readonly estimated: number
}

export type EnrichmentBatch = {
  readonly ts: UnixSeconds
  readonly quotes: readonly Quote[]
  readonly references: readonly ReferencePoint[]
  readonly reserves: readonly ExternalReserve[]
  readonly hot: readonly { readonly pool: PoolNumber; readonly lastHotTs: UnixSeconds }[]
}
