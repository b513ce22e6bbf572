import { success } from '../../domain/outcome.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { HistoryQueries } from '../history.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findPool, findStock } from './details.ts'
import { readLiquidityChanges } from './list-liquidity.ts'
import { findTradedPools, noSwaps, readSwaps } from './list-swaps.ts'
import { readPoolCandles } from './pool-candles.ts'
import { findStockPools, readStockCandles } from './stock-candles.ts'

/** Lists of past rows, each page from one snapshot. */
export const createHistory = ({
  sync,
  valuer,
  clock,
}: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt' | 'latest'>
  readonly clock: Clock
}): HistoryQueries => ({
  poolCandles: (id, query) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      return readPoolCandles(snapshot, pool, { header: model.header, query })
    }),
  stockCandles: (key, query) =>
    sync.read(async (snapshot, model) => {
      const stock = findStock(model, key)
      if (stock === null) return null
      const inputs = valuer.inputsAt(model, clock.now())
      const pools = findStockPools(stock, { model, inputs, before: valuer.latest() })
      return readStockCandles(snapshot, { stock, pools }, { model, query })
    }),
  poolSwaps: (id, query) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      return pool === null ? null : readSwaps(snapshot, { pools: [pool] }, { model, query })
    }),
  stockSwaps: (key, query) =>
    sync.read(async (snapshot, model) => {
      const stock = findStock(model, key)
      if (stock === null) return null
      return readSwaps(snapshot, findTradedPools(stock, model), { model, query })
    }),
  liquidityChanges: (id, query) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      return readLiquidityChanges(snapshot, pool, { header: model.header, query })
    }),
  swaps: async (query) => {
    const page = await sync.read((snapshot, model) => readSwaps(snapshot, 'all', { model, query }))
    return page ?? success(noSwaps)
  },
})
