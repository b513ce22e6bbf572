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
import type { BootstrapDeps } from '../bootstrap/bootstrap.ts'
import { readHashOnBranch } from '../realtime/common-ancestor.ts'
import { createSingleEndpointWarning } from '../scan/cross-check.ts'
import { createPoolLogDecoder, discoverPools } from '../scan/discovered-pools.ts'
import {
  areComplete,
  createLogScan,
  type LogScan,
  progressOf,
  stepScans,
} from '../scan/log-scan.ts'
import { groupFilter, groupPools, stockCreationFilters } from '../scan/pool-log-filters.ts'
import { createOnFault } from '../sync-fault.ts'
import { findFirstBackfillBlock } from './backfill-window.ts'
import { ingestKnownPrices, type PastDeps } from './historical-ingest.ts'
import { createPriceSweep, type PriceBackfill, type PriceSweepDeps } from './price-backfill.ts'

type Deps = PastDeps &
  PriceSweepDeps &
  Pick<BootstrapDeps, 'store' | 'report' | 'refusedLogs' | 'stocks' | 'origin' | 'events'>

/** Finds the pools of stocks that were listed when the index stood further already. */
export type NewStockBackfill = {
  /** One bounded piece of work; null if following is to have its turn. */
  readonly step: () => Promise<StepResult | null>
  /** Forgets whose pools are in: all are read anew. */
  readonly forget: () => void
}

type Run = {
  readonly stocks: readonly Address[]
  readonly found: PoolIdentity[]
  readonly logs: ChainLog[]
  /** Pools and their logs are read up to this block, at which the index stood. */
  readonly at: BlockRef
  readonly sweeps: readonly LogScan[]
  readonly stage: 'discover' | 'prices' | 'life'
  readonly prices: PriceBackfill | null
}

/** Following waits for so many pieces of work, some seconds; then it goes on beside them. */
const piecesAheadMax = 50
/** Few enough blocks that following may wait until they are read, too. */
const closeBlocks = 2000
const again: StepResult = { waitMs: 0 }

const createStages = (deps: Deps) => {
  const { chain, logger, venues, index, origin, refusedLogs } = deps
  const sweeping = { chain, onAlone: createSingleEndpointWarning(logger) }

  const discover = (stocks: readonly Address[], at: BlockRef): Run => {
    const found: PoolIdentity[] = []
    const logs: ChainLog[] = []
    const isKnown = (id: PoolId): boolean => index.pools().numberOf(id) !== undefined
    const eventOf = createPoolLogDecoder({ ...deps, isKnown, onRefused: refusedLogs.record })
    const take = (some: readonly ChainLog[]): void => {
      for (const pool of discoverPools(some, { ...deps, eventOf, isKnown, first: found.length })) {
        found.push(pool.identity)
        logs.push(pool.log)
      }
    }
    const filters = stockCreationFilters(venues, stocks)
    const range = { from: origin, to: at.block }
    const sweeps = [createLogScan({ filters, range, on: at, times: true, take }, sweeping)]
    return { stocks, found, logs, at, sweeps, stage: 'discover', prices: null }
  }

  /** What the pools emitted up to `to`; those that are created above `at` following finds. */
  const life = (run: Run, after: BlockNumber, to: BlockRef): Run => {
    const take = (some: readonly ChainLog[]): void => {
      for (const log of some) run.logs.push(log)
    }
    const sweeps = groupPools(run.found).map((group) => {
      const born = group.pools[0]?.createdBlock ?? origin
      const range = { from: Math.max(born, after + 1), to: to.block }
      // A v4 pool's creation is among its own logs, but has come already.
      const topics = group.dex.topics.filter((topic) => topic !== group.dex.creationTopic)
      const filters = [groupFilter(group, topics)]
      return createLogScan({ filters, range, on: to, times: true, take }, sweeping)
    })
    return { ...run, at: to, sweeps, stage: 'life' }
  }

  return { discover, life }
}

