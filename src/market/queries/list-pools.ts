import type { SlicedWork } from '../../util/time-slice.ts'
import type { PoolsQuery } from '../market.ts'
import { capacityOf } from '../model/chunked-table.ts'
import { findRows, type PoolRow } from '../valuation/pool-rows.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import { createPoolIndex } from './bigram-index.ts'
import { createLiveRankings } from './live-rankings.ts'
import { createPoolComparator, sortAll } from './pool-sort.ts'
import { buildPredicates } from './query-filters.ts'
import type { SortedList } from './sorted-list.ts'

type Query = Omit<PoolsQuery, 'limit' | 'offset'>

/** Each holds every pool: a sort in both directions, and the default. */
const ordersMax = 14
/** Answers to different questions that are remembered at once; each names at most every pool. */
const selectionsMax = 32
/** Sorting some rows beats picking them from all while they are fewer than one in this many. */
const fewShare = 16

/** The rows that a query asks for, in its order. Yields to others while there is much to do. */
export type PoolLister = (market: ValuedMarket, query: PoolsQuery) => Promise<SortedList<PoolRow>>

/** The pools of the stocks with this ticker: few, where a walk over all would look at every one. */
const rowsOfTicker = ({ model, rows }: ValuedMarket, ticker: string): readonly PoolRow[] => {
  const named = [...model.stocks.values()].filter(
    ({ symbol, verdict }) => verdict === 'verified' && symbol.toUpperCase() === ticker,
  )
  const numbers = new Set(named.flatMap(({ address }) => model.numbersWith(address)))
  return findRows(rows, numbers)
}

/** About two milliseconds of work. */
const chunksPerSlice = 64

const filter = function* (
  list: SortedList<PoolRow>,
  isIn: (row: PoolRow) => boolean,
): SlicedWork<readonly PoolRow[]> {
  const found: PoolRow[] = []
  for (const [at, chunk] of list.entries()) {
    if (at > 0 && at % chunksPerSlice === 0) yield
    for (const row of chunk) if (isIn(row)) found.push(row)
  }
  return found
}

/** Remembers what was asked for, and follows the rows with it. */
export const createPoolLister = (): PoolLister => {
  const index = createPoolIndex()
  const orders = createLiveRankings(ordersMax)
  const selections = createLiveRankings(selectionsMax)

  const orderOf = ({ rows, inputs }: ValuedMarket, query: Query) => {
    const { sort, order } = query
    return orders({
      name: `${sort}:${order}`,
      rows,
      now: inputs.context.now,
      compare: createPoolComparator(query),
      isIn: () => true,
      make: () => sortAll(rows, query),
    })
  }

  /** Rows among which all that are asked for are; null if that could be any. */
  const candidatesFor = function* (
    market: ValuedMarket,
    { symbol, q }: Query,
  ): SlicedWork<readonly PoolRow[] | null> {
    if (q !== null) return findRows(market.rows, yield* index.find(market.model.pools, q))
    return symbol === null ? null : rowsOfTicker(market, symbol)
  }

  const pick = function* (
    market: ValuedMarket,
    query: Query,
    isIn: (row: PoolRow) => boolean,
  ): SlicedWork<readonly PoolRow[]> {
    const some = (yield* candidatesFor(market, query))?.filter(isIn)
    const isFew = some !== undefined && some.length * fewShare <= capacityOf(market.rows)
    if (isFew) return some.toSorted(createPoolComparator(query))
    // The order is asked for when this list has its turn: nobody awaits what comes out first.
    yield
    let order: SortedList<PoolRow> = []
    yield orderOf(market, query).then((list) => {
      order = list
    })
    const wanted = some && new Set(some)
    return yield* filter(order, wanted ? (row) => wanted.has(row) : isIn)
  }

  return (market, { limit: _limit, offset: _offset, ...query }) => {
    const tests = buildPredicates(query)
    if (tests.length === 0) return orderOf(market, query)
    const isIn = (row: PoolRow) => tests.every((test) => test(row))
    return selections({
      name: JSON.stringify(query),
      rows: market.rows,
      now: market.inputs.context.now,
      compare: createPoolComparator(query),
      isIn,
      make: () => pick(market, query, isIn),
    })
  }
}
