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
import { bucketPoints, type ChainlinkFeeds, type PriceObservation } from '../chainlink-history.ts'
import type { IndexerEvents } from '../events.ts'
import { loadPools } from './load-pools.ts'
import { recordDepths } from './record-depths.ts'

/** The header fields after a range of logs. */
export type RangeEnd = {
  /** The new cursor. */
  readonly to: BlockRef
  readonly head: BlockRef
  readonly progress: SyncProgress
}

/** `stale-cursor`: another writer moved the cursor, and the index was reloaded from the store. */
export type CommitResult = 'committed' | 'stale-cursor'

/** What a branch replacement keeps. */
export type AncestorState = {
  readonly ancestor: BlockRef | null
  /** The epoch in which the ancestor was found. */
  readonly epoch: number
  /** The pools that the old branch changed, as of the ancestor. */
  readonly restored: readonly (Pick<PoolAtAncestor, 'candles'> & { readonly pool: TrackedPool })[]
  readonly repairs: number
}

/**
 * The index in memory: every tracked pool as of one block. That block is the store's cursor after
 * `flush`, which must precede any other use of the store or the pools.
 */
export type IndexState = {
  readonly cursor: () => BlockRef | null
  readonly pools: () => PoolSet
  /** The logs' events of tracked pools. */
  readonly decodeEvents: (logs: readonly ChainLog[]) => readonly PoolEvent[]
  /** Reloads all state from the store. */
  readonly load: () => Promise<void>
  /**
   * Ingests a range and begins to commit it once the range before it is committed, so that one
   * range is decoded while another is written. Returns and throws the result of the range before.
   */
  readonly ingestRange: (logs: readonly ChainLog[], end: RangeEnd) => Promise<CommitResult>
  /** Waits for the last range. */
  readonly flush: () => Promise<CommitResult>
  /** Replaces everything above an ancestor with a new branch (methodology §7). */
  readonly replaceBranch: (
    logs: readonly ChainLog[],
    end: RangeEnd,
    from: AncestorState,
  ) => ReturnType<Store['replaceBranch']>
  /** Deletes all pools and events. Allowed only while no block is finalized. */
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

/** These logs are kept until the commit; all others are released once they are ingested. */
const isAboutStock = ({ topics }: ChainLog): boolean => topics[0] === multiplierUpdatedTopic

const toRangeBatch = (
  ingested: IngestResult,
  { to, head, progress }: RangeEnd,
  fields: Pick<RangeBatch, 'expectedCursor' | 'references'>,
): RangeBatch => {
  const { blocks, pools, touched, ticks, swaps, liquidity, candles } = ingested
  const states = touched.map(({ identity, state }) => ({ pool: identity.number, state }))
  return { ...fields, to, head, progress, blocks, pools, states, ticks, swaps, liquidity, candles }
}

const toPoolAtAncestor = ({ pool, candles }: AncestorState['restored'][number]): PoolAtAncestor => {
  const { identity, state } = pool
  return { pool: identity.number, state, ticks: toStoredTicks(pool), candles }
}

/** The pools as of the ancestor, without those created after it. */
function* poolsAt(pools: PoolSet, { ancestor, restored }: AncestorState) {
  const byNumber = new Map(restored.map(({ pool }) => [pool.identity.number, pool]))
  for (const pool of pools.all()) {
    const { number, createdBlock } = pool.identity
    if (createdBlock <= (ancestor?.block ?? -1)) yield byNumber.get(number) ?? pool
  }
}

type PricedPools = { readonly pools: PoolSet; readonly pricing: SwapPricing }

const createIngest = ({ feeds, references, roles, venues, keccak256 }: Deps) => {
  return (priced: PricedPools, logs: readonly ChainLog[]) => {
    const points: PriceObservation[] = []
    const observe = (log: ChainLog): void => {
      for (const point of feeds.decodePrices(log)) {
        references.add(point.address, point)
        points.push(point)
      }
    }
    const ingested = ingestLogs(logs, { ...priced, roles, venues, keccak256, observe })
    return { ingested, references: points.flatMap(bucketPoints) }
  }
}

/** More pools than change within an hour; a few megabytes. */
const unpackedPoolsMax = 4096

const noCommit: Promise<CommitResult> = Promise.resolve('committed')

export const createIndexState = (deps: Deps): IndexState => {
  const { store, roles, references, decimalsOf, venues, keccak256, events } = deps
  const ingest = createIngest(deps)

  const createPricedPools = (): PricedPools => {
    const pools = createPoolSet({ unpackedMax: unpackedPoolsMax })
    events.emit('poolSetCreated', pools)
    return { pools, pricing: createSwapPricing({ pools, references, roles, decimalsOf }) }
  }

  let current = createPricedPools()
  let cursor: BlockRef | null = null
  let lastCommit = noCommit
  /** The last commit failed and no caller knows yet: ranges read after it are void. */
  let hasFailedCommit = false

  const load = async (): Promise<void> => {
    const loaded = createPricedPools()
    const { cursor: loadedCursor, depthsToRecord } = await loadPools(store, loaded.pools, (pool) =>
      events.emit('poolLoaded', pool),
    )
    await recordDepths(store, loaded.pools, depthsToRecord, (done, total) =>
      events.emit('depthsRecorded', done, total),
    )
    current = loaded
    cursor = loadedCursor
  }

  /** The pools are ahead of the store after a failed commit. */
  const reloadAfterFailure = async (): Promise<void> => {
    hasFailedCommit = true
    await load()
  }

  const commit = async (batch: RangeBatch, onCommitted: () => void): Promise<CommitResult> => {
    const outcome = await store.commitRange(batch).catch(async (cause: unknown) => {
      await reloadAfterFailure()
      throw cause
    })
    if (outcome === 'committed') onCommitted()
    else await reloadAfterFailure()
    return outcome
  }

  const flush: IndexState['flush'] = async () => {
    try {
      return await lastCommit
    } finally {
      lastCommit = noCommit
      hasFailedCommit = false
    }
  }

  const ingestRange: IndexState['ingestRange'] = async (logs, end) => {
    // This range follows the failed one, not the reloaded cursor.
    if (hasFailedCommit) return flush()
    const { ingested, references } = ingest(current, logs)
    // Kept until the commit, all logs would be the larger half of live memory.
    const stockLogs = logs.filter(isAboutStock)
    const expectedCursor = cursor?.block ?? null
    // Pools and cursor change together: a reader between two awaits sees one block.
    cursor = end.to
    const batch = toRangeBatch(ingested, end, { expectedCursor, references })
    const outcome = await flush()
    if (outcome === 'stale-cursor') return outcome
    lastCommit = commit(batch, () => events.emit('rangeIngested', ingested, stockLogs))
    // The next `flush` throws it.
    lastCommit.catch(() => undefined)
    return outcome
  }

  const replaceBranch: IndexState['replaceBranch'] = async (logs, end, from) => {
    const { ancestor, epoch, repairs } = from
    if (cursor === null) return 'stale-cursor'
    // The current pools stay in use until the store has accepted the branch.
    const replacement = createPricedPools()
    for (const pool of poolsAt(current.pools, from)) replacement.pools.putPacked(pool)
    const { ingested, references } = ingest(replacement, logs)
    const expectedCursor = ancestor?.block ?? null
    const outcome = await store.replaceBranch({
      epoch,
      cursor,
      ancestor,
      restored: from.restored.map(toPoolAtAncestor),
      branch: toRangeBatch(ingested, end, { expectedCursor, references }),
      repairs,
    })
    if (outcome !== 'committed') {
      await load()
      return outcome
    }
    current = replacement
    cursor = end.to
    events.emit('branchReplaced')
    events.emit('rangeIngested', ingested, logs.filter(isAboutStock))
    return outcome
  }

  const reset: IndexState['reset'] = async () => {
    const outcome = await store.resetIndex(cursor)
    await load()
    if (outcome === 'committed') events.emit('branchReplaced')
    // After the load: what listeners read before may belong to the deleted index.
    events.emit('indexReset')
  }

  const isFollowed = (id: PoolId): boolean => current.pools.numberOf(id) !== undefined

  return {
    cursor: () => cursor,
    pools: () => current.pools,
    decodeEvents: (logs) => decodePoolEvents(logs, { venues, keccak256, roles, isFollowed }),
    load,
    ingestRange,
    flush,
    replaceBranch,
    reset,
  }
}
