import type { SlicedWork } from '../../util/time-slice.ts'
import type { PoolSort, PoolsQuery } from '../market.ts'
import { capacityOf, poolsPerChunk } from '../model/chunked-table.ts'
import type { PoolRow, PoolRows } from '../valuation/pool-rows.ts'
import type { Compare } from './sorted-list.ts'

type Key = (row: PoolRow) => number | null

const keys: Readonly<Record<PoolSort, Key>> = {
  liquidity: (row) => row.liquidityUsd,
  vol1h: (row) => row.pool.volume.vol1hUsd,
  vol24h: (row) => row.pool.volume.vol24hUsd,
  vol24hFiltered: (row) => row.pool.volume.vol24hFilteredUsd,
  created: (row) => row.pool.createdBlock,
  lastSwap: (row) => row.pool.lastSwapTs,
  premium: (row) => row.premiumBps,
  depth: (row) => row.depthUsd,
  feeApr24h: (row) => row.feeApr24h,
}

const compareIds: Compare<PoolRow> = ({ pool: a }, { pool: b }) =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0

/** Sorts ascending; unknown values are `Infinity`, last in either direction. */
type Rank = (row: PoolRow) => number

type Order = Pick<PoolsQuery, 'sort' | 'order'>

const ranksOf = ({ sort, order }: Order): readonly Rank[] => {
  const sign = order === 'asc' ? 1 : -1
  const sortKeys = sort === null ? [keys.liquidity, keys.vol24h] : [keys[sort]]
  return sortKeys.map((key) => (row) => {
    const value = key(row)
    return value === null ? Number.POSITIVE_INFINITY : sign * value
  })
}

/**
 * Creates the total order of a list (docs/api.md): by value, unknown last, then by id. `Infinity -
 * Infinity` is NaN, which counts as equal.
 */
export const createPoolComparator = (query: Order): Compare<PoolRow> => {
  const ranks = ranksOf(query)
  return (a, b) => {
    for (const rank of ranks) {
      const difference = rank(a) - rank(b)
      if (difference) return difference
    }
    return compareIds(a, b)
  }
}

/** Characters of seven bits that fit into one safe integer. */
const idKeyLength = 7

/** The first characters of an id as a number: orders nearly all ids, much faster than strings. */
const idSortKey = ({ pool: { id } }: PoolRow): number => {
  let key = 0
  // Every id starts with `0x`.
  for (let at = 2; at < 2 + idKeyLength; at++) key = key * 128 + (id.charCodeAt(at) || 0)
  return key
}

/** About three milliseconds of work. */
const chunksPerSlice = 64
const rowsPerSlice = chunksPerSlice * poolsPerChunk

type Columns = {
  readonly all: readonly PoolRow[]
  readonly columns: readonly Float64Array[]
}

/** Reads all rows and their sort keys, as one array of numbers per key. */
const buildColumns = function* (rows: PoolRows, ranks: readonly Rank[]): SlicedWork<Columns> {
  // Work that waits for the mutex must not hold columns yet.
  if (rows.length > chunksPerSlice) yield
  const all: PoolRow[] = []
  const columns = ranks.map(() => new Float64Array(capacityOf(rows)))
  for (const [at, chunk] of rows.entries()) {
    if (at > 0 && at % chunksPerSlice === 0) yield
    for (const row of chunk) {
      if (row === undefined) continue
      for (const [key, column] of columns.entries()) column[all.length] = ranks[key]?.(row) ?? 0
      all.push(row)
    }
  }
  return { all, columns }
}

/** About a millisecond of work. */
const stepsPerSlice = 32_768

/** Merge sort of the indexes below `count`. */
const sortIndexes = function* (count: number, compare: Compare<number>): SlicedWork<Uint32Array> {
  let from = new Uint32Array(count).map((_, at) => at)
  let to = new Uint32Array(count)
  let steps = 0
  // Each pass merges sorted runs of `width` into runs of twice the width.
  for (let width = 1; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count)
      const end = Math.min(middle + width, count)
      let [left, right] = [start, middle]
      for (let at = start; at < end; at++) {
        const isLeft =
          right === end ||
          (left < middle && compare(from[left] as number, from[right] as number) < 0)
        to[at] = (isLeft ? from[left++] : from[right++]) as number
        steps += 1
        if (steps % stepsPerSlice === 0) yield
      }
    }
    ;[from, to] = [to, from]
  }
  return from
}

/**
 * Sorts all rows like the comparator of the query, but by columns: sorting a million scattered
 * records directly would read each of them about forty times.
 */
export const sortAll = function* (rows: PoolRows, query: Order): SlicedWork<readonly PoolRow[]> {
  const { all, columns } = yield* buildColumns(rows, [...ranksOf(query), idSortKey])
  const [first, second, third] = columns
  const indexes = yield* sortIndexes(
    all.length,
    (a, b) =>
      (first?.[a] ?? 0) - (first?.[b] ?? 0) ||
      (second?.[a] ?? 0) - (second?.[b] ?? 0) ||
      (third?.[a] ?? 0) - (third?.[b] ?? 0) ||
      compareIds(all[a] as PoolRow, all[b] as PoolRow),
  )
  const sorted: PoolRow[] = []
  for (const [at, index] of indexes.entries()) {
    if (at > 0 && at % rowsPerSlice === 0) yield
    sorted.push(all[index] as PoolRow)
  }
  return sorted
}
