import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { Venues } from '../../domain/ingest/decode-pool-log.ts'
import { type IngestResult, ingestLogs } from '../../domain/ingest/ingest-logs.ts'
import { decodePoolEvents } from '../../domain/ingest/pool-events.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import { createPoolSet, type PoolSet } from '../../domain/pool/pool-set.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { createSwapPricing, type SwapPricing } from '../../domain/price/swap-pricing.ts'
import type { Reading } from '../../domain/reading.ts'
import { multiplierUpdatedTopic } from '../../domain/stock/onchain-events.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'
import type { PoolAtAncestor, RangeBatch, SyncProgress } from '../../ports/store-batches.ts'
import {
  bucketPoints,
  type ChainlinkFeeds,
  type PriceObservation,
} from '../enrich/chainlink-history.ts'
import type { IndexerEvents } from '../events.ts'
import { loadBook } from './load-pools.ts'

/** Where a range of logs brings the index. */
export type RangeEnd = {
  readonly to: BlockRef
  readonly head: BlockRef
  readonly backfill: SyncProgress
}

/** `stale-cursor`: another writer moved the index, whose word was taken for everything. */
export type CommitResult = 'committed' | 'stale-cursor'

/** What is known of the block above which everything is replaced. */
export type AncestorState = {
  readonly ancestor: BlockRef | null
  /** The epoch in which it was looked up. */
  readonly epoch: number
  /** The pools that what is replaced had touched, as they were at the ancestor. */
  readonly restored: readonly (Pick<PoolAtAncestor, 'candles'> & { readonly pool: TrackedPool })[]
  readonly repairs: number
}

/**
 * The index in memory: every followed pool as of one block, that of the store's cursor once all is
 * written. Whatever else is done with the store or the pools comes after `written`.
 */
export type IndexState = {
  readonly cursor: () => BlockRef | null
  readonly pools: () => PoolSet
  /** The events of our pools that some logs are. */
  readonly eventsOf: (logs: readonly ChainLog[]) => readonly PoolEvent[]
  /** Takes the store's word for everything. */
  readonly load: () => Promise<void>
  /**
   * Folds a range and begins to commit it, after the one before it has been committed: one is
   * folded while another is written. Answers and throws what became of the one before.
   */
  readonly ingestRange: (logs: readonly ChainLog[], reached: RangeEnd) => Promise<CommitResult>
  /** What became of the last range. */
  readonly flush: () => Promise<CommitResult>
  /** Puts a new branch in the place of everything above an ancestor (methodology §7). */
  readonly replace: (
    logs: readonly ChainLog[],
    reached: RangeEnd,
    from: AncestorState,
  ) => Promise<'committed' | 'stale-cursor' | 'below-finalized'>
  /** Forgets all pools and events, of which nothing is settled: they are read anew. */
  readonly reset: () => Promise<void>
}

type Deps = {
  readonly store: Store
  readonly roles: TokenRoles
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly references: ReferenceHistory
  readonly feeds: ChainlinkFeeds
  readonly decimalsOf: (address: Address) => Reading<number>
  readonly events: IndexerEvents
}

/** Its logs are kept until the commit; the others are let go once they are folded. */
const isAboutStock = ({ topics }: ChainLog): boolean => topics[0] === multiplierUpdatedTopic

const batchOf = (
  ingested: IngestResult,
  { to, head, backfill }: RangeEnd,
  rest: Pick<RangeBatch, 'expectedCursor' | 'references'>,
): RangeBatch => {
  const { blocks, pools, touched, ticks, swaps, liquidity, candles } = ingested
  const states = touched.map(({ identity, state }) => ({ pool: identity.number, state }))
  return {
    ...rest,
    to,
    head,
    progress: backfill,
    blocks,
    pools,
    states,
    ticks,
    swaps,
    liquidity,
    candles,
  }
}

const restoredOf = ({ pool, candles }: AncestorState['restored'][number]): PoolAtAncestor => {
  const { identity, state } = pool
  return { pool: identity.number, state, ticks: toStoredTicks(pool), candles }
}

type Held = { readonly book: PoolSet; readonly pricing: SwapPricing }

const createIngest = ({ feeds, references, roles, venues, keccak256 }: Deps) => {
  return (held: Held, logs: readonly ChainLog[]) => {
    const points: PriceObservation[] = []
    const observe = (log: ChainLog): void => {
      for (const point of feeds.decodePrices(log)) {
        references.add(point.address, point)
        points.push(point)
      }
    }
    const ingested = ingestLogs(logs, {
      pools: held.book,
      pricing: held.pricing,
      roles,
      venues,
      keccak256,
      observe,
    })
    return { ingested, references: points.flatMap(bucketPoints) }
  }
}

