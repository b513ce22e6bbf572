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

/** Notices what has changed between one look at the market and the next. */
type ChangeDetector = {
  /** Reads the swaps that came since the last look, from the snapshot that the model is of. */
  readonly collectSwaps: (snapshot: StoreSnapshot, model: ReadModel) => Promise<void>
  /** What to tell now; nothing at the first look. */
  readonly detectChanges: (
    market: ValuedMarket,
    sources: readonly SourceView[],
  ) => readonly ChangeEvent[]
}

/**
 * Of one look, which is a fraction of a second after the one before. Above this, as while a chain
 * is caught up with, asking anew is less work for everybody.
 */
const newsMax = { pools: 500, tradedPools: 100, swaps: 500 }
/** Who asks anew is not told to ask again at once, however much goes on changing. */
const resyncSecondsMin = 5

type Entries = ReadModel['pools']

const aboutPool = (pool: ListedPool, { stocks }: ReadModel): ChangeSubject => {
  const tickers = [stockTokenOf(pool), otherTokenOf(pool)].map(
    ({ address }) => stocks.get(address)?.symbol,
  )
  const symbols = tickers.flatMap((symbol) => (symbol === undefined ? [] : [symbol.toUpperCase()]))
  return { symbols, poolId: pool.id }
}

const changedPools = (before: Entries, after: Entries): readonly PoolNumber[] =>
  changedNumbers(before, after).filter((number) => {
    const [old, pool] = [getByNumber(before, number), getByNumber(after, number)]
    if (pool === undefined) return false
    // What slides out of a window changes numbers, but is no news of the pool.
    return old === undefined || !isUnchangedPool(pool, old)
  })

const swapNewsOf = async (
  pool: ListedPool,
  since: BlockRef,
  { snapshot, model }: { readonly snapshot: StoreSnapshot; readonly model: ReadModel },
): Promise<readonly ChangeEvent[] | null> => {
  const query = { pool: pool.number, fromTs: since.ts, rowsMax: newsMax.swaps + 1 }
  const rows = await snapshot.swaps(query)
  if (rows.length > newsMax.swaps) return null
  const about = aboutPool(pool, model)
  const stockSymbol = model.stocks.get(stockTokenOf(pool).address)?.symbol ?? ''
  const swapPool = toSwapPool(pool)
  return rows
    .filter(({ block }) => block > since.block)
    .map((swap): ChangeEvent => {
      const data = { poolId: pool.id, stockSymbol, ...toSwapView(swap, swapPool) }
      return { topic: 'swap', data, about }
    })
}

const placeOf = (news: ChangeEvent): readonly [number, number] =>
  news.topic === 'swap' ? [news.data.block, news.data.logIndex] : [0, 0]

const byPlace = (a: ChangeEvent, b: ChangeEvent): number => {
  const [first, second] = [placeOf(a), placeOf(b)]
  return first[0] - second[0] || first[1] - second[1]
}

/** In the order of the chain; null if there are too many to tell. */
const readSwaps = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  before: { readonly pools: Entries; readonly since: BlockRef },
): Promise<readonly ChangeEvent[] | null> => {
  const { since } = before
  const traded = changedNumbers(before.pools, model.pools).flatMap((number) => {
    const [old, pool] = [getByNumber(before.pools, number), getByNumber(model.pools, number)]
    // A pool that has swapped since is not in the same state as then.
    if (pool === undefined || pool.state === old?.state) return []
    return (toStoredPool(pool).lastSwapBlock ?? -1) > since.block ? [pool] : []
  })
  if (traded.length > newsMax.tradedPools) return null
  const news: ChangeEvent[] = []
  for (const pool of traded) {
    const ofPool = await swapNewsOf(pool, since, { snapshot, model })
    if (ofPool === null || news.length + ofPool.length > newsMax.swaps) return null
    news.push(...ofPool)
  }
  return news.sort(byPlace)
}

/** What stands for all that is too much to be told, now and then. */
const createResync = () => {
  let isOwed = false
  let toldTs = Number.NEGATIVE_INFINITY
  return {
    owe: () => {
      isOwed = true
    },
    /** Whoever is owed one need not hear of single pools and swaps: it stands for them as well. */
    isOwed: () => isOwed,
    due: (now: UnixSeconds): readonly ChangeEvent[] => {
      if (!isOwed || now - toldTs < resyncSecondsMin) return []
      isOwed = false
      toldTs = now
      return [{ topic: 'resync', data: { reason: 'too_many_changes' }, about: null }]
    },
  }
}

