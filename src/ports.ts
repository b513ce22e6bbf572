import type { Anchor, ChainLog } from './domain/chain/chain-log.ts'
import type { SourceRecord } from './domain/freshness/source-row.ts'
import type { StoredEvents } from './domain/ingest/ledger.ts'
import type { PoolPast } from './domain/ingest/past.ts'
import type { Outcome } from './domain/outcome.ts'
import type { PoolIdentity, PoolNumber, PoolState } from './domain/pool/pool-state.ts'
import type {
  Candle,
  CandleWidth,
  ReferencePoint,
  StoredLiquidityChange,
  StoredSwap,
  StoredTick,
} from './domain/pool/stored-events.ts'
import type { Quote, QuoteSourceId } from './domain/stock/quote.ts'
import type { Stock, StockListing } from './domain/stock/stock.ts'
import type { TokenMetadata } from './domain/token/metadata.ts'
import type { Address, BlockNumber, Hash, Hex, PoolId, UnixSeconds } from './domain/units.ts'

/** The one way to learn the time. */
export type Clock = { readonly now: () => UnixSeconds }

export type LogFields = Readonly<Record<string, unknown>>
export type Logger = {
  readonly debug: (message: string, fields?: LogFields) => void
  readonly info: (message: string, fields?: LogFields) => void
  readonly warn: (message: string, fields?: LogFields) => void
  readonly error: (message: string, fields?: LogFields) => void
}

// ---------------------------------------------------------------- the chain

/** Why a node did not answer as asked. `detail` names at most the endpoint's host. */
export type RpcFault =
  | {
      readonly kind: 'unreachable' | 'timeout' | 'malformed' | 'too-large'
      readonly detail: string
    }
  | {
      readonly kind: 'rate-limited'
      readonly retryAfterSeconds: number | null
      readonly detail: string
    }
  /** The range holds more than the node will answer; `suggestedBlocks` if it says how much it would. */
  | {
      readonly kind: 'range-too-large'
      readonly suggestedBlocks: number | null
      readonly detail: string
    }
  /** The node has not seen the block yet, or has forgotten its state. */
  | { readonly kind: 'behind'; readonly detail: string }
  | { readonly kind: 'wrong-chain'; readonly detail: string }
  | { readonly kind: 'rejected'; readonly detail: string }

export type LogFilter = {
  readonly addresses?: readonly Address[]
  /** By position; null matches anything, a list matches any of it. */
  readonly topics: readonly (readonly Hash[] | null)[]
}

export type BlockRange = { readonly from: BlockNumber; readonly to: BlockNumber }

export type ContractCall = { readonly to: Address; readonly data: Hex }

/** A call's return data, or why there is none: it reverted, or answered more than the cap. */
export type CallResult =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly reason: 'reverted' | 'too-large' }

export type Heads = {
  readonly latest: Anchor
  /** The newest block that the chain calls final by the network's rule; null if it can not say. */
  readonly finalized: Anchor | null
}

/** Logs and how many endpoints told every one of them, independently of each other. */
export type WitnessedLogs = {
  readonly logs: readonly ChainLog[]
  readonly witnesses: number
}

export type ChainReader = {
  readonly chainId: () => Promise<Outcome<number, RpcFault>>
  readonly heads: () => Promise<Outcome<Heads, RpcFault>>
  readonly anchor: (block: BlockNumber) => Promise<Outcome<Anchor, RpcFault>>
  /**
   * In chain order, each with its block's time, none removed, none twice. `times: false` spares the
   * node the headers of logs that state no time; those then have the time 0.
   */
  readonly logs: (
    range: BlockRange,
    filter: LogFilter,
    need?: { readonly times: boolean },
  ) => Promise<Outcome<readonly ChainLog[], RpcFault>>
  /**
   * As `logs`, but asked of two endpoints where there are two: logs carry no proof, and a node that
   * lags leaves some out. Of two answers the one that holds the other counts; it is then witnessed
   * once. Two that contradict each other are a fault.
   */
  readonly witnessedLogs: (
    range: BlockRange,
    filter: LogFilter,
  ) => Promise<Outcome<WitnessedLogs, RpcFault>>
  /** One result per call, in order. A hostile contract spoils only its own. */
  readonly calls: (
    calls: readonly ContractCall[],
    at: BlockNumber | 'latest',
  ) => Promise<Outcome<readonly CallResult[], RpcFault>>
  readonly storageAt: (address: Address, slot: Hash) => Promise<Outcome<Hash, RpcFault>>
}

