import type { SlicedWork } from '../../util/time-slice.ts'
import { type PoolsQuery, poolSorts } from '../market.ts'
import { capacityOf } from '../model/chunked-table.ts'
import { findRows, type PoolRow } from '../valuation/pool-rows.ts'
import type { ValuedMarket } from '../valuation/valued-market.ts'
import { createPoolIndex } from './bigram-index.ts'
import { createLiveRankings } from './live-rankings.ts'
import { createPoolComparator, sortAll } from './pool-sort.ts'
import { buildPredicates } from './query-filters.ts'
import type { SortedList } from './sorted-list.ts'

type Query = Omit<PoolsQuery, 'limit' | 'offset'>

/** Rankings of all pools: each sort in both directions, and the default. */
const rankingsMax = 2 * (poolSorts.length + 1)
/** Cached rankings of filtered pools. */
const selectionsMax = 32
/** Sorting candidates is faster than filtering the full ranking below one in this many rows. */
const sortableShare = 16

/** Returns the rows of a query in its order. Long work yields to the event loop. */
export type PoolLister = (market: ValuedMarket, query: PoolsQuery) => Promise<SortedList<PoolRow>>

/** Finds the rows of a ticker by its stocks, without visiting all rows. */
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
  includes: (row: PoolRow) => boolean,
): SlicedWork<readonly PoolRow[]> {
  const found: PoolRow[] = []
  for (const [at, chunk] of list.entries()) {
    if (at > 0 && at % chunksPerSlice === 0) yield
    for (const row of chunk) if (includes(row)) found.push(row)
  }
  return found
}

export const createPoolLister = (): PoolLister => {
  const index = createPoolIndex()
  const rankings = createLiveRankings(rankingsMax)
  const selections = createLiveRankings(selectionsMax)

  const rankAll = ({ rows, inputs }: ValuedMarket, query: Query) => {
    const { sort, order } = query
    return rankings({
      name: `${sort}:${order}`,
      rows,
      now: inputs.context.now,
      compare: createPoolComparator(query),
      includes: () => true,
      build: () => sortAll(rows, query),
    })
  }

  /** A superset of the selected rows; null if it could be all rows. */
  const candidatesFor = function* (
    market: ValuedMarket,
    { symbol, q }: Query,
  ): SlicedWork<readonly PoolRow[] | null> {
    if (q !== null) return findRows(market.rows, yield* index.find(market.model.pools, q))
    return symbol === null ? null : rowsOfTicker(market, symbol)
  }

  const select = function* (
    market: ValuedMarket,
    query: Query,
    includes: (row: PoolRow) => boolean,
  ): SlicedWork<readonly PoolRow[]> {
    const found = (yield* candidatesFor(market, query))?.filter(includes)
    const isFew = found !== undefined && found.length * sortableShare <= capacityOf(market.rows)
    if (isFew) return found.toSorted(createPoolComparator(query))
    // The caller ignores the first yielded value and queues the rest behind the mutex.
    yield
    let ranking: SortedList<PoolRow> = []
    yield rankAll(market, query).then((list) => {
      ranking = list
    })
    const selected = found && new Set(found)
    return yield* filter(ranking, selected ? (row) => selected.has(row) : includes)
  }

  return (market, { limit: _limit, offset: _offset, ...query }) => {
    const predicates = buildPredicates(query, market.inputs.context.venues)
    if (predicates.length === 0) return rankAll(market, query)
    const includes = (row: PoolRow) => predicates.every((predicate) => predicate(row))
    return selections({
      name: JSON.stringify(query),
      rows: market.rows,
      now: market.inputs.context.now,
      compare: createPoolComparator(query),
      includes,
      build: () => select(market, query, includes),
    })
  }
}
