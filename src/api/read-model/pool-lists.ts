import type { PoolsQuery } from '../market.ts'
import { createPoolOrders } from './pool-orders.ts'
import { type PoolRow, type PoolRows, rowsAmong } from './pool-rows.ts'
import { filterTests } from './pool-search.ts'
import type { ValuedMarket } from './valued-market.ts'

/** Answers to different questions that are remembered at once; each names at most every pool. */
const selectionsMax = 32

/** The rows that a query asks for, all of them, in its order. */
export type PoolLists = {
  readonly select: (market: ValuedMarket, query: PoolsQuery) => readonly PoolRow[]
}

/** The pools of the stocks with this ticker: few, where a walk over all would look at every one. */
const rowsOfTicker = ({ model, rows }: ValuedMarket, ticker: string): readonly PoolRow[] => {
  const named = [...model.stocks.values()].filter(
    ({ symbol, verdict }) => verdict === 'verified' && symbol.toUpperCase() === ticker,
  )
  const numbers = new Set(named.flatMap(({ address }) => model.numbersWith(address)))
  return rowsAmong(rows, numbers)
}

/** Remembers the latest answers as long as the rows are the same. */
export const createPoolLists = (): PoolLists => {
  const orders = createPoolOrders()
  const selections = new Map<string, readonly PoolRow[]>()
  let selectedFrom: PoolRows | null = null

  const remember = (name: string, selected: readonly PoolRow[]): void => {
    const oldest = selections.keys().next()
    if (selections.size >= selectionsMax && !oldest.done) selections.delete(oldest.value)
    selections.set(name, selected)
  }

  return {
    select: (market, { limit: _limit, offset: _offset, ...query }) => {
      const { rows } = market
      const tests = filterTests(query)
      if (tests.length === 0 && query.symbol === null) return orders.of(rows, query)
      if (selectedFrom !== rows) selections.clear()
      selectedFrom = rows
      const name = JSON.stringify(query)
      const known = selections.get(name)
      if (known !== undefined) return known
      const passes = (row: PoolRow): boolean => tests.every((test) => test(row))
      const selected =
        query.symbol === null
          ? orders.of(rows, query).filter(passes)
          : orders.sort(rowsOfTicker(market, query.symbol).filter(passes), query)
      remember(name, selected)
      return selected
    },
  }
}
