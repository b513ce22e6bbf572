import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { changeTopicsOf } from '../../domain/dex/protocol.ts'
import type { FindPool } from '../../domain/ingest/decode-pool-log.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import type { PoolSearch } from '../../domain/status/pool-search.ts'
import type { Address, BlockNumber } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { PoolSeedBatch } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { findFirstBackfillBlock, keptSinceTs } from '../backfill-window.ts'
import type { BootstrapDeps } from '../bootstrap/phases.ts'
import { groupFilter, groupPools } from '../pool-log-filters.ts'
import { readHashOnBranch } from '../reorg/common-ancestor.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import { createPoolLogDecoder, discoverPools } from '../scan/discovered-pools.ts'
import {
  areComplete,
  createLogScan,
  type LogScan,
  scanProgress,
  stepScans,
} from '../scan/log-scan.ts'
import { creationFilters, type SearchTarget, toCompleteSearch } from '../search-scope.ts'
import { createFaultHandler } from '../sync-fault.ts'
import { type HistoricalIngestDeps, ingestWithKnownPrices } from './historical-ingest.ts'
import {
  createPriceBackfill,
  type PriceBackfill,
  type PriceBackfillDeps,
} from './price-backfill.ts'
import { createSearchMemory } from './search-memory.ts'

type Deps = HistoricalIngestDeps &
  PriceBackfillDeps &
  Pick<BootstrapDeps, 'store' | 'report' | 'rejectedLogs' | 'scope' | 'origin' | 'events'> & {
    readonly clock: Clock
  }

/** Adds the existing pools of stocks, venues and trusted tokens that are new to the store. */
export type PoolSearcher = {
  /** Runs one bounded step; null when realtime sync should run next. */
  readonly step: () => Promise<StepResult | null>
  /** The next step searches all pools of this stock once more. */
  readonly searchAgain: (stock: Address) => void
  /** Forgets what was searched; the next step reads it from the store. */
  readonly reset: () => void
}

type Run = {
  readonly targets: readonly SearchTarget[]
  /** First block of the search. */
  readonly from: BlockNumber
  readonly found: PoolIdentity[]
  readonly logs: ChainLog[]
  /** Pools and their logs are read up to this block, an earlier or the current cursor. */
  readonly to: BlockRef
  readonly scans: readonly LogScan[]
  readonly phase: 'discover' | 'prices' | 'events'
  readonly prices: PriceBackfill | null
}

/** Realtime sync waits for this many steps, some seconds; then both alternate. */
const exclusiveStepsMax = 50
/** So few remaining blocks that realtime sync waits for them. */
const remainingBlocksMax = 2000
const immediately: StepResult = { waitMs: 0 }

const createPhases = (deps: Deps) => {
  const { chain, logger, venues, index, scope, rejectedLogs } = deps
  const scanDeps = { chain, onSingleEndpoint: createSingleEndpointWarning(logger) }

  const enterDiscover = (targets: readonly SearchTarget[], to: BlockRef): Run => {
    const found: PoolIdentity[] = []
    const logs: ChainLog[] = []
    const findPool: FindPool = (id) => index.pools().identityOf(id)
    const decode = createPoolLogDecoder({ ...deps, findPool, onRejected: rejectedLogs.record })
    const onLogs = (some: readonly ChainLog[]): void => {
      const firstNumber = found.length
      for (const pool of discoverPools(some, { ...deps, decode, findPool, firstNumber })) {
        found.push(pool.identity)
        logs.push(pool.log)
      }
    }
    const filters = creationFilters(targets, scope(), venues)
    const from = Math.min(...targets.map(({ fromBlock }) => fromBlock), to.block + 1)
    const range = { from, to: to.block }
    const target = { filters, range, branchBlock: to, times: true, onLogs }
    const scans = [createLogScan(target, scanDeps)]
    return { targets, from, found, logs, to, scans, phase: 'discover', prices: null }
  }

  /** Reads the found pools' logs; realtime sync finds pools that are created above `to`. */
  const enterEvents = (run: Run, after: BlockNumber, to: BlockRef): Run => {
    const onLogs = (some: readonly ChainLog[]): void => {
      for (const log of some) run.logs.push(log)
    }
    const scans = groupPools(run.found).map((group) => {
      const createdFrom = group.pools[0]?.createdBlock ?? run.from
      const range = { from: Math.max(createdFrom, after + 1), to: to.block }
      // The discovery has read the creation logs, which are among a v4 pool's own logs.
      const filters = [groupFilter(group, changeTopicsOf(group.dex))]
      return createLogScan({ filters, range, branchBlock: to, times: true, onLogs }, scanDeps)
    })
    return { ...run, to, scans, phase: 'events' }
  }

  return { enterDiscover, enterEvents }
}

