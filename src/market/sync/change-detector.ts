import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { SourceView } from '../../domain/status/source-state.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { ChangeEvent, ChangeSubject } from '../changes.ts'
import { changedNumbers, getByNumber } from '../model/chunked-table.ts'
import {
  isUnchangedPool,
  type ListedPool,
  otherTokenOf,
  stockTokenOf,
  toStoredPool,
  toSwapPool,
} from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'

/** Detects changes between two store reads. */
type ChangeDetector = {
  /** Reads the swaps since the last call. The snapshot must be the one of the model. */
  readonly collectSwaps: (snapshot: StoreSnapshot, model: ReadModel) => Promise<void>
  /** Returns the changes since the last call; none on the first one. */
  readonly detectChanges: (
    market: ValuedMarket,
    sources: readonly SourceView[],
  ) => readonly ChangeEvent[]
}

/**
 * Limits per store read, a fraction of a second after the one before. Above them, as while the
 * index catches up, subscribers refetch instead.
 */
const changesMax = { pools: 500, tradedPools: 100, swaps: 500 }
/** Limits how often subscribers refetch while changes stay above the limits. */
const resyncSecondsMin = 5

type Pools = ReadModel['pools']

const toSubject = (pool: ListedPool, { stocks }: ReadModel): ChangeSubject => {
  const symbols = [stockTokenOf(pool), otherTokenOf(pool)].flatMap(
    ({ address }) => stocks.get(address)?.symbol.toUpperCase() ?? [],
  )
  return { symbols, poolId: pool.id }
}

const findChangedPools = (before: Pools, after: Pools): readonly PoolNumber[] =>
  changedNumbers(before, after).filter((number) => {
    const [old, pool] = [getByNumber(before, number), getByNumber(after, number)]
    // A swap that leaves a volume window is not a change event.
    return pool !== undefined && (old === undefined || !isUnchangedPool(pool, old))
  })

type SwapEvent = Extract<ChangeEvent, { readonly topic: 'swap' }>

/** The swaps of a pool above `since`; null if there are too many. */
const readPoolSwaps = async (
  pool: ListedPool,
  since: BlockRef,
  { snapshot, model }: { readonly snapshot: StoreSnapshot; readonly model: ReadModel },
): Promise<readonly SwapEvent[] | null> => {
  const query = { pool: pool.number, fromTs: since.ts, rowsMax: changesMax.swaps + 1 }
  const rows = await snapshot.swaps(query)
  if (rows.length > changesMax.swaps) return null
  const about = toSubject(pool, model)
  const stockSymbol = model.stocks.get(stockTokenOf(pool).address)?.symbol ?? ''
  const swapPool = toSwapPool(pool)
  return rows
    .filter(({ block }) => block > since.block)
    .map((swap) => {
      const data = { poolId: pool.id, stockSymbol, ...toSwapView(swap, swapPool) }
      return { topic: 'swap', data, about }
    })
}

/** The swaps of all pools above `since` in chain order; null if there are too many. */
const readSwaps = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  { pools, since }: { readonly pools: Pools; readonly since: BlockRef },
): Promise<readonly SwapEvent[] | null> => {
  const traded = changedNumbers(pools, model.pools).flatMap((number) => {
    const [old, pool] = [getByNumber(pools, number), getByNumber(model.pools, number)]
    // A swap always replaces the packed state.
    if (pool === undefined || pool.state === old?.state) return []
    return (toStoredPool(pool).lastSwapBlock ?? -1) > since.block ? [pool] : []
  })
  if (traded.length > changesMax.tradedPools) return null
  const swaps: SwapEvent[] = []
  for (const pool of traded) {
    const ofPool = await readPoolSwaps(pool, since, { snapshot, model })
    if (ofPool === null || swaps.length + ofPool.length > changesMax.swaps) return null
    swaps.push(...ofPool)
  }
  return swaps.sort(({ data: a }, { data: b }) => a.block - b.block || a.logIndex - b.logIndex)
}

/** Schedules `resync` events, which replace all pool and swap events until they are sent. */
const createResync = () => {
  let isPending = false
  let sentTs = Number.NEGATIVE_INFINITY
  return {
    request: () => {
      isPending = true
    },
    isPending: () => isPending,
    takeDue: (now: UnixSeconds): readonly ChangeEvent[] => {
      if (!isPending || now - sentTs < resyncSecondsMin) return []
      isPending = false
      sentTs = now
      return [{ topic: 'resync', data: { reason: 'too_many_changes' }, about: null }]
    },
  }
}

