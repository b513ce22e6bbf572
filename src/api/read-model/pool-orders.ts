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

const keysOf = (sort: PoolSort | null): readonly Key[] =>
  sort === null ? [keys.liquidity, keys.vol24h] : [keys[sort]]

type Compare = (a: PoolRow, b: PoolRow) => number

const compareIds: Compare = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Unknown is last in either direction. */
const compareValues = (a: number | null, b: number | null, sign: 1 | -1): number => {
  if (a === b) return 0
  if (a === null) return 1
  return b === null ? -1 : sign * (a - b)
}

const compareBy = (sortKeys: readonly Key[], sign: 1 | -1): Compare => {
  const [first, second] = sortKeys
  return (a, b) => {
    const byFirst = first === undefined ? 0 : compareValues(first(a), first(b), sign)
    if (byFirst !== 0 || second === undefined) return byFirst
    return compareValues(second(a), second(b), sign)
  }
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
  for (; next < b.length; next++) {
    const other = b[next]
    if (other !== undefined) merged.push(other)
  }
  return merged
}

type Ordered = { readonly rows: PoolRows; readonly order: readonly PoolRow[] }

/** Sorting a few rows into many beats sorting all while they are fewer than one in this many. */
const mergeShareMax = 8

/** All rows in one total order (docs/api.md): by value, unknown last, then by id. */
export type PoolOrders = {
  readonly of: (rows: PoolRows, query: Pick<PoolsQuery, 'sort' | 'order'>) => readonly PoolRow[]
}

/** Remembers each order asked for, and mends it instead of sorting anew when few rows change. */
export const createPoolOrders = (): PoolOrders => {
  const kept = new Map<string, Ordered>()

  /** `whole` sorts from scratch; `compare` must be total. */
  const mend = (
    name: string,
    rows: PoolRows,
    sorting: { readonly compare: Compare; readonly whole: () => readonly PoolRow[] },
  ): readonly PoolRow[] => {
    const before = kept.get(name)
    if (before?.rows === rows) return before.order
    const changed = rows.filter((row, number) => row !== before?.rows[number])
    const isMendable = before !== undefined && changed.length * mergeShareMax < rows.length
    const order = isMendable
      ? merge(
          before.order.filter((row) => rows[row.entry.pool.number] === row),
          changed.filter((row) => row !== undefined).sort(sorting.compare),
          sorting.compare,
        )
      : sorting.whole()
    kept.set(name, { rows, order })
    return order
  }

  const byId = (rows: PoolRows): readonly PoolRow[] =>
    mend('id', rows, {
      compare: compareIds,
      whole: () => rows.filter((row) => row !== undefined).sort(compareIds),
    })

  return {
    of: (rows, { sort, order }) => {
      const compare = compareBy(keysOf(sort), order === 'asc' ? 1 : -1)
      return mend(`${sort}:${order}`, rows, {
        compare: (a, b) => compare(a, b) || compareIds(a, b),
        // Sorting is stable: what is equal stays by id, and most dead pools are equal.
        whole: () => byId(rows).toSorted(compare),
      })
    },
  }
}