const blocksOf = ({ from, to }: Run): number => Math.max(0, to.block - from + 1)

/** The first half of a search finds pools, the second reads their events. */
const toRunningSearches = (run: Run): readonly PoolSearch[] => {
  const total = Math.max(1, blocksOf(run))
  const { done, total: scanned } = scanProgress(run.scans)
  const share = scanned === 0 ? 0 : done / scanned / 2 + (run.phase === 'discover' ? 0 : 0.5)
  const blocks = Math.min(Math.floor(total * share), total - 1)
  return run.targets.map((target) => ({ ...target, done: blocks, total }))
}

const toCompleteSearches = (run: Run): readonly PoolSearch[] =>
  run.targets.map((target) => toCompleteSearch(target, blocksOf(run)))

const buildSearchBatch = (
  run: Run,
  deps: Deps,
  header: Pick<PoolSeedBatch, 'head' | 'progress'>,
): { readonly batch: PoolSeedBatch; readonly tracked: readonly TrackedPool[] } => {
  const { logs, to, prices } = run
  const poolSet = createPoolSet({ first: deps.index.pools().nextNumber() })
  const inOrder = logs.toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  const ingested = ingestWithKnownPrices(inOrder, poolSet, deps)
  const { blocks, pools, swaps, liquidity, candles } = ingested
  const fromTs = keptSinceTs(to.ts, deps.historyDays)
  const tracked = [...poolSet.all()]
  const batch = {
    ...header,
    expectedCursor: to.block,
    at: to,
    backfillCursor: null,
    searches: toCompleteSearches(run),
    blocks,
    pools,
    states: tracked.map(({ identity, state }) => ({ pool: identity.number, state })),
    ticks: tracked.flatMap(toStoredTicks),
    swaps: swaps.filter(({ ts }) => ts >= fromTs),
    liquidity,
    candles,
    references: prices?.closes() ?? [],
  }
  return { batch, tracked }
}

/** Whether realtime sync can wait until the run is complete. */
const isSoonDone = ({ phase, scans, to }: Run, steps: number, cursor: BlockRef): boolean => {
  if (steps < exclusiveStepsMax) return true
  if (phase !== 'events') return false
  const { done, total } = scanProgress(scans)
  return cursor.block - to.block + total - done <= remainingBlocksMax
}

/** A venue without a pool of interest changes no price. */
const needsPrices = ({ found, targets }: Run): boolean =>
  found.length > 0 || targets.some(({ kind }) => kind !== 'venue')

/**
 * A newly listed stock, a new venue and a new trusted token bring their existing pools with all
 * events: pools are discovered as in the bootstrap (methodology §8), then ingested from their logs.
 * Realtime sync waits if that is soon done, so that new swaps use the prices read here. Otherwise
 * both alternate, and realtime sync waits for the last few blocks only.
 */
