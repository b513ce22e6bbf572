import type { SlicedWork } from '../../util/time-slice.ts'
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
  /**
   * The rows that a query asks for, in its order, until the next one is asked for; a promise to
   * await and to ask again after if many of them are to be sorted or looked through first.
   */
  readonly select: (
    market: ValuedMarket,
    query: PoolsQuery,
  ) => Pick<Ranking<PoolRow>, 'size' | 'slice'> | Promise<void>
}

/** The pools of the stocks with this ticker: few, where a walk over all would look at every one. */
const rowsOfTicker = ({ model, rows }: ValuedMarket, ticker: string): readonly PoolRow[] => {
  const named = [...model.stocks.values()].filter(
    ({ symbol, verdict }) => verdict === 'verified' && symbol.toUpperCase() === ticker,
  )
  const numbers = new Set(named.flatMap(({ address }) => model.numbersWith(address)))
  return rowsAmong(rows, numbers)
}

/** About two milliseconds of work. */
const piecesPerSlice = 64

const filter = function* (
  pieces: readonly (readonly PoolRow[])[],
  isIn: (row: PoolRow) => boolean,
): SlicedWork<readonly PoolRow[]> {
  const found: PoolRow[] = []
  for (const [at, piece] of pieces.entries()) {
    if (at > 0 && at % piecesPerSlice === 0) yield
    for (const row of piece) if (isIn(row)) found.push(row)
  }
  return found
}

/** Remembers what was asked for, and follows the rows with it. */
export const createPoolLists = (): PoolLists => {
  const index = createPoolIndex()
  const orders = createFollowedRankings(ordersMax)
  const selections = createFollowedRankings(selectionsMax)

  const orderOf = ({ rows, facts }: ValuedMarket, query: Query) => {
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

  const awaitedOrderOf = function* (
    market: ValuedMarket,
    query: Query,
  ): SlicedWork<Ranking<PoolRow>> {
    let order = orderOf(market, query)
    for (; order instanceof Promise; order = orderOf(market, query)) yield order
    return order
  }

  /** Rows among which all that are asked for are; null if that could be any. */
  const candidatesFor = (market: ValuedMarket, { symbol, q }: Query): readonly PoolRow[] | null => {
    if (q !== null) return rowsAmong(market.rows, index.find(market.model.entries, q))
    return symbol === null ? null : rowsOfTicker(market, symbol)
  }

  const pick = function* (
    market: ValuedMarket,
    query: Query,
    isIn: (row: PoolRow) => boolean,
  ): SlicedWork<readonly PoolRow[]> {
    const some = candidatesFor(market, query)?.filter(isIn)
    const isFew = some !== undefined && some.length * fewShare <= placesIn(market.rows)
    if (isFew) return some.toSorted(compareBy(query))
    // Whoever waits for its turn holds no copy yet.
    yield
    const order = yield* awaitedOrderOf(market, query)
    const wanted = some && new Set(some)
    // Others mend the order between two slices: what is filtered is a copy.
    return yield* filter(order.pieces(), wanted ? (row) => wanted.has(row) : isIn)
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
