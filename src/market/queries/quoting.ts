import type { Market } from '../market.ts'
import { createStockOrders } from './order-stock.ts'
import { createPoolQuoting } from './quote-pool.ts'
import { createTickMapCache } from './tick-map-cache.ts'

type Deps = Omit<Parameters<typeof createStockOrders>[0], 'tickMaps'>

/** Quotes and depths of pools and of stocks, which share the tick maps in memory. */
export const createQuoting = (
  deps: Deps,
): Pick<Market, 'quote' | 'depth' | 'orderBook' | 'stockQuote' | 'stockDepth'> => {
  const own = { ...deps, tickMaps: createTickMapCache() }
  return { ...createPoolQuoting(own), ...createStockOrders(own) }
}
