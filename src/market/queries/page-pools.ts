import type { Venues } from '../../domain/dex/venue.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { Page, PoolsQuery } from '../market.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { viewOfPool } from './details.ts'
import { createEmptyPoolLister } from './list-empty-pools.ts'
import { createPoolLister } from './list-pools.ts'
import { countRows, sliceList } from './sorted-list.ts'

/** A page of a pool list: the pools in memory in their order, then the empty ones. */
export type PoolPager = (market: ValuedMarket, query: PoolsQuery) => Promise<Page<PoolView>>

export const createPoolPager = (deps: {
  readonly sync: StoreSync
  readonly valuer: Valuer
  readonly clock: Clock
  readonly venues: Venues
}): PoolPager => {
  const { sync, valuer, clock, venues } = deps
  const listPools = createPoolLister()
  const emptyPools = createEmptyPoolLister(venues)

  /** Reads the store only if the page contains an empty pool, or a search needs their texts. */
  const readEmptyPools = async (model: ReadModel, query: PoolsQuery) => {
    const total = emptyPools.count(model, query)
    if (total !== null && (query.limit === 0 || query.offset >= total)) return { items: [], total }
    const page = await sync.read(async (snapshot, read) => {
      const found = await emptyPools.page(snapshot, read, query)
      const inputs = valuer.inputsAt(read, clock.now())
      return { items: found.pools.map((pool) => viewOfPool(pool, inputs)), total: found.total }
    })
    return page ?? { items: [], total: 0 }
  }

  return async (market, query) => {
    const { limit, offset } = query
    const list = await listPools(market, query)
    const held = countRows(list)
    const items = sliceList(list, offset, offset + limit).map(market.viewOf)
    const empty = await readEmptyPools(market.model, {
      ...query,
      offset: Math.max(0, offset - held),
      limit: limit - items.length,
    })
    return { items: [...items, ...empty.items], total: held + empty.total, limit, offset }
  }
}
