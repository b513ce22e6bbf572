import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/pool-id.ts'
import type { ReviewedHooks } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../../domain/dex/venue.ts'
import { type IngestResult, ingestLogs } from '../../domain/ingest/ingest-logs.ts'
import { decodePoolEvents } from '../../domain/ingest/pool-events.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import type { TokenRoles } from '../../domain/pool/pool-kind.ts'
import { createPoolSet, type PoolSet } from '../../domain/pool/pool-set.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import { createPoolWindows, type PoolWindows } from '../../domain/price/pool-window.ts'
import type { ReferenceHistory } from '../../domain/price/reference-history.ts'
import { createSwapPricing, type SwapPricing } from '../../domain/price/swap-pricing.ts'
import type { Reading } from '../../domain/reading.ts'
import { multiplierUpdatedTopic } from '../../domain/stock/onchain-events.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'
import type { PoolAtAncestor, RangeBatch, SyncProgress } from '../../ports/store-batches.ts'
import { bucketPoints, type ChainlinkFeeds, type PriceObservation } from '../chainlink-history.ts'
import type { IndexerEvents } from '../events.ts'
import { type AncestorState, addPoolsAt, poolsAt, withTouched } from './ancestor-pools.ts'
import { loadPools } from './load-pools.ts'
import { recordDepths } from './record-depths.ts'
import { readWindowSteps } from './restore-windows.ts'

/** The header fields after a range of logs. */
export type RangeEnd = {
  /** The new cursor. */
  readonly to: BlockRef
  readonly head: BlockRef
  readonly progress: SyncProgress
}

/** `stale-cursor`: another writer moved the cursor, and the index was reloaded from the store. */
export type CommitResult = 'committed' | 'stale-cursor'

/**
 * The index in memory: every tracked pool as of one block. That block is the store's cursor after
 * `flush`, which must precede any other use of the store or the pools.
 */
export type IndexState = {
  readonly cursor: () => BlockRef | null
  readonly pools: () => PoolSet
  /** The states of the pricing pools during the last minutes. */
  readonly windows: () => PoolWindows
  /** The logs' events of tracked pools. */
  readonly decodeEvents: (logs: readonly ChainLog[]) => readonly PoolEvent[]
  /** Adds pools whose events up to the cursor are stored. */
  readonly addPools: (pools: readonly TrackedPool[]) => Promise<void>
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
  readonly reviewedHooks: ReviewedHooks
  readonly events: IndexerEvents
  /** Numbers from 0 to below 1. */
  readonly random: () => number
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

type PricedPools = {
  readonly pools: PoolSet
  readonly windows: PoolWindows
  readonly pricing: SwapPricing
}

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

const createPricedPools = (deps: Deps): PricedPools => {
  const { random } = deps
  const pools = createPoolSet({ packing: { unpackedMax: unpackedPoolsMax, random } })
  deps.events.emit('poolSetCreated', pools)
  const windows = createPoolWindows(pools, deps.roles)
  return { pools, windows, pricing: createSwapPricing({ ...deps, windows }) }
}

const readStepsAt = async (store: Store, at: BlockRef | null, pools: Iterable<TrackedPool>) =>
  at === null ? [] : readWindowSteps(store, pools, at)

/** Every stored pool, with the windows of before the cursor. */
const loadPricedPools = async (deps: Deps) => {
  const { store, events } = deps
  const priced = createPricedPools(deps)
  const { pools, windows } = priced
  const { cursor, depthsToRecord } = await loadPools(store, pools, (pool) =>
    events.emit('poolLoaded', pool),
  )
  await recordDepths(store, pools, depthsToRecord, (done, total) =>
    events.emit('depthsRecorded', done, total),
  )
  // Before the first valuation: a state of this moment would count for all of the window.
  const steps = await readStepsAt(store, cursor, windows.pools())
  for (const [number, own] of steps) windows.restore(number, own)
  return { priced, cursor }
}

const noCommit: Promise<CommitResult> = Promise.resolve('committed')

export const createIndexState = (deps: Deps): IndexState => {
  const { store, roles, venues, keccak256, events } = deps
  const ingest = createIngest(deps)

  let current = createPricedPools(deps)
  let cursor: BlockRef | null = null
  let lastCommit = noCommit
  /** The last commit failed and no caller knows yet: ranges read after it are void. */
  let hasFailedCommit = false

  const load = async (): Promise<void> => {
    const loaded = await loadPricedPools(deps)
    current = loaded.priced
    cursor = loaded.cursor
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
    const steps = await readStepsAt(store, ancestor, poolsAt(current.windows.pools(), from))
    // The current pools stay in use until the store has accepted the branch.
    const replacement = createPricedPools(deps)
    const forgotten = addPoolsAt(replacement.pools, current.pools.all(), from)
    for (const [number, own] of steps) replacement.windows.restore(number, own)
    const { ingested: ofLogs, references } = ingest(replacement, logs)
    const ingested = withTouched(ofLogs, forgotten, replacement.pools)
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

  const addPools: IndexState['addPools'] = async (pools) => {
    const steps = await readStepsAt(store, cursor, pools)
    for (const pool of pools) current.pools.put(pool)
    for (const [number, own] of steps) current.windows.restore(number, own)
  }

  const findPool = (id: PoolId) => current.pools.identityOf(id)

  return {
    cursor: () => cursor,
    pools: () => current.pools,
    windows: () => current.windows,
    addPools,
    decodeEvents: (logs) => decodePoolEvents(logs, { venues, keccak256, roles, findPool }),
    load,
    ingestRange,
    flush,
    replaceBranch,
    reset,
  }
}
