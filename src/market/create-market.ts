import { createEtaEstimator } from '../domain/progress-eta.ts'
import type { Policy } from '../domain/status/freshness.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { PoolDetailView } from '../domain/views/pool.ts'
import type { WriterView } from '../domain/views/service.ts'
import type { StockDetailView } from '../domain/views/stock.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { StoreReader } from '../ports/store.ts'
import type { SyncProgress } from '../ports/store-batches.ts'
import { createRevisionCache } from '../util/cache.ts'
import { type Loop, startLoop } from '../util/loop.ts'
import type { Market, Page, PageQuery } from './market.ts'
import { getByNumber } from './model/chunked-table.ts'
import { findStock, readPoolDetail, readStockDetail } from './queries/details.ts'
import { createPoolLister } from './queries/list-pools.ts'
import { searchStocks } from './queries/query-filters.ts'
import { countRows, sliceList } from './queries/sorted-list.ts'
import { findEthUsd, toChainView, toSourceViews } from './service-views.ts'
import { markStoreErrors } from './store-errors.ts'
import { createSubscribers } from './sync/change-detector.ts'
import { createStoreSync } from './sync/store-sync.ts'
import { noCounts, type ValuedMarket } from './valuation/valued-market.ts'
import { createValuer } from './valuation/valuer.ts'

export type MarketDeps = {
  readonly store: StoreReader
  readonly clock: Clock
  readonly logger: Logger
  readonly policy: Policy
  readonly trusted: readonly TrustedToken[]
  readonly methodologyVersion: string
  /** What the status says of the chain before the store does. */
  readonly network: { readonly name: string; readonly chainId: number }
  readonly isScreenerEnabled: boolean
  /** The store is a file: a writer that begins anew begins with all that was read from it. */
  readonly hasOneCopy?: boolean
  /** Who holds the store's lease; null where it has none. */
  readonly writer?: () => WriterView | null
  /** How often the store is looked at. */
  readonly pollMs?: number
}

/** A market that follows a store. */
export type SyncedMarket = Market &
  Loop & {
    /** Does nothing while the loop runs already. */
    readonly start: () => void
    /** Resolves once the first look at the store has ended, however it went. */
    readonly firstPass: Promise<void>
    /** Looks at the store now. Rejects if it can not be read; the last model then stays. */
    readonly refresh: () => Promise<void>
  }

const pollMsDefault = 200
/** Without a successful look at the store for this long the service is not well. */
const refreshAgeSecondsMax = 10
/** Details that are remembered until the store or the second changes. */
const detailsMax = 64

const pageOf = <T>(items: readonly T[], { limit, offset }: PageQuery): Page<T> => ({
  items: items.slice(offset, offset + limit),
  total: items.length,
  limit,
  offset,
})

/** How long a backfill still takes, from how far it has come between looks; null without one. */
const createEta = () => {
  const estimate = createEtaEstimator()
  let seconds: number | null = null
  return {
    note: (backfill: SyncProgress | undefined, now: UnixSeconds): void => {
      const isUnderWay = backfill !== undefined && backfill.phase !== 'done'
      seconds = isUnderWay ? estimate(backfill, now).etaSeconds : null
    },
    seconds: () => seconds,
  }
}

/** `pass` must not reject. */
const createPolling = (pass: () => Promise<void>, pollMs: number) => {
  const first = Promise.withResolvers<void>()
  let loop: Loop | null = null
  const step = async () => {
    await pass()
    first.resolve()
    return { waitMs: pollMs }
  }
  return {
    firstPass: first.promise,
    start: () => {
      loop ??= startLoop(step, { onError: first.reject })
    },
    stop: async () => {
      await loop?.stop()
      loop = null
    },
    wake: () => loop?.wake(),
  }
}

