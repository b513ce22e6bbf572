import type { ReviewedHooks } from '../domain/dex/uniswap-v4/hook-flags.ts'
import type { Venues } from '../domain/dex/venue.ts'
import { createEtaEstimator } from '../domain/progress-eta.ts'
import type { Policy } from '../domain/status/freshness.ts'
import type { StandardOf } from '../domain/stock/stock-standard.ts'
import type { TrustedToken } from '../domain/token/trusted-token.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { WriterView } from '../domain/views/service.ts'
import type { Clock, Logger } from '../ports/runtime.ts'
import type { StoreReader } from '../ports/store.ts'
import type { SyncProgress } from '../ports/store-batches.ts'
import { type Loop, startLoop } from '../util/loop.ts'
import { createFeed } from './feed/create-feed.ts'
import type { Market, Page } from './market.ts'
import type { PageQuery } from './page-query.ts'
import { createPast } from './past/create-past.ts'
import { createDetails } from './queries/cached-details.ts'
import { createHistory } from './queries/history.ts'
import { createPoolPager } from './queries/page-pools.ts'
import { priceTokens } from './queries/price-tokens.ts'
import { createProvenance, type StateViewOf } from './queries/provenance.ts'
import { searchStocks } from './queries/query-filters.ts'
import { createQuoting } from './queries/quoting.ts'
import { createRanges } from './queries/range-pool.ts'
import { resolveToken } from './queries/resolve-token.ts'
import { findEthUsd, toChainView, toCoverageViews, toSourceViews } from './service-views.ts'
import { markStoreErrors } from './store-errors.ts'
import { createSubscribers } from './sync/change-detector.ts'
import { createMissedChanges } from './sync/missed-changes.ts'
import { withRecentCursors } from './sync/recent-cursors.ts'
import { createStoreSync } from './sync/store-sync.ts'
import { noCounts, type ValuedMarket } from './valuation/valued-market.ts'
import { createValuer } from './valuation/valuer.ts'

export type MarketDeps = {
  readonly store: StoreReader
  readonly clock: Clock
  readonly logger: Logger
  readonly policy: Policy
  readonly trusted: readonly TrustedToken[]
  readonly reviewedHooks: ReviewedHooks
  readonly venues: Venues
  readonly standardOf: StandardOf
  readonly methodologyVersion: string
  /** Shown by the status until the store has a header. */
  readonly network: { readonly name: string; readonly chainId: number }
  readonly isScreenerEnabled: boolean
  /** The store is a file without replicas: a new writer cannot lose revisions. */
  readonly hasOneCopy?: boolean
  /** The indexer reads who sends the transactions of swaps (methodology §7). */
  readonly hasTraders?: boolean
  /** Empty pools that the read model holds; the others stay in the store. */
  readonly emptyPoolsMax?: number
  /** Holder of the store's lease; null if it has none. */
  readonly writer?: () => WriterView | null
  readonly pollMs?: number
}

/** A market that polls a store. */
export type SyncedMarket = Market &
  Loop & {
    /** Has no effect while the loop runs. */
    readonly start: () => void
    /** Resolves after the first read of the store, successful or not. */
    readonly firstPass: Promise<void>
    /** Reads the store now. If that fails, rejects and keeps the last model. */
    readonly refresh: () => Promise<void>
  }

const pollMsDefault = 200
/** Without a successful read for this long the service is unhealthy. */
const refreshAgeSecondsMax = 10

const toPage = <T>(items: readonly T[], { limit, offset }: PageQuery): Page<T> => ({
  items: items.slice(offset, offset + limit),
  total: items.length,
  limit,
  offset,
})

