import { chunk as toChunks } from '../../util/chunk.ts'

/*
 * An immutable list in a total order, in chunks. The next list shares every unchanged chunk, so an
 * insertion or removal copies a few hundred rows.
 *
 *     before   [ a c f ]  [ g k ]  [ m p r ]
 *     after    [ a c f ]  [ g h k ]  [ m p r ]     inserts h
 */

export type Compare<T> = (a: T, b: T) => number

export type SortedList<T> = readonly (readonly T[])[]

const chunkRowsMax = 512

export const toSortedList = <T>(sorted: readonly T[]): SortedList<T> =>
  toChunks(sorted, chunkRowsMax / 2)

export const countRows = (list: SortedList<unknown>): number => {
  let size = 0
  for (const chunk of list) size += chunk.length
  return size
}

/** Like `Array.slice`. */
export const sliceList = <T>(list: SortedList<T>, start: number, end: number): readonly T[] => {
  const found: T[] = []
  let first = 0
  for (const chunk of list) {
    if (first >= end) break
    if (first + chunk.length > start) {
      found.push(...chunk.slice(Math.max(0, start - first), end - first))
    }
    first += chunk.length
  }
  return found
}

/** Binary search: the first index below `count` for which `isBefore` is false, else `count`. */
const findFirst = (count: number, isBefore: (index: number) => boolean): number => {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

export type ListBuilder<T> = {
  readonly insert: (row: T) => void
  /** Throws if the row is not in the list. */
  readonly remove: (row: T) => void
  /** Call once, at the end. */
  readonly finish: () => SortedList<T>
}

/** Builds the next list without changing `before`. */
export const editList = <T>(before: SortedList<T>, compare: Compare<T>): ListBuilder<T> => {
  const chunks = before.slice()
  const copies = new Set<readonly T[]>()

  const copyChunk = (at: number): T[] => {
    const chunk = chunks[at] ?? []
    if (copies.has(chunk)) return chunk as T[]
    const copy = chunk.slice()
    copies.add(copy)
    chunks[at] = copy
    return copy
  }

  /** Index of the first chunk that does not end before the row. */
  const findChunk = (row: T): number =>
    findFirst(chunks.length, (at) => compare(chunks[at]?.at(-1) as T, row) < 0)

  const findRow = (rows: readonly T[], row: T): number =>
    findFirst(rows.length, (at) => compare(rows[at] as T, row) < 0)

  return {
    insert: (row) => {
      const at = Math.max(0, Math.min(findChunk(row), chunks.length - 1))
      const chunk = copyChunk(at)
      chunk.splice(findRow(chunk, row), 0, row)
      if (chunk.length > chunkRowsMax) chunks.splice(at, 1, ...toSortedList(chunk))
    },
    remove: (row) => {
      const at = findChunk(row)
      const index = findRow(chunks[at] ?? [], row)
      if (chunks[at]?.[index] !== row) throw new Error('the row is not in the list')
      const chunk = copyChunk(at)
      chunk.splice(index, 1)
      if (chunk.length === 0) chunks.splice(at, 1)
    },
    finish: () => chunks,
  }
}