export const createMarket = (parts: MarketDeps): SyncedMarket => {
  const { clock, logger, policy, trusted, methodologyVersion, network } = parts
  const store = markStoreErrors(parts.store)
  const follower = createStoreSync({ store, trusted, hasOneCopy: parts.hasOneCopy ?? false })
  const valuer = createValuer({ trusted, policy })
  const listPools = createPoolLister()
  const poolDetails = createRevisionCache<PoolDetailView | null>(detailsMax)
  const stockDetails = createRevisionCache<StockDetailView | null>(detailsMax)
  let refreshedTs: UnixSeconds | null = null
  let isFailing = false

  const watchers = createSubscribers(logger)
  const eta = createEta()

  const refresh = async (): Promise<void> => {
    await follower.read((snapshot, model) => watchers.read(snapshot, model))
    refreshedTs = clock.now()
    eta.note(follower.model()?.header.progress, refreshedTs)
    let pending: Promise<void> | null = null
    do {
      await pending
      const model = follower.model()
      pending = model === null ? null : valuer.valueAt(model, clock.now())
    } while (pending !== null)
    const valued = valuer.latest()
    if (valued !== null) watchers.publish(valued, () => sources(clock.now()))
  }

  const refreshOrLog = async (): Promise<void> => {
    try {
      await refresh()
      if (isFailing) logger.info('The store can be read again')
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.error('The store can not be read; the last model stays', { error })
      isFailing = true
    }
  }

  const present = async (): Promise<ValuedMarket | null> => {
    const model = follower.model()
    return model === null ? null : valuer.current(model, clock.now())
  }

  const detailStamp = (now: UnixSeconds): string =>
    `${follower.model()?.header.epoch}:${follower.model()?.header.revision}:${now}`

  const sources = (now: UnixSeconds) =>
    toSourceViews(follower.model(), (source) => source !== 'screener' || parts.isScreenerEnabled, {
      now,
      policy,
    })

  return {
    ...createPolling(refreshOrLog, parts.pollMs ?? pollMsDefault),
    refresh,
    stamp: () => detailStamp(clock.now()),
    subscribe: watchers.watch,
    isReady: () => valuer.latest() !== null,
    health: () => {
      const now = clock.now()
      const latest = valuer.latest()
      const isRead = refreshedTs !== null && now - refreshedTs <= refreshAgeSecondsMax
      return {
        ok: latest !== null && isRead,
        ts: now,
        methodologyVersion,
        pools: latest?.poolCounts() ?? noCounts,
        ethUsd: findEthUsd(follower.model(), trusted, { now, policy }),
        sources: sources(now),
      }
    },
    status: () => {
      const now = clock.now()
      const writer = parts.writer?.() ?? null
      const chain = toChainView(follower.model(), network, {
        now,
        etaSeconds: eta.seconds(),
        writer,
      })
      const { quoteMaxAgeSeconds, poolMaxAgeSeconds, reserveMaxAgeSeconds, confirmations } = policy
      const ages = { quoteMaxAgeSeconds, poolMaxAgeSeconds, reserveMaxAgeSeconds }
      return { ts: now, policy: { ...ages, confirmations }, sources: sources(now), chain }
    },
    pools: async (query) => {
      const valued = await present()
      if (valued === null) return pageOf([], query)
      const { limit, offset } = query
      const list = await listPools(valued, query)
      const items = sliceList(list, offset, offset + limit).map(valued.viewOf)
      return { items, total: countRows(list), limit, offset }
    },
    pool: (id, range) => {
      const now = clock.now()
      return poolDetails.get(`${id}:${range}`, detailStamp(now), () =>
        follower.read((snapshot, model) => {
          const pool = getByNumber(model.pools, model.numberOf(id) ?? -1)
          if (pool === undefined) return Promise.resolve(null)
          return readPoolDetail(snapshot, pool, { inputs: valuer.inputsAt(model, now), range })
        }),
      )
    },
    stocks: async (query) => {
      const valued = await present()
      return pageOf(searchStocks(valued?.stocks() ?? [], query.q), query)
    },
    stock: (key, range) => {
      const now = clock.now()
      return stockDetails.get(`${JSON.stringify(key)}:${range}`, detailStamp(now), () =>
        follower.read((snapshot, model) => {
          const stock = findStock(model, key)
          if (stock === null) return Promise.resolve(null)
          const inputs = valuer.inputsAt(model, now)
          return readStockDetail(stock, range, { snapshot, model, inputs, before: valuer.latest() })
        }),
      )
    },
  }
}
