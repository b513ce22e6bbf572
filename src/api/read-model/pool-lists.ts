import type { PoolsQuery } from '../market.ts'
import { createPoolIndex, type PoolFlags } from './pool-index.ts'
import { createPoolOrders } from './pool-orders.ts'
import { type PoolRow, type PoolRows, rowsAmong } from './pool-rows.ts'
import { filterTests, hexPrefixOf } from './pool-search.ts'
import type { ValuedMarket } from './valued-market.ts'

type Query = Omit<PoolsQuery, 'limit' | 'offset'>

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

/** Pool numbers in a list's order, read much faster than the rows that lie all over the memory. */
const createNumbers = () => {
  const known = new WeakMap<readonly PoolRow[], Uint32Array>()
  return (order: readonly PoolRow[]): Uint32Array => {
    const numbers = known.get(order) ?? Uint32Array.from(order, ({ entry }) => entry.pool.number)
    known.set(order, numbers)
    return numbers
  }
}

/** Remembers the latest answers as long as the rows are the same. */
export const createPoolLists = (): PoolLists => {
  const orders = createPoolOrders()
  const index = createPoolIndex()
  const numbersOf = createNumbers()
  const selections = new Map<string, readonly PoolRow[]>()
  let selectedFrom: PoolRows | null = null

  const remember = (name: string, selected: readonly PoolRow[]): void => {
    const oldest = selections.keys().next()
    if (selections.size >= selectionsMax && !oldest.done) selections.delete(oldest.value)
    selections.set(name, selected)
  }

  const flagged = (order: readonly PoolRow[], flags: PoolFlags): readonly PoolRow[] => {
    const found: PoolRow[] = []
    for (const [place, number] of numbersOf(order).entries()) {
      const row = flags[number] === 1 ? order[place] : undefined
      if (row !== undefined) found.push(row)
    }
    return found
  }

  /** The rows of the wanted ticker and text. */
  const named = (market: ValuedMarket, query: Query): readonly PoolRow[] => {
    const { symbol, q } = query
    const { entries } = market.model
    const flags = q === null ? null : index.find(entries, { q, prefix: hexPrefixOf(q) })
    if (symbol !== null) {
      const some = rowsOfTicker(market, symbol)
      const wanted = flags && some.filter(({ entry }) => flags[entry.pool.number] === 1)
      return orders.sort(wanted ?? some, query)
    }
    const order = orders.of(market.rows, query)
    return flags === null ? order : flagged(order, flags)
  }

  return {
    select: (market, { limit: _limit, offset: _offset, ...query }) => {
      const { rows } = market
      const tests = filterTests(query)
      if (tests.length === 0 && query.symbol === null && query.q === null) {
        return orders.of(rows, query)
      }
      if (selectedFrom !== rows) selections.clear()
      selectedFrom = rows
      const name = JSON.stringify(query)
      const known = selections.get(name)
      if (known !== undefined) return known
      const some = named(market, query)
      const selected =
        tests.length === 0 ? some : some.filter((row) => tests.every((test) => test(row)))
      remember(name, selected)
      return selected
    },
  }
}