export const createPoolSearcher = (deps: Deps): PoolSearcher => {
  const { chain, store, index, logger, events } = deps
  const memory = createSearchMemory(deps)
  let run: Run | null = null
  let steps = 0
  const phases = createPhases(deps)
  const onFault = createFaultHandler(deps)

  const commit = async (current: Run): Promise<void> => {
    if (current.found.length === 0 && current.prices === null) {
      await memory.record(toCompleteSearches(current))
      return
    }
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) return
    const { head, progress } = header
    const { batch, tracked } = buildSearchBatch(current, deps, {
      head: head ?? current.to,
      progress,
    })
    if ((await store.seedPools(batch)) === 'stale-cursor') {
      logger.warn('Cursor was moved by another writer, reloading the index')
      await index.load()
      return
    }
    await index.addPools(tracked)
    memory.keep(batch.searches)
    const addresses = current.targets.map(({ address }) => address)
    logger.info('Added pools of a search', { addresses, pools: tracked.length })
    for (const pool of tracked) events.emit('poolLoaded', pool)
  }

  /** Reads past prices of new tokens; their feeds may be new to the indexer, too. */
  const enterPrices = async (current: Run): Promise<RpcFault | null> => {
    events.emit('poolsDiscovered', current.found)
    const { to } = current
    const firstBlock = await findFirstBackfillBlock(deps, to)
    if (!firstBlock.ok) return firstBlock.fault
    if (await deps.feeds.refresh()) {
      const window = { firstBlock: firstBlock.value, startedAt: to.block }
      const prices = createPriceBackfill(deps, window)
      run = { ...current, prices, scans: [prices.scan], phase: 'prices' }
    }
    return null
  }

  const begin = async (cursor: BlockRef): Promise<Run | null> => {
    const missing = await memory.readMissing()
    steps = 0
    if (missing.length === 0) return null
    const begun = phases.enterDiscover(missing, cursor)
    logger.info('Searching pools', { addresses: missing.map(({ address }) => address) })
    await memory.recordProgress(toRunningSearches(begun))
    return begun
  }

  /** Whether the run is on the cursor's branch; if not, it starts over. */
  const verifyBranch = async (
    { to }: Run,
    cursor: BlockRef,
  ): Promise<Outcome<boolean, RpcFault>> => {
    const expected =
      cursor.block < to.block ? success(null) : await readHashOnBranch(chain, cursor, to.block)
    if (!expected.ok) return expected
    const isOnBranch = expected.value === to.hash
    if (!isOnBranch) run = await begin(cursor)
    return success(isOnBranch)
  }

  /** Commits the pools, or reads the blocks that the index has added since `to`. */
  const finish = async (current: Run, cursor: BlockRef): Promise<RpcFault | null> => {
    const onBranch = await verifyBranch(current, cursor)
    if (!onBranch.ok) return onBranch.fault
    if (!onBranch.value) return null
    if (cursor.block > current.to.block) {
      run = phases.enterEvents(current, current.to.block, cursor)
    } else {
      run = null
      await commit(current)
    }
    return null
  }

  const proceed = async (current: Run, cursor: BlockRef): Promise<RpcFault | null> => {
    const fault = await stepScans(current.scans)
    if (fault?.kind === 'behind') {
      // The index and every endpoint may have left that branch.
      const onBranch = await verifyBranch(current, cursor)
      return onBranch.ok && !onBranch.value ? null : fault
    }
    if (fault !== null || !areComplete(current.scans)) return fault
    if (current.phase === 'discover' && needsPrices(current)) return enterPrices(current)
    if (current.phase === 'events') return finish(current, cursor)
    run = phases.enterEvents(current, -1, current.to)
    return null
  }

  return {
    step: async () => {
      const cursor = index.cursor()
      if (cursor === null) return null
      run ??= await begin(cursor)
      if (run === null) return null
      steps += 1
      const fault = await proceed(run, cursor)
      if (fault !== null) await onFault(fault)
      if (run !== null) await memory.recordProgress(toRunningSearches(run))
      // An endpoint that fails here may still serve realtime sync.
      return fault === null && run !== null && isSoonDone(run, steps, cursor) ? immediately : null
    },
    searchAgain: memory.forget,
    reset: () => {
      memory.reset()
      run = null
    },
  }
}