/** Returns the rows whose text changed since the last call; none on the first one. */
const createRowComparison = <Row>(keyOf: (row: Row) => string, textOf: (row: Row) => string) => {
  let latest: ReadonlyMap<string, string> | null = null
  return (rows: readonly Row[]): readonly Row[] => {
    const before = latest
    const texts = new Map(rows.map((row) => [keyOf(row), textOf(row)]))
    latest = texts
    if (before === null) return []
    return rows.filter((row) => before.get(keyOf(row)) !== texts.get(keyOf(row)))
  }
}

/** The event of another chain or of a branch replacement, if the headers show one. */
const compareHeaders = (before: IndexHeader, after: IndexHeader): readonly ChangeEvent[] => {
  if (before.identity.chainId !== after.identity.chainId || after.revision < before.revision) {
    return [{ topic: 'resync', data: { reason: 'another_chain' }, about: null }]
  }
  if (before.epoch === after.epoch) return []
  const afterBlock = after.finalizedCursor?.block ?? null
  return [{ topic: 'rollback', data: { afterBlock, ts: after.cursor?.ts ?? 0 }, about: null }]
}

const createChangeDetector = (): ChangeDetector => {
  const changedStocks = createRowComparison<ReturnType<ValuedMarket['stocks']>[number]>(
    ({ address }) => address,
    (stock) => JSON.stringify(stock),
  )
  const changedSources = createRowComparison<SourceView>(
    ({ source }) => source,
    ({ state, lastError }) => `${state} ${lastError}`,
  )
  let collected: ReadModel | null = null
  let breaks: readonly ChangeEvent[] = []
  let swaps: readonly ChangeEvent[] = []
  let compared: Pools | null = null
  const resync = createResync()

  const detectPoolChanges = (market: ValuedMarket): readonly ChangeEvent[] => {
    const { pools } = market.model
    const before = compared
    compared = pools
    if (before === null) return []
    const changed = findChangedPools(before, pools)
    if (changed.length > changesMax.pools) resync.request()
    if (resync.isPending()) return []
    return changed.flatMap((number): ChangeEvent[] => {
      const row = getByNumber(market.rows, number)
      if (row === undefined) return []
      const about = toSubject(row.pool, market.model)
      return [{ topic: 'pool', data: market.viewOf(row), about }]
    })
  }

  return {
    collectSwaps: async (snapshot, model) => {
      const before = collected
      const { header } = model
      collected = model
      if (before === null) return
      const found = compareHeaders(before.header, header)
      breaks = [...breaks, ...found]
      const since = before.header.cursor
      if (since === null || found.length > 0) return
      if ((header.cursor?.block ?? -1) <= since.block || resync.isPending()) return
      const read = await readSwaps(snapshot, model, { pools: before.pools, since })
      if (read === null) resync.request()
      swaps = read === null ? [] : [...swaps, ...read]
    },
    detectChanges: (market, sources) => {
      const pools = detectPoolChanges(market)
      const single = resync.isPending() ? [] : [...swaps, ...pools]
      const { now } = market.inputs.context
      const changes: ChangeEvent[] = [...breaks, ...resync.takeDue(now), ...single]
      breaks = []
      swaps = []
      for (const data of changedStocks(market.stocks())) {
        const about = { symbols: [data.symbol.toUpperCase()], poolId: null }
        changes.push({ topic: 'stock', data, about })
      }
      for (const data of changedSources(sources)) {
        changes.push({ topic: 'source', data, about: null })
      }
      return changes
    },
  }
}

type Listener = (changes: readonly ChangeEvent[]) => void

/** Sends change events to listeners. Detects none while there is no listener. */
export type Subscribers = {
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: Listener) => () => void
  readonly collectSwaps: (snapshot: StoreSnapshot, model: ReadModel) => Promise<void>
  readonly publish: (market: ValuedMarket, sources: () => readonly SourceView[]) => void
}

export const createSubscribers = (logger: Logger): Subscribers => {
  const listeners = new Set<Listener>()
  let detector: ChangeDetector | null = null

  return {
    subscribe: (listener) => {
      listeners.add(listener)
      detector ??= createChangeDetector()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) detector = null
      }
    },
    collectSwaps: async (snapshot, model) => detector?.collectSwaps(snapshot, model),
    publish: (market, sources) => {
      const changes = detector?.detectChanges(market, sources()) ?? []
      if (changes.length === 0) return
      for (const listener of listeners) {
        try {
          listener(changes)
        } catch (error) {
          logger.error('Change listener failed', { error })
        }
      }
    },
  }
}