/** Rows of something small, of which the changed ones are told. */
const createChangedRows = <Row>(textOf: (row: Row) => string, nameOf: (row: Row) => string) => {
  let told: ReadonlyMap<string, string> | null = null
  return (rows: readonly Row[]): readonly Row[] => {
    const before = told
    const texts = new Map(rows.map((row) => [nameOf(row), textOf(row)]))
    told = texts
    if (before === null) return []
    return rows.filter((row) => before.get(nameOf(row)) !== texts.get(nameOf(row)))
  }
}

const isOtherChain = (a: IndexHeader, b: IndexHeader): boolean =>
  a.identity.chainId !== b.identity.chainId || b.revision < a.revision

/** What the store itself tells of a break: a new branch, or another store. */
const breakBetween = (before: IndexHeader, after: IndexHeader): readonly ChangeEvent[] => {
  if (isOtherChain(before, after)) {
    return [{ topic: 'resync', data: { reason: 'another_chain' }, about: null }]
  }
  if (before.epoch === after.epoch) return []
  const afterBlock = after.finalizedCursor?.block ?? null
  return [{ topic: 'rollback', data: { afterBlock, ts: after.cursor?.ts ?? 0 }, about: null }]
}

const createChangeDetector = (): ChangeDetector => {
  const changedStocks = createChangedRows<ReturnType<ValuedMarket['stocks']>[number]>(
    (stock) => JSON.stringify(stock),
    ({ address }) => address,
  )
  const changedSources = createChangedRows<SourceView>(
    ({ state, lastError }) => `${state} ${lastError}`,
    ({ source }) => source,
  )
  let readUpTo: ReadModel | null = null
  let breaks: readonly ChangeEvent[] = []
  let swaps: readonly ChangeEvent[] = []
  let told: Entries | null = null
  const resync = createResync()

  const poolNews = (market: ValuedMarket): readonly ChangeEvent[] => {
    const { pools } = market.model
    const before = told
    told = pools
    if (before === null) return []
    const changed = changedPools(before, pools)
    if (changed.length > newsMax.pools) resync.owe()
    if (resync.isOwed()) return []
    return changed.flatMap((number): ChangeEvent[] => {
      const row = getByNumber(market.rows, number)
      if (row === undefined) return []
      const about = aboutPool(row.pool, market.model)
      return [{ topic: 'pool', data: market.viewOf(row), about }]
    })
  }

  return {
    collectSwaps: async (snapshot, model) => {
      const before = readUpTo
      const { header } = model
      readUpTo = model
      if (before === null) return
      const found = breakBetween(before.header, header)
      breaks = [...breaks, ...found]
      const since = before.header.cursor
      if (since === null || found.length > 0) return
      if ((header.cursor?.block ?? -1) <= since.block || resync.isOwed()) return
      const { pools } = before
      const read = await readSwaps(snapshot, model, { pools, since })
      if (read === null) resync.owe()
      swaps = read === null ? [] : [...swaps, ...read]
    },
    detectChanges: (market, sources) => {
      const pools = poolNews(market)
      const single = resync.isOwed() ? [] : [...swaps, ...pools]
      const news: ChangeEvent[] = [...breaks, ...resync.due(market.inputs.context.now), ...single]
      breaks = []
      swaps = []
      for (const data of changedStocks(market.stocks())) {
        const about = { symbols: [data.symbol.toUpperCase()], poolId: null }
        news.push({ topic: 'stock', data, about })
      }
      for (const data of changedSources(sources)) news.push({ topic: 'source', data, about: null })
      return news
    },
  }
}

type Listener = (news: readonly ChangeEvent[]) => void

/** Whoever wants the news. While nobody does, none is gathered. */
export type Subscribers = {
  readonly watch: (listener: Listener) => () => void
  readonly read: (snapshot: StoreSnapshot, model: ReadModel) => Promise<void>
  readonly publish: (market: ValuedMarket, sources: () => readonly SourceView[]) => void
}

export const createSubscribers = (logger: Logger): Subscribers => {
  const listeners = new Set<Listener>()
  let desk: ChangeDetector | null = null

  return {
    watch: (listener) => {
      listeners.add(listener)
      desk ??= createChangeDetector()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) desk = null
      }
    },
    read: async (snapshot, model) => desk?.collectSwaps(snapshot, model),
    publish: (market, sources) => {
      const news = desk?.detectChanges(market, sources()) ?? []
      if (news.length === 0) return
      for (const listener of listeners) {
        try {
          listener(news)
        } catch (error) {
          logger.error('news could not be told', { error })
        }
      }
    },
  }
}
