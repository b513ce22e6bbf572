import { feeOfDirection } from '../../domain/feed/order-book.ts'
import { feeParts } from '../../domain/swap/swap-step.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { Page, PoolsQuery } from '../market.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { toStoredPool } from '../model/model-pool.ts'
import type { PageQuery } from '../page-query.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import type { FeedTicker } from './feed.ts'

export type PagePools = (valued: ValuedMarket, query: PoolsQuery) => Promise<Page<PoolView>>

const activePools: Omit<PoolsQuery, 'limit' | 'offset'> = {
  ...{ symbol: null, kind: null, q: null, version: null, venue: null, active: true, hot: null },
  ...{ comparable: null, minLiquidityUsd: null, minDepthUsd: null, sort: null, order: 'desc' },
}

const toTicker = (view: PoolView, { model }: ValuedMarket): FeedTicker => {
  const none = { pool: view, bid: null, ask: null }
  const pool = getByNumber(model.pools, model.numberOf(view.id) ?? -1)
  const { stockPriceInOther: mid, stockIsToken0, reserveSource } = view
  // Reserves of the map: a pool whose swaps can be simulated.
  if (pool === undefined || mid === null || reserveSource !== 'ticks') return none
  const leftOf = (side: 'buy' | 'sell'): number | null => {
    const fee = feeOfDirection(toStoredPool(pool), { stockIsToken0, side })
    return fee === null || fee >= feeParts ? null : 1 - fee / feeParts
  }
  const [sold, bought] = [leftOf('sell'), leftOf('buy')]
  return {
    pool: view,
    bid: sold === null ? null : mid * sold,
    ask: bought === null ? null : mid / bought,
  }
}

/** A page of active pools; those without a price are left out of it. */
export const readTickers = async (
  valued: ValuedMarket | null,
  page: PageQuery,
  pagePools: PagePools,
): Promise<readonly FeedTicker[]> => {
  if (valued === null) return []
  const { items } = await pagePools(valued, { ...activePools, ...page })
  return items
    .filter(({ stockPriceInOther }) => stockPriceInOther !== null)
    .map((view) => toTicker(view, valued))
}