/** Estimates the remaining seconds of a backfill from its progress; null without one. */
const createEta = () => {
  const estimate = createEtaEstimator()
  let seconds: number | null = null
  return {
    update: (backfill: SyncProgress | undefined, now: UnixSeconds): void => {
      const isRunning = backfill !== undefined && backfill.phase !== 'done'
      seconds = isRunning ? estimate(backfill, now).etaSeconds : null
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

export const createMarket = (deps: MarketDeps): SyncedMarket => {
  const { clock, logger, policy, trusted, reviewedHooks, venues, standardOf } = deps
  const { methodologyVersion, network } = deps
  const store = markStoreErrors(deps.store)
  const { emptyPoolsMax, hasOneCopy = false, hasTraders = false } = deps
  const stateViewOf: StateViewOf = (venue) => venues.get(venue)?.stateView ?? null
  const sync = withRecentCursors(
    createStoreSync({ store, trusted, hasOneCopy, hasTraders, emptyPoolsMax }),
  )
  const valuer = createValuer({ trusted, policy, reviewedHooks, venues, standardOf })
  const pagePools = createPoolPager({ sync, valuer, clock, venues })
  let refreshedTs: UnixSeconds | null = null
  let isFailing = false

  const subscribers = createSubscribers({ logger, hasOneCopy, currentModel: sync.model })
  const eta = createEta()

  const refresh = async (): Promise<void> => {
    await sync.read((snapshot, model) => subscribers.collectSwaps(snapshot, model))
    refreshedTs = clock.now()
    eta.update(sync.model()?.header.progress, refreshedTs)
    let pending: Promise<void> | null = null
    do {
      await pending
      const model = sync.model()
      pending = model === null ? null : valuer.valueAt(model, clock.now())
    } while (pending !== null)
    const valued = valuer.latest()
    if (valued !== null) subscribers.publish(valued, () => sources(clock.now()))
  }

  const refreshOrLog = async (): Promise<void> => {
    try {
      await refresh()
      if (isFailing) logger.info('Store is readable again')
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.error('Failed to read the store, serving the last model', { error })
      isFailing = true
    }
  }

  const currentMarket = async (): Promise<ValuedMarket | null> => {
    const model = sync.model()
    return model === null ? null : valuer.current(model, clock.now())
  }

  const stampAt = (now: UnixSeconds): string =>
    `${sync.model()?.header.epoch}:${sync.model()?.header.revision}:${now}`

  const sources = (now: UnixSeconds) =>
    toSourceViews(sync.model(), (source) => source !== 'screener' || deps.isScreenerEnabled, {
      now,
      policy,
    })

  return {
    ...createPolling(refreshOrLog, deps.pollMs ?? pollMsDefault),
    ...createQuoting({ sync, valuer, clock }),
    ...createRanges({ sync, valuer, clock }),
    ...createDetails({ sync, valuer, clock, stampAt }),
    ...createHistory({ sync, valuer, clock }),
    ...createFeed({ sync, clock, venues, standardOf, hasTraders, currentMarket, pagePools }),
    ...createPast({ sync, valuer, clock, stateViewOf }),
    ...createProvenance({ sync, valuer, clock, stateViewOf }),
    refresh,
    stamp: () => stampAt(clock.now()),
    subscribe: subscribers.subscribe,
    missedChanges: createMissedChanges({ sync, valuer, sources: () => sources(clock.now()) }),
    isReady: () => valuer.latest() !== null,
    asOf: (block) => {
      const cursor = valuer.latest()?.model.header.cursor ?? null
      if (block === null) return cursor && { block: cursor.block, hash: cursor.hash }
      return { block, hash: sync.hashOf(block) }
    },
    health: () => {
      const now = clock.now()
      const latest = valuer.latest()
      const isRead = refreshedTs !== null && now - refreshedTs <= refreshAgeSecondsMax
      return {
        ok: latest !== null && isRead,
        ts: now,
        methodologyVersion,
        pools: latest?.poolCounts() ?? noCounts,
        ethUsd: findEthUsd(sync.model(), trusted, { now, policy }),
        sources: sources(now),
      }
    },
    status: () => {
      const now = clock.now()
      const writer = deps.writer?.() ?? null
      const chain = toChainView(sync.model(), network, {
        now,
        etaSeconds: eta.seconds(),
        writer,
      })
      const { quoteMaxAgeSeconds, poolMaxAgeSeconds, reserveMaxAgeSeconds, confirmations } = policy
      const ages = { quoteMaxAgeSeconds, poolMaxAgeSeconds, reserveMaxAgeSeconds }
      const coverage = toCoverageViews(sync.model(), venues)
      return { ts: now, policy: { ...ages, confirmations }, sources: sources(now), chain, coverage }
    },
    pools: async (query) => {
      const valued = await currentMarket()
      return valued === null ? toPage([], query) : pagePools(valued, query)
    },
    stocks: async (query) => {
      const valued = await currentMarket()
      return toPage(searchStocks(valued?.stocks() ?? [], query.q), query)
    },
    resolve: async (q) => resolveToken(await currentMarket(), q),
    prices: async (addresses) => {
      const valued = await currentMarket()
      return { items: valued === null ? [] : priceTokens(valued, trusted, addresses) }
    },
  }
}
