import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { Address, BlockNumber, PoolId } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { PoolSeedBatch } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { findFirstBackfillBlock } from '../backfill-window.ts'
import type { BootstrapDeps } from '../bootstrap/phases.ts'
import { groupFilter, groupPools, stockCreationFilters } from '../pool-log-filters.ts'
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
import { createFaultHandler } from '../sync-fault.ts'
import { type HistoricalIngestDeps, ingestWithKnownPrices } from './historical-ingest.ts'
import {
  createPriceBackfill,
  type PriceBackfill,
  type PriceBackfillDeps,
} from './price-backfill.ts'

type Deps = HistoricalIngestDeps &
  PriceBackfillDeps &
  Pick<BootstrapDeps, 'store' | 'report' | 'rejectedLogs' | 'stocks' | 'origin' | 'events'>

/** Adds the existing pools of stocks that are listed while the indexer runs. */
export type NewStockBackfill = {
  /** Runs one bounded step; null when realtime sync should run next. */
  readonly step: () => Promise<StepResult | null>
  /** Forgets which stocks were searched; the next step reads them from the store. */
  readonly reset: () => void
}

type Run = {
  readonly stocks: readonly Address[]
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
  const { chain, logger, venues, index, origin, rejectedLogs } = deps
  const scanDeps = { chain, onSingleEndpoint: createSingleEndpointWarning(logger) }

  const enterDiscover = (stocks: readonly Address[], to: BlockRef): Run => {
    const found: PoolIdentity[] = []
    const logs: ChainLog[] = []
    const isKnown = (id: PoolId): boolean => index.pools().numberOf(id) !== undefined
    const decode = createPoolLogDecoder({ ...deps, isKnown, onRejected: rejectedLogs.record })
    const onLogs = (some: readonly ChainLog[]): void => {
      const firstNumber = found.length
      for (const pool of discoverPools(some, { ...deps, decode, isKnown, firstNumber })) {
        found.push(pool.identity)
        logs.push(pool.log)
      }
    }
    const filters = stockCreationFilters(venues, stocks)
    const range = { from: origin, to: to.block }
    const target = { filters, range, branchBlock: to, times: true, onLogs }
    const scans = [createLogScan(target, scanDeps)]
    return { stocks, found, logs, to, scans, phase: 'discover', prices: null }
  }

  /** Reads the found pools' logs; realtime sync finds pools that are created above `to`. */
  const enterEvents = (run: Run, after: BlockNumber, to: BlockRef): Run => {
    const onLogs = (some: readonly ChainLog[]): void => {
      for (const log of some) run.logs.push(log)
    }
    const scans = groupPools(run.found).map((group) => {
      const createdFrom = group.pools[0]?.createdBlock ?? origin
      const range = { from: Math.max(createdFrom, after + 1), to: to.block }
      // The discovery has read the creation logs, which are among a v4 pool's own logs.
      const topics = group.dex.topics.filter((topic) => topic !== group.dex.creationTopic)
      const filters = [groupFilter(group, topics)]
      return createLogScan({ filters, range, branchBlock: to, times: true, onLogs }, scanDeps)
    })
    return { ...run, to, scans, phase: 'events' }
  }

  return { enterDiscover, enterEvents }
}

const buildNewStockBatch = (
  { logs, to, stocks, prices }: Run,
  deps: Deps,
  header: Pick<PoolSeedBatch, 'head' | 'progress'>,
): { readonly batch: PoolSeedBatch; readonly tracked: readonly TrackedPool[] } => {
  const poolSet = createPoolSet({ first: deps.index.pools().nextNumber() })
  const inOrder = logs.toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  const ingested = ingestWithKnownPrices(inOrder, poolSet, deps)
  const { blocks, pools, swaps, liquidity, candles } = ingested
  const fromTs = to.ts - deps.historyDays * secondsPerDay
  const tracked = [...poolSet.all()]
  const batch = {
    ...header,
    expectedCursor: to.block,
    at: to,
    backfillCursor: null,
    discoveredStocks: stocks,
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

/**
 * A newly listed stock brings its existing pools with all their events: pools are discovered as in
 * the bootstrap (methodology §8), then ingested from their own logs. Realtime sync waits if that is
 * soon done, so that new swaps use the prices read here. Otherwise both alternate, and realtime
 * sync waits for the last few blocks only, so that both end at the same block.
 */
export const createNewStockBackfill = (deps: Deps): NewStockBackfill => {
  const { chain, store, index, logger, stocks, events } = deps
  let searched: Set<Address> | null = null
  let run: Run | null = null
  let steps = 0
  const phases = createPhases(deps)
  const onFault = createFaultHandler(deps)

  const commit = async (current: Run): Promise<void> => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) return
    const { head, progress } = header
    const { batch, tracked } = buildNewStockBatch(current, deps, {
      head: head ?? current.to,
      progress,
    })
    if ((await store.seedPools(batch)) === 'stale-cursor') {
      logger.warn('Cursor was moved by another writer, reloading the index')
      await index.load()
      return
    }
    await index.addPools(tracked)
    for (const stock of current.stocks) searched?.add(stock)
    const fields = { stocks: current.stocks, pools: tracked.length }
    logger.info('Added pools of newly listed stocks', fields)
    for (const pool of tracked) events.emit('poolLoaded', pool)
  }

  /** Reads the new stocks' past prices; their feeds may be new to the indexer, too. */
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
    searched ??= new Set(await store.snapshot((snapshot) => snapshot.discoveredStocks()))
    const known = searched
    const missing = stocks().filter((stock) => !known.has(stock))
    steps = 0
    return missing.length === 0 ? null : phases.enterDiscover(missing, cursor)
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
    if (current.phase === 'discover') return enterPrices(current)
    if (current.phase === 'events') return finish(current, cursor)
    run = phases.enterEvents(current, -1, current.to)
    return null
  }

  /** Whether realtime sync can wait until the run is complete. */
  const isSoonDone = (): boolean => {
    if (run === null) return false
    if (steps < exclusiveStepsMax) return true
    if (run.phase !== 'events') return false
    const { done, total } = scanProgress(run.scans)
    const behind = (index.cursor()?.block ?? 0) - run.to.block
    return behind + total - done <= remainingBlocksMax
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
      // An endpoint that fails here may still serve realtime sync.
      return fault === null && isSoonDone() ? immediately : null
    },
    reset: () => {
      searched = null
      run = null
    },
  }
}
