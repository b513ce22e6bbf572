import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Address } from '../../domain/units.ts'
import { createPoolColumns, type StockPools } from '../../domain/valuation/stock-pools.ts'
import type { Model } from './model.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'
import { numbersDiffering, valueAt } from './pool-table.ts'

type At = { readonly model: Pick<Model, 'numbersWith'>; readonly rows: PoolRows }

/** What the pools of a stock come to; to be asked before the next market is. */
export type PoolsOfStocks = (at: At) => (stock: Address) => StockPools

/** Remembers what each stock's pools come to until one of them changes. */
export const createPoolsOfStocks = (): PoolsOfStocks => {
  const known = new Map<Address, StockPools>()
  let followed: PoolRows = []
  const columns = createPoolColumns((number) => valueAt(followed, number))

  const forgetTokensOf = (row: PoolRow | undefined): void => {
    if (row === undefined) return
    known.delete(row.pool.token0.address)
    known.delete(row.pool.token1.address)
  }

  const take = (number: PoolNumber, rows: PoolRows): void => {
    const row = valueAt(rows, number)
    forgetTokensOf(valueAt(followed, number))
    forgetTokensOf(row)
    columns.set(number, row)
  }

  return ({ model, rows }) => {
    for (const number of numbersDiffering(followed, rows)) take(number, rows)
    followed = rows
    return (stock) => {
      const pools = known.get(stock) ?? columns.sum(model.numbersWith(stock))
      known.set(stock, pools)
      return pools
    }
  }
}
