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
  created: (row) => row.pool.createdBlock,
  lastSwap: (row) => row.pool.lastSwapTs,
  premium: (row) => row.premiumBps,
}

const compareIds: Compare<PoolRow> = ({ pool: a }, { pool: b }) =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0

/** Smaller is earlier in the list; unknown is last in either direction. */
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
 * The total order of a list (docs/api.md): by value, unknown last, then by id. `Infinity -
 * Infinity` is NaN, which decides as little as 0 does.
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

/** Letters of seven bits: as many as one number holds. */
const headLetters = 7

/** The first letters of an id: as numbers they order nearly all ids, and much faster than texts. */
const idSortKey = ({ pool: { id } }: PoolRow): number => {
  let head = 0
  // The two before are `0x` in all.
  for (let at = 2; at < 2 + headLetters; at++) head = head * 128 + (id.charCodeAt(at) || 0)
  return head
}

/** So many pieces of rows are read at a time: about three milliseconds of work. */
const piecesPerSlice = 64
const rowsPerSlice = piecesPerSlice * poolsPerChunk

type Columns = {
  readonly all: readonly PoolRow[]
  readonly columns: readonly Float64Array[]
}

/** All rows, with what they are ordered by as plain numbers that lie side by side. */
const buildColumns = function* (rows: PoolRows, ranks: readonly Rank[]): SlicedWork<Columns> {
  // Whoever waits for its turn holds no columns yet.
  if (rows.length > piecesPerSlice) yield
  const all: PoolRow[] = []
  const columns = ranks.map(() => new Float64Array(capacityOf(rows)))
  for (const [at, piece] of rows.entries()) {
    if (at > 0 && at % piecesPerSlice === 0) yield
    for (const row of piece) {
      if (row === undefined) continue
      for (const [key, column] of columns.entries()) column[all.length] = ranks[key]?.(row) ?? 0
      all.push(row)
    }
  }
  return { all, columns }
}

/** About a millisecond of work. */
const stepsPerSlice = 32_768

/** The places from 0 to before `count` in a total order. Yields now and then. */
const sortIndexes = function* (count: number, compare: Compare<number>): SlicedWork<Uint32Array> {
  let from = new Uint32Array(count).map((_, at) => at)
  let to = new Uint32Array(count)
  let steps = 0
  // What is sorted in pieces of this width is so in pieces of twice the width afterwards.
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
 * Sorts all rows as `createPoolComparator` does, but by columns: of a million of records, which lie all over
 * the memory, each is then read once instead of forty times. Yields now and then.
 */
export const sortAll = function* (rows: PoolRows, query: Order): SlicedWork<readonly PoolRow[]> {
  const { all, columns } = yield* buildColumns(rows, [...ranksOf(query), idSortKey])
  const [first, second, third] = columns
  const places = yield* sortIndexes(
    all.length,
    (a, b) =>
      (first?.[a] ?? 0) - (first?.[b] ?? 0) ||
      (second?.[a] ?? 0) - (second?.[b] ?? 0) ||
      (third?.[a] ?? 0) - (third?.[b] ?? 0) ||
      compareIds(all[a] as PoolRow, all[b] as PoolRow),
  )
  const sorted: PoolRow[] = []
  for (const [at, place] of places.entries()) {
    if (at > 0 && at % rowsPerSlice === 0) yield
    sorted.push(all[place] as PoolRow)
  }
  return sorted
}
