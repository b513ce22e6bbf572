import type { PoolSort, PoolsQuery } from '../market.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'

type Key = (row: PoolRow) => number | null

const keys: Readonly<Record<PoolSort, Key>> = {
  liquidity: (row) => row.liquidityUsd,
  vol1h: (row) => row.vol1hUsd,
  vol24h: (row) => row.vol24hUsd,
  created: (row) => row.entry.pool.createdBlock,
  lastSwap: (row) => row.entry.pool.lastSwapTs,
  premium: (row) => row.premiumBps,
}

type Compare = (a: PoolRow, b: PoolRow) => number

const compareIds: Compare = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Smaller is earlier in the list; unknown is last in either direction. */
type Rank = (row: PoolRow) => number

const ranksOf = ({ sort, order }: Pick<PoolsQuery, 'sort' | 'order'>): readonly Rank[] => {
  const sign = order === 'asc' ? 1 : -1
  const sortKeys = sort === null ? [keys.liquidity, keys.vol24h] : [keys[sort]]
  return sortKeys.map((key) => (row) => {
    const value = key(row)
    return value === null ? Number.POSITIVE_INFINITY : sign * value
  })
}

/** `Infinity - Infinity` is NaN, which decides as little as 0 does. */
const compareBy =
  (ranks: readonly Rank[]): Compare =>
  (a, b) => {
    for (const rank of ranks) {
      const difference = rank(a) - rank(b)
      if (difference) return difference
    }
    return compareIds(a, b)
  }

const merge = (a: readonly PoolRow[], b: readonly PoolRow[], compare: Compare): PoolRow[] => {
  const merged: PoolRow[] = []
  let next = 0
  for (const row of a) {
    for (let other = b[next]; other !== undefined && compare(other, row) < 0; other = b[next]) {
      merged.push(other)
      next += 1
    }
    merged.push(row)
  }
  return merged.concat(b.slice(next))
}

/** All rows by id: who is there changes less often than what is known of them. */
const createIdOrder = (): ((rows: PoolRows) => readonly PoolRow[]) => {
  let order: readonly PoolRow[] = []
  let before: PoolRows = []
  return (rows) => {
    const stayed: PoolRow[] = []
    for (const { id, entry } of order) {
      const row = rows[entry.pool.number]
      if (row?.id === id) stayed.push(row)
    }
    const added: PoolRow[] = []
    for (const [number, row] of rows.entries()) {
      if (row !== undefined && row.id !== before[number]?.id) added.push(row)
    }
    order = merge(stayed, added.sort(compareIds), compareIds)
    before = rows
    return order
  }
}

/** Sorts by plain numbers rows that are in the order of their ids, which equal ones keep. */
const sortRanked = (byId: readonly PoolRow[], ranks: readonly Rank[]): readonly PoolRow[] => {
  const [first, second] = ranks.map((rank) => Float64Array.from(byId, rank))
  const places = Uint32Array.from(byId.keys())
  places.sort((a, b) => {
    const difference = (first?.[a] ?? 0) - (first?.[b] ?? 0)
    return difference || (second?.[a] ?? 0) - (second?.[b] ?? 0)
  })
  const sorted: PoolRow[] = []
  for (const place of places) {
    const row = byId[place]
    if (row !== undefined) sorted.push(row)
  }
  return sorted
}

type Ordered = { readonly rows: PoolRows; readonly order: readonly PoolRow[] }

/** Sorting a few rows into many beats sorting all while they are fewer than one in this many. */
const mendableShare = 8

/** Rows in total orders (docs/api.md): by value, unknown last, then by id. */
export type PoolOrders = {
  /** All rows. */
  readonly of: (rows: PoolRows, query: Pick<PoolsQuery, 'sort' | 'order'>) => readonly PoolRow[]
  /** Some rows, few enough to be sorted each time. */
  readonly sort: (
    some: readonly PoolRow[],
    query: Pick<PoolsQuery, 'sort' | 'order'>,
  ) => readonly PoolRow[]
}

/** Remembers each order asked for, and mends it instead of sorting anew when few rows change. */
export const createPoolOrders = (): PoolOrders => {
  const kept = new Map<string, Ordered>()
  const byId = createIdOrder()

  const mend = (rows: PoolRows, before: Ordered, compare: Compare): readonly PoolRow[] | null => {
    const changed = rows.filter((row, number) => row !== before.rows[number])
    if (changed.length * mendableShare > rows.length) return null
    const stayed = before.order.filter((row) => rows[row.entry.pool.number] === row)
    return merge(stayed, changed.filter((row) => row !== undefined).sort(compare), compare)
  }

  return {
    of: (rows, query) => {
      const name = `${query.sort}:${query.order}`
      const before = kept.get(name)
      if (before?.rows === rows) return before.order
      const ranks = ranksOf(query)
      const mended = before === undefined ? null : mend(rows, before, compareBy(ranks))
      const order = mended ?? sortRanked(byId(rows), ranks)
      kept.set(name, { rows, order })
      return order
    },
    sort: (some, query) => some.toSorted(compareBy(ranksOf(query))),
  }
}