const adoptionOf = (
  { logs, at, stocks, prices }: Run,
  deps: Deps,
  header: Pick<PoolSeedBatch, 'head' | 'progress'>,
): { readonly adoption: PoolSeedBatch; readonly pools: readonly TrackedPool[] } => {
  const book = createPoolSet({ first: deps.index.pools().nextNumber() })
  const inOrder = logs.toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  const { blocks, pools, swaps, liquidity, candles } = ingestKnownPrices(inOrder, book, deps)
  const fromTs = at.ts - deps.historyDays * secondsPerDay
  const tracked = [...book.all()]
  const adoption = {
    ...header,
    expectedCursor: at.block,
    at,
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
  return { adoption, pools: tracked }
}

/**
 * A stock that is listed at run time brings the pools that it has already, with their whole past:
 * discovered as at first (methodology §8), then folded from all of their own logs. Following waits
 * if that is soon done, so that swaps are valued by prices that are learned here; else it goes on
 * meanwhile, and waits for the last few blocks only, so that both end at the same one.
 */
export const createNewStockBackfill = (deps: Deps): NewStockBackfill => {
  const { chain, store, index, logger, stocks, events } = deps
  let searched: Set<Address> | null = null
  let run: Run | null = null
  let pieces = 0
  const stages = createStages(deps)
  const onFault = createOnFault(deps)

  const commit = async (current: Run): Promise<void> => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) return
    const { head, progress } = header
    const { adoption, pools } = adoptionOf(current, deps, {
      head: head ?? current.at,
      progress,
    })
    if ((await store.seedPools(adoption)) === 'stale-cursor') {
      logger.warn('Another writer moved the index; it is loaded anew')
      await index.load()
      return
    }
    for (const pool of pools) index.pools().put(pool)
    for (const stock of current.stocks) searched?.add(stock)
    logger.info('Took in a newly listed stock', { stocks: current.stocks, pools: pools.length })
    for (const pool of pools) events.emit('poolLoaded', pool)
  }

  /** What the new stocks were worth, by feeds that may be as new to us as they are. */
  const price = async (current: Run): Promise<RpcFault | null> => {
    events.emit('poolsDiscovered', current.found)
    const { at } = current
    const floor = await findFirstBackfillBlock(deps, at)
    if (!floor.ok) return floor.fault
    if (await deps.feeds.refresh()) {
      const prices = createPriceSweep(deps, { firstBlock: floor.value, startedAt: at.block })
      run = { ...current, prices, sweeps: [prices.sweep], stage: 'prices' }
    }
    return null
  }

  const begin = async (at: BlockRef): Promise<Run | null> => {
    searched ??= new Set(await store.snapshot((snapshot) => snapshot.discoveredStocks()))
    const known = searched
    const missing = stocks().filter((stock) => !known.has(stock))
    pieces = 0
    return missing.length === 0 ? null : stages.discover(missing, at)
  }

  /** Begins anew if the index has left the branch that was read; a fault if nobody can say. */
  const rejoin = async ({ at }: Run, indexed: BlockRef): Promise<Outcome<boolean, RpcFault>> => {
    const named =
      indexed.block < at.block ? success(null) : await readHashOnBranch(chain, indexed, at.block)
    if (!named.ok) return named
    const isJoined = named.value === at.hash
    if (!isJoined) run = await begin(indexed)
    return success(isJoined)
  }

  /** Takes the pools in, or goes after an index that has moved on. */
  const finish = async (current: Run, indexed: BlockRef): Promise<RpcFault | null> => {
    const joined = await rejoin(current, indexed)
    if (!joined.ok) return joined.fault
    if (!joined.value) return null
    if (indexed.block > current.at.block) {
      run = stages.life(current, current.at.block, indexed)
    } else {
      run = null
      await commit(current)
    }
    return null
  }

  const proceed = async (current: Run, indexed: BlockRef): Promise<RpcFault | null> => {
    const fault = await stepScans(current.sweeps)
    if (fault?.kind === 'behind') {
      // Perhaps nobody is left on that branch, the index neither.
      const joined = await rejoin(current, indexed)
      return joined.ok && !joined.value ? null : fault
    }
    if (fault !== null || !areComplete(current.sweeps)) return fault
    if (current.stage === 'discover') return price(current)
    if (current.stage === 'life') return finish(current, indexed)
    run = stages.life(current, -1, current.at)
    return null
  }

  /** Whether it is so soon done that the index can stand still for it. */
  const isSoonDone = (): boolean => {
    if (run === null) return false
    if (pieces < piecesAheadMax) return true
    if (run.stage !== 'life') return false
    const { done, total } = progressOf(run.sweeps)
    const behind = (index.cursor()?.block ?? 0) - run.at.block
    return behind + total - done <= closeBlocks
  }

  return {
    step: async () => {
      const at = index.cursor()
      if (at === null) return null
      run ??= await begin(at)
      if (run === null) return null
      pieces += 1
      const fault = await proceed(run, at)
      if (fault !== null) await onFault(fault)
      // A node that refuses this refuses nothing else: following has its turn.
      return fault === null && isSoonDone() ? again : null
    },
    forget: () => {
      searched = null
      run = null
    },
  }
}
