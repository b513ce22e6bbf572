import type { HistoryQueries } from '../history.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import { findPool } from './details.ts'
import { readPoolCandles } from './pool-candles.ts'

/** Lists of past rows, each page from one snapshot. */
export const createHistory = ({ sync }: { readonly sync: StoreSync }): HistoryQueries => ({
  poolCandles: (id, query) =>
    sync.read(async (snapshot, model) => {
      const pool = await findPool(snapshot, model, id)
      if (pool === null) return null
      return readPoolCandles(snapshot, pool, { header: model.header, query })
    }),
})
