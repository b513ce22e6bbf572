import type { Venues } from '../../domain/dex/venue.ts'
import { failure } from '../../domain/outcome.ts'
import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import type { Clock } from '../../ports/runtime.ts'
import { findPool } from '../queries/details.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import type { FeedQueries } from './feed.ts'
import { readFeedBlock } from './feed-block.ts'
import { readFeedAsset, toFeedPair } from './feed-pair.ts'
import { readFeedEvents } from './read-events.ts'
import { type PagePools, readTickers } from './tickers.ts'

/** What aggregators read, each answer from one snapshot. */
export const createFeed = ({
  sync,
  clock,
  currentMarket,
  pagePools,
  ...rules
}: {
  readonly sync: StoreSync
  readonly clock: Clock
  readonly venues: Venues
  readonly standardOf: StandardOf
  /** Traders of swaps are read. */
  readonly hasTraders: boolean
  readonly currentMarket: () => Promise<ValuedMarket | null>
  readonly pagePools: PagePools
}): Omit<FeedQueries, 'orderBook'> => ({
  feedTickers: async (page) => readTickers(await currentMarket(), page, pagePools),
  feedBlock: () =>
    sync.read((snapshot, model) => readFeedBlock(snapshot, { ...rules, model, now: clock.now() })),
  feedEvents: async (range) =>
    (await sync.read((snapshot, model) =>
      readFeedEvents(snapshot, range, { ...rules, model, now: clock.now() }),
    )) ?? failure({ kind: 'not-announced', last: null }),
  feedPair: (id) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      return pool && toFeedPair(pool, rules.venues)
    }),
  feedAsset: (address) => sync.read((snapshot, model) => readFeedAsset(snapshot, model, address)),
})
