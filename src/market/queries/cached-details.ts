import type { UnixSeconds } from '../../domain/units.ts'
import type { PoolDetailView } from '../../domain/views/pool.ts'
import type { StockDetailView } from '../../domain/views/stock.ts'
import type { Clock } from '../../ports/runtime.ts'
import { createRevisionCache } from '../../util/cache.ts'
import type { Market } from '../market.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findPool, findStock, readPoolDetail, readStockDetail } from './details.ts'

/** Cached details of one revision and second. */
const detailsMax = 64

/** Details of pools and stocks; `stampAt` changes with the store's revision and every second. */
export const createDetails = ({
  sync,
  valuer,
  clock,
  stampAt,
}: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt' | 'latest'>
  readonly clock: Clock
  readonly stampAt: (now: UnixSeconds) => string
}): Pick<Market, 'pool' | 'stock'> => {
  const poolDetails = createRevisionCache<PoolDetailView | null>(detailsMax)
  const stockDetails = createRevisionCache<StockDetailView | null>(detailsMax)
  return {
    pool: (id, range) => {
      const now = clock.now()
      return poolDetails.get(`${id}:${range}`, stampAt(now), () =>
        sync.read(async (snapshot, model) => {
          const pool = await findPool(snapshot, model, id)
          if (pool === null) return null
          return readPoolDetail(snapshot, pool, { inputs: valuer.inputsAt(model, now), range })
        }),
      )
    },
    stock: (key, range) => {
      const now = clock.now()
      return stockDetails.get(`${JSON.stringify(key)}:${range}`, stampAt(now), () =>
        sync.read((snapshot, model) => {
          const stock = findStock(model, key)
          if (stock === null) return Promise.resolve(null)
          const inputs = valuer.inputsAt(model, now)
          return readStockDetail(stock, range, { snapshot, model, inputs, before: valuer.latest() })
        }),
      )
    },
  }
}
