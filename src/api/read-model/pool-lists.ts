import type { PoolsQuery } from '../market.ts'
import { createFollowedRankings } from './followed-rankings.ts'
import type { Model } from './model.ts'
import { createPoolIndex } from './pool-index.ts'
import { compareBy, sortAll } from './pool-orders.ts'
import { type PoolRow, rowsAmong } from './pool-rows.ts'
import { testsOf } from './pool-search.ts'
import { placesIn } from './pool-table.ts'
import type { Ranking } from './ranking.ts'
import type { ValuedMarket } from './valued-market.ts'

type Query = Omit<PoolsQuery, 'limit' | 'offset'>

/** Each holds every pool: a sort in both directions, and the default. */
const ordersMax = 14
/** Answers to different questions that are remembered at once; each names at most every pool. */
const selectionsMax = 32
/** Sorting some rows beats picking them from all while they are fewer than one in this many. */
const fewShare = 16

export type PoolLists = {
  /**
   * To be awaited before a selection, which would do the same work at once: the first search of
   * all indexes every name.
   */
  readonly prepare: (model: Model, query: PoolsQuery) => Promise<void>
  /** The rows that a query asks for, in its order, until the next one is asked for. */
  readonly select: (
    market: ValuedMarket,
    query: PoolsQuery,
  ) => Pick<Ranking<PoolRow>, 'size' | 'slice'>
}

/** The pools of the stocks with this ticker: few, where a walk over all would look at every one. */
const rowsOfTicker = ({ model, rows }: ValuedMarket, ticker: string): readonly PoolRow[] => {
  const named = [...model.stocks.values()].filter(
    ({ symbol, verdict }) => verdict === 'verified' && symbol.toUpperCase() === ticker,
  )
  const numbers = new Set(named.flatMap(({ address }) => model.numbersWith(address)))
  return rowsAmong(rows, numbers)
}

/** Remembers what was asked for, and follows the rows with it. */
export const createPoolLists = (): PoolLists => {
  const index = createPoolIndex()
  const orders = createFollowedRankings(ordersMax)
  const selections = createFollowedRankings(selectionsMax)

  const orderOf = ({ rows, facts }: ValuedMarket, query: Query): Ranking<PoolRow> => {
    const { sort, order } = query
    return orders.of({
      name: `${sort}:${order}`,
      rows,
      now: facts.moment.now,
      compare: compareBy(query),
      isIn: () => true,
      make: () => sortAll(rows, query),
    })
  }

  /** Rows among which all that are asked for are; null if that could be any. */
  const candidatesFor = (market: ValuedMarket, { symbol, q }: Query): readonly PoolRow[] | null => {
    if (q !== null) return rowsAmong(market.rows, index.find(market.model.entries, q))
    return symbol === null ? null : rowsOfTicker(market, symbol)
  }

  const pick = (
    market: ValuedMarket,
    query: Query,
    isIn: (row: PoolRow) => boolean,
  ): readonly PoolRow[] => {
    const some = candidatesFor(market, query)?.filter(isIn)
    if (some === undefined) return orderOf(market, query).filter(isIn)
    const isFew = some.length * fewShare <= placesIn(market.rows)
    if (isFew) return some.toSorted(compareBy(query))
    const wanted = new Set(some)
    return orderOf(market, query).filter((row) => wanted.has(row))
  }

  return {
    prepare: async ({ entries }, { q }) => (q === null ? undefined : index.prepare(entries)),
    select: (market, { limit: _limit, offset: _offset, ...query }) => {
      const tests = testsOf(query)
      if (tests.length === 0) return orderOf(market, query)
      const isIn = (row: PoolRow) => tests.every((test) => test(row))
      return selections.of({
        name: JSON.stringify(query),
        rows: market.rows,
        now: market.facts.moment.now,
        compare: compareBy(query),
        isIn,
        make: () => pick(market, query, isIn),
      })
    },
  }
}