/** More than change within any hour, in a few megabytes. */
const poolsAwakeMax = 4096

const allWritten: Promise<CommitResult> = Promise.resolve('committed')

export const createIndexState = (deps: Deps): IndexState => {
  const { store, roles, references, decimalsOf, venues, keccak256, events } = deps
  const ingest = createIngest(deps)

  const open = (): Held => {
    const book = createPoolSet({ unpackedMax: poolsAwakeMax })
    events.emit('poolSetOpened', book)
    return { book, pricing: createSwapPricing({ pools: book, references, roles, decimalsOf }) }
  }

  let held = open()
  let anchor: BlockRef | null = null
  let writing = allWritten
  /** A commit did not come about, which nobody has heard yet: what was folded since is void. */
  let isAhead = false

  const load = async (): Promise<void> => {
    const loaded = open()
    const indexed = await loadBook(store, loaded.book, (pool) => events.emit('poolLoaded', pool))
    held = loaded
    anchor = indexed
  }

  /** The book is ahead of the store now, and only the store is right. */
  const fallBack = async (): Promise<void> => {
    isAhead = true
    await load()
  }

  const commit = async (batch: RangeBatch, tell: () => void): Promise<CommitResult> => {
    const outcome = await store.commitRange(batch).catch(async (cause: unknown) => {
      await fallBack()
      throw cause
    })
    if (outcome === 'committed') tell()
    else await fallBack()
    return outcome
  }

  const written: IndexState['flush'] = async () => {
    try {
      return await writing
    } finally {
      writing = allWritten
      isAhead = false
    }
  }

  const advance: IndexState['ingestRange'] = async (logs, reached) => {
    // What follows a range that could not be written does not follow what was loaded instead.
    if (isAhead) return written()
    const done = ingest(held, logs)
    // Held until they are written, all logs would be the larger half of what is alive.
    const stockLogs = logs.filter(isAboutStock)
    const expectedCursor = anchor?.block ?? null
    // Pools and anchor change together, so that whoever looks in between sees one block.
    anchor = reached.to
    const batch = batchOf(done.ingested, reached, { expectedCursor, references: done.references })
    const outcome = await written()
    if (outcome === 'stale-cursor') return outcome
    writing = commit(batch, () => events.emit('rangeIngested', done.ingested, stockLogs))
    // Whoever asks for it hears of a failure.
    writing.catch(() => undefined)
    return outcome
  }

  const openAt = ({ ancestor, restored }: AncestorState): Held => {
    const opened = open()
    const byNumber = new Map(restored.map(({ pool }) => [pool.identity.number, pool]))
    for (const pool of held.book.all()) {
      const { number, createdBlock } = pool.identity
      if (createdBlock > (ancestor?.block ?? -1)) continue
      opened.book.putPacked(byNumber.get(number) ?? pool)
    }
    return opened
  }

  const replace: IndexState['replace'] = async (logs, reached, from) => {
    const { ancestor, epoch, repairs } = from
    if (anchor === null) return 'stale-cursor'
    // The held book stays as it is until the store has taken the branch.
    const replaced = openAt(from)
    const done = ingest(replaced, logs)
    const fence = { expectedCursor: ancestor?.block ?? null, references: done.references }
    const branch = batchOf(done.ingested, reached, fence)
    const restored = from.restored.map(restoredOf)
    const replacement = { epoch, cursor: anchor, ancestor, restored, branch, repairs }
    const outcome = await store.replaceBranch(replacement)
    if (outcome !== 'committed') {
      await load()
      return outcome
    }
    held = replaced
    anchor = reached.to
    events.emit('branchReplaced')
    events.emit('rangeIngested', done.ingested, logs.filter(isAboutStock))
    return outcome
  }

  const drop: IndexState['reset'] = async () => {
    const outcome = await store.resetIndex(anchor)
    await load()
    if (outcome === 'committed') events.emit('branchReplaced')
    // Only now: what listeners loaded before may have been of what was dropped.
    events.emit('indexReset')
  }

  const isFollowed = (id: PoolId): boolean => held.book.numberOf(id) !== undefined

  return {
    cursor: () => anchor,
    pools: () => held.book,
    eventsOf: (logs) => decodePoolEvents(logs, { venues, keccak256, roles, isFollowed }),
    load,
    ingestRange: advance,
    flush: written,
    replace,
    reset: drop,
  }
}