// ---------------------------------------------------------------- prices from outside

export type SourceFault = {
  readonly kind: 'unreachable' | 'rate-limited' | 'malformed'
  readonly detail: string
}

/** What a quote source is asked for. */
export type QuoteWanted = {
  readonly address: Address
  readonly symbol: string
  /** A stock, which issuers quote, or a trusted token, which only feeds price. */
  readonly isStock: boolean
  readonly feed: Address | null
}

export type QuotesRead = {
  readonly quotes: readonly Quote[]
  /** Rows that came but were refused, with the reason ("bid-not-positive", "currency-not-usd", ...). */
  readonly refused: readonly { readonly symbol: string; readonly reason: string }[]
  /** How many of the wanted tokens this source could have answered. */
  readonly expected: number
}

export type QuoteSource = {
  readonly id: Exclude<QuoteSourceId, 'pools'>
  readonly read: (
    wanted: readonly QuoteWanted[],
    now: UnixSeconds,
  ) => Promise<Outcome<QuotesRead, SourceFault>>
}

/** The issuer's live list of stock tokens. */
export type StockRegistry = {
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

// ---------------------------------------------------------------- the store

export type BackfillPhase = 'discover' | 'liquidity' | 'state' | 'swaps' | 'done'
export type Backfill = {
  readonly phase: BackfillPhase
  readonly done: number
  readonly total: number
}

/** How far the index is, for whoever watches. */
export type IndexProgress = Backfill & {
  /** Logs read since the start. */
  readonly events: number
}

/** Which chain a store belongs to; a store never mixes two. */
export type ChainIdentity = {
  readonly chainId: number
  readonly network: string
  /**
   * Hash of the first block that is read: tells two runs of one development chain apart. Null until
   * the chain was reached for the first time.
   */
  readonly originHash: Hash | null
}

/**
 * How far back the swaps of the first pools reach (methodology §8). Pools that came later have all
 * of theirs.
 */
export type History = {
  /** Everything after this block is in; of this block and those before it swaps are missing. */
  readonly after: Anchor
  /** The first block that is worth having: complete once `after` lies before it. */
  readonly floor: BlockNumber
  /** Where `after` stood at first. */
  readonly top: BlockNumber
  /** Up to this number pools were taken in without their swaps. */
  readonly poolMax: PoolNumber
}

/** The one row that says where everything stands. */
export type StoreHeader = {
  /** Grows with every commit that changes an answer. */
  readonly revision: number
  /** Grows when stored events were replaced: whoever keeps sums must start anew. */
  readonly epoch: number
  readonly identity: ChainIdentity
  readonly indexed: Anchor | null
  /** Up to here all was read a second time when it was final, and agrees; never goes back. */
  readonly settled: Anchor | null
  readonly head: Anchor | null
  /** Two endpoints told what was settled last. */
  readonly verified: boolean
  /** Events that settling found missing, wrong or too many, since the store began. */
  readonly repairs: number
  readonly backfill: Backfill
  /** Null: every pool has all of its swaps. */
  readonly history: History | null
  /** When reserves and references were last brought up to date. */
  readonly enrichedTs: UnixSeconds | null
  /** When the writer that wrote last was started. */
  readonly writerStartedTs: UnixSeconds | null
}

/** Everything that a range of blocks changed, written in one transaction. */
export type Batch = {
  /** The fence: the indexed block that this batch continues; null for the first. */
  readonly before: BlockNumber | null
  /** The range's last block, which becomes the indexed one. */
  readonly to: Anchor
  readonly head: Anchor
  readonly backfill: Backfill
  /** Blocks of the range that hold events, for the chain's identity later on. */
  readonly blocks: readonly Anchor[]
  readonly pools: readonly PoolIdentity[]
  readonly states: readonly { readonly pool: PoolNumber; readonly state: PoolState }[]
  readonly ticks: readonly StoredTick[]
  readonly swaps: readonly StoredSwap[]
  readonly liquidity: readonly StoredLiquidityChange[]
  /**
   * Merged into what is kept: open stays, extremes widen, sums add, the close and reserves replace;
   * but of two halves of which one has no swap, open and extremes are the other's.
   */
  readonly candles: readonly Candle[]
  readonly references: readonly ReferencePoint[]
}

/** Pools that are taken in with their past, up to the block at which the index stands. */
export type Adoption = {
  /** The fence: the indexed block; null for an empty store, which then stands at `at`. */
  readonly before: BlockNumber | null
  readonly at: Anchor
  readonly head: Anchor
  readonly backfill: Backfill
  /** Of an empty store: what is missing of these pools' swaps. Null leaves the header's. */
  readonly history: History | null
  /** Stocks of which no pool is missing any more. A reference that is kept already stays. */
  readonly searched: readonly Address[]
} & Pick<
  Batch,
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
export type HistoryBatch = {
  /** The fence: the block of the history's `after` that this batch precedes. */
  readonly before: BlockNumber
  /** The new `after`; the old one for a batch of references alone. */
  readonly after: Anchor
  readonly backfill: Backfill
  /** Kept where a pool has no swap yet. */
  readonly lastSwaps: readonly LastSwap[]
  /** The earlier halves of what is kept; a reference that is kept already stays. */
} & Pick<Batch, 'blocks' | 'swaps' | 'liquidity' | 'candles' | 'references'>
/** A pool as it was at an ancestor. */
export type RestoredPool = {
  readonly pool: PoolNumber
  readonly state: PoolState
  readonly ticks: readonly StoredTick[]
  /** Its buckets that the ancestor lies in. */
  readonly candles: readonly Candle[]
}

/** What takes the place of everything above an ancestor. */
export type Replacement = {
  /** The fence: the epoch and the indexed block that this was made for. */
  readonly epoch: number
  readonly indexed: Anchor
  /** The last block that stays; null if none does. Never below the settled one. */
  readonly ancestor: Anchor | null
  /** Every pool that existed at the ancestor and that an event above it touched. */
  readonly restored: readonly RestoredPool[]
  /** The new branch, from the ancestor on; may end below the block indexed so far. */
  readonly branch: Batch
  /** Events that were found missing, wrong or too many; 0 for a reorganisation. */
  readonly repairs: number
}

/** A range that was read again and agrees. */
export type Settling = {
  /** The fence: the settled block that this continues; null for the first. */
  readonly before: BlockNumber | null
  readonly to: Anchor
  readonly verified: boolean
}

export type StoredPool = PoolIdentity &
  PoolState & {
    /** When the conditions of `hot` last held (methodology §6). */
    readonly lastHotTs: UnixSeconds | null
  }

export type StoredToken = TokenMetadata & { readonly address: Address }

/** Reserves of pools whose map does not tell, by another way (methodology §4). */
export type StoredReserve = {
  readonly pool: PoolNumber
  readonly source: 'balance' | 'screener'
  /** Whole tokens. */
  readonly amount0: number | null
  readonly amount1: number | null
  readonly ts: UnixSeconds
}

/** Swaps of one pool in one second. */
export type VolumeSecond = {
  readonly pool: PoolNumber
  readonly ts: UnixSeconds
  readonly usdMicro: number
  readonly swaps: number
  readonly unpriced: number
  readonly estimated: number
}

export type StoreWriter = {
  /**
   * Claims the store for this chain; fails if it belongs to another. An origin that one side does
   * not know yet contradicts nothing, and is kept once known.
   */
  readonly begin: (
    identity: ChainIdentity,
    startedTs: UnixSeconds,
  ) => Promise<'ready' | 'other-chain'>
  /** One transaction, fenced by `batch.before`; writing a batch twice changes nothing. */
  readonly commit: (batch: Batch) => Promise<'committed' | 'stale-cursor'>
  /** Replaces a pool's whole liquidity map and state, after a rebuild. */
  readonly replaceMap: (
    pool: PoolNumber,
    state: PoolState,
    ticks: readonly StoredTick[],
  ) => Promise<void>
  /** One transaction: the pools appear with all that is known of them, or not at all. */
  readonly adopt: (adoption: Adoption) => Promise<'committed' | 'stale-cursor'>
  /** One transaction, fenced by `batch.before`; writing a batch twice changes nothing. */
  readonly fillHistory: (batch: HistoryBatch) => Promise<'committed' | 'stale-cursor'>
  /** How far the first reading is, while there is nothing to commit yet. */
  readonly recordBackfill: (backfill: Backfill) => Promise<void>
  /** Stocks whose pools are all followed from the first block on. */
  readonly recordSearched: (stocks: readonly Address[]) => Promise<void>
  /**
   * Replaces a branch in one transaction; the epoch grows, and readers see the old branch or the
   * new one. Doing it twice changes nothing. References stay: they are prices, not events.
   */
  readonly replaceBranch: (
    replacement: Replacement,
  ) => Promise<'committed' | 'stale-cursor' | 'below-settled'>
  /** Moves the settled block on, fenced by `settling.before`; doing it twice changes nothing. */
  readonly settle: (settling: Settling) => Promise<'committed' | 'stale-cursor'>
  readonly recordHead: (head: Anchor) => Promise<void>
  readonly recordTokens: (tokens: readonly StoredToken[]) => Promise<void>
  readonly recordStocks: (stocks: readonly Stock[]) => Promise<void>
  readonly recordSource: (record: SourceRecord) => Promise<void>
  /** One pass of the enrichment: quotes, references, reserves from elsewhere, hot pools. */
  readonly recordEnrichment: (pass: Enrichment) => Promise<void>
  /**
   * Removes, in bounded pieces, what is older than history is kept: raw swaps and the rows of
   * minutes. Hours and days stay for good. Answers how many rows went.
   */
  readonly prune: (limits: {
    readonly swapsBeforeTs: UnixSeconds
    readonly minuteRowsBeforeTs: UnixSeconds
  }) => Promise<number>
  /** Every liquidity tick of every pool, in (pool, tick) order: to begin with after a restart. */
  readonly readTicks: () => AsyncIterable<StoredTick>
  /** The kept changes of liquidity maps in blocks > `block`, newest first. */
  readonly readLiquidityAfter: (block: BlockNumber) => Promise<readonly StoredLiquidityChange[]>
  /** The newest kept block at or below this one. */
  readonly readAnchor: (block: BlockNumber) => Promise<Anchor | null>
  /** Each list in any order. */
  readonly readEvents: (range: BlockRange) => Promise<StoredEvents>
  /** Pools that events above the ancestor (null: all) touched; some too many, none too few. */
  readonly readTouched: (ancestor: Anchor | null) => Promise<readonly PoolNumber[]>
  readonly readPast: (pool: PoolNumber, block: BlockNumber) => Promise<PoolPast>
}

export type Enrichment = {
  readonly ts: UnixSeconds
  readonly quotes: readonly Quote[]
  readonly references: readonly ReferencePoint[]
  readonly reserves: readonly StoredReserve[]
  readonly hot: readonly { readonly pool: PoolNumber; readonly lastHotTs: UnixSeconds }[]
}

/** Reads that all see the same state of the store. */
export type StoreSnapshot = {
  readonly header: () => Promise<StoreHeader | null>
  readonly poolsChangedAfter: (revision: number) => Promise<readonly StoredPool[]>
  readonly tokensChangedAfter: (revision: number) => Promise<readonly StoredToken[]>
  readonly stocksChangedAfter: (revision: number) => Promise<readonly Stock[]>
  readonly quotes: () => Promise<readonly Quote[]>
  readonly reserves: () => Promise<readonly StoredReserve[]>
  readonly sources: () => Promise<readonly SourceRecord[]>
  /** Stocks of which no pool is missing. */
  readonly searched: () => Promise<readonly Address[]>
  /** By (pool, second) of the swaps with ts > `afterTs` in blocks > `afterBlock`. */
  readonly volume: (after: {
    readonly ts: UnixSeconds
    readonly block: BlockNumber
  }) => Promise<readonly VolumeSecond[]>
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
