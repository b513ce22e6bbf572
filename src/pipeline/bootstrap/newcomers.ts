import type { Anchor, ChainLog } from '../../domain/chain/chain-log.ts'
import { ingestLogs } from '../../domain/ingest/ingest.ts'
import { createPoolBook } from '../../domain/ingest/pool-book.ts'
import { createSwapPricing } from '../../domain/ingest/swap-pricing.ts'
import type { TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import { ticksOfLiquidityMap } from '../../domain/pool/liquidity-map.ts'
import type { Reading } from '../../domain/reading.ts'
import type { ReferenceBook } from '../../domain/stock/reference-book.ts'
import type { Address } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain.ts'
import type { Store } from '../../ports/store.ts'
import type { Adoption } from '../../ports/store-rows.ts'
import type { Feeds } from '../feeds.ts'
import type { StepResult } from '../loop.ts'
import type { BootstrapDeps } from './bootstrap.ts'
import { createOnFault } from './faults.ts'
import { groupFilter, groupPools, stockCreationFilters } from './filters.ts'
import { createFoundPools, type FoundPools } from './found-pools.ts'
import { findHistoryFloor } from './history-floor.ts'
import { createPriceSweep, type PriceSweep } from './past-prices.ts'
import { areOver, createSweep, type Sweep, stepSweeps } from './sweep.ts'

type Deps = Omit<
  BootstrapDeps,
  'store' | 'trusted' | 'stateViewOf' | 'blocksMin' | 'confirmations' | 'onProgress'
> & {
  readonly store: Store
  readonly references: ReferenceBook
  readonly feeds: Feeds
  readonly decimalsOf: (address: Address) => Reading<number>
}

/** Finds the pools of stocks that were listed when the index stood further already. */
export type Newcomers = {
  /** One bounded piece of work, for which the index must stand still; null if there is none. */
  readonly step: () => Promise<StepResult | null>
}

type Run = {
  readonly stocks: readonly Address[]
  readonly found: FoundPools
  readonly logs: ChainLog[]
  readonly at: Anchor
  readonly sweeps: readonly Sweep[]
  readonly stage: 'discover' | 'prices' | 'life'
  readonly prices: PriceSweep | null
}

const secondsPerDay = 86_400
const again: StepResult = { waitMs: 0 }

const createStages = ({ chain, venues, keccak256, roles, index, origin, logger }: Deps) => ({
  discover: (stocks: readonly Address[], at: Anchor): Run => {
    const found = createFoundPools({
      venues,
      keccak256,
      roles,
      isKnown: (id) => index.pools().byId(id) !== undefined,
      onRefused: (reason) => logger.warn('Refused a log', { reason }),
    })
    const logs: ChainLog[] = []
    const range = { from: origin, to: at.block }
    const take = (some: readonly ChainLog[]): void => {
      logs.push(...found.discover(some))
    }
    const sweeps = stockCreationFilters(venues, stocks).map((filter) =>
      createSweep({ filter, range, times: true, take }, chain),
    )
    return { stocks, found, logs, at, sweeps, stage: 'discover', prices: null }
  },
  life: (run: Run): Run => {
    const take = (some: readonly ChainLog[]): void => {
      for (const log of some) run.logs.push(log)
    }
    const sweeps = groupPools(run.found.identities()).map((group) => {
      const range = { from: group.pools[0]?.createdBlock ?? origin, to: run.at.block }
      // A v4 pool's creation is among its own logs, but has come already.
      const topics = group.dex.topics.filter((topic) => topic !== group.dex.creationTopic)
      return createSweep({ filter: groupFilter(group, topics), range, times: true, take }, chain)
    })
    return { ...run, sweeps, stage: 'life' }
  },
})

const adoptionOf = (
  { logs, at, stocks, prices }: Run,
  deps: Deps,
  header: Pick<Adoption, 'head' | 'backfill'>,
): { readonly adoption: Adoption; readonly pools: readonly TrackedPool[] } => {
  const { index, roles, venues, keccak256, historyDays } = deps
  const book = createPoolBook({ first: index.pools().nextNumber() })
  const pricing = createSwapPricing({ ...deps, book })
  const observe = (): void => {}
  const inOrder = logs.toSorted((a, b) => a.block - b.block || a.logIndex - b.logIndex)
  const ingested = ingestLogs(inOrder, { book, roles, venues, keccak256, pricing, observe })
  const { blocks, pools, liquidity, candles } = ingested
  const fromTs = at.ts - historyDays * secondsPerDay
  const tracked = [...book.all()]
  const adoption = {
    ...header,
    before: at.block,
    at,
    history: null,
    searched: stocks,
    blocks,
    pools,
    states: tracked.map(({ identity, state }) => ({ pool: identity.number, state })),
    ticks: tracked.flatMap(({ identity, map }) =>
      ticksOfLiquidityMap(map).map((tick) => ({ pool: identity.number, ...tick })),
    ),
    swaps: ingested.swaps.filter(({ ts }) => ts >= fromTs),
    liquidity,
    candles,
    references: prices?.closes() ?? [],
  }
  return { adoption, pools: tracked }
}

/**
 * A stock that is listed at run time brings the pools that it has already, with their whole past:
 * discovered as at first (methodology §8), then folded from all of their own logs. Its pools are
 * few, and so are their logs. Following waits meanwhile.
 */
export const createNewcomers = (deps: Deps): Newcomers => {
  const { store, index, logger, stocks, historyDays, onFound, onAdopted } = deps
  let searched: Set<Address> | null = null
  let run: Run | null = null
  const stages = createStages(deps)
  const onFault = createOnFault(deps)

  const commit = async (current: Run): Promise<void> => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) return
    const { head, backfill } = header
    const { adoption, pools } = adoptionOf(current, deps, { head: head ?? current.at, backfill })
    if ((await store.adopt(adoption)) === 'stale-cursor') {
      logger.warn('Another writer moved the index; it is loaded anew')
      await index.load()
      return
    }
    for (const pool of pools) index.pools().put(pool)
    for (const stock of current.stocks) searched?.add(stock)
    logger.info('Took in a newly listed stock', { stocks: current.stocks, pools: pools.length })
    onAdopted(pools)
  }

  /** What the new stocks were worth, by feeds that may be as new to us as they are. */
  const price = async (current: Run): Promise<RpcFault | null> => {
    onFound(current.found.identities())
    const { at } = current
    const ts = at.ts - historyDays * secondsPerDay
    const floor = await findHistoryFloor(deps.chain, { origin: deps.origin, top: at }, ts)
    if (!floor.ok) return floor.fault
    if (await deps.feeds.refresh()) {
      const prices = createPriceSweep(deps, { floor: floor.value, top: at.block })
      run = { ...current, prices, sweeps: [prices.sweep], stage: 'prices' }
    }
    return null
  }

  const proceed = async (current: Run): Promise<RpcFault | null> => {
    const fault = await stepSweeps(current.sweeps)
    if (fault !== null || !areOver(current.sweeps)) return fault
    if (current.stage === 'discover') return price(current)
    if (current.stage === 'prices') {
      run = stages.life(current)
      return null
    }
    run = null
    await commit(current)
    return null
  }

  const begin = async (at: Anchor): Promise<Run | null> => {
    searched ??= new Set(await store.snapshot((snapshot) => snapshot.searched()))
    const known = searched
    const missing = stocks().filter((stock) => !known.has(stock))
    return missing.length === 0 ? null : stages.discover(missing, at)
  }

  return {
    step: async () => {
      const at = index.indexed()
      if (at === null) return null
      run ??= await begin(at)
      if (run === null) return null
      const fault = await proceed(run)
      return fault === null ? again : onFault(fault)
    },
  }
}
