import { chunk as chunksOf } from '../../util/chunk.ts'

/*
 * Rows in a total order, in chunks. A list never changes; the next one shares with it every chunk
 * in which nothing did, so that a row that comes or goes costs a copy of a few hundred others.
 *
 *     before   [ a c f ]  [ g k ]  [ m p r ]
 *     after    [ a c f ]  [ g h k ]  [ m p r ]     h: into the first chunk that does not end before
 */

export type Compare<T> = (a: T, b: T) => number

export type SortedList<T> = readonly (readonly T[])[]

const chunkRowsMax = 512

export const toSortedList = <T>(sorted: readonly T[]): SortedList<T> =>
  chunksOf(sorted, chunkRowsMax / 2)

export const countRows = (list: SortedList<unknown>): number => {
  let size = 0
  for (const chunk of list) size += chunk.length
  return size
}

/** The rows at the places from `start` to before `end`. */
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

/** The first of so many places that is not before; those before are the first ones. */
const firstPlace = (count: number, isBefore: (place: number) => boolean): number => {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The next list in the making. */
export type ListBuilder<T> = {
  readonly insert: (row: T) => void
  /** Throws for a row that is not there. */
  readonly remove: (row: T) => void
  /** To be called once, at the end. */
  readonly finish: () => SortedList<T>
}

export const editList = <T>(before: SortedList<T>, compare: Compare<T>): ListBuilder<T> => {
  const chunks = before.slice()
  const copies = new Set<readonly T[]>()

  const ownChunk = (at: number): T[] => {
    const chunk = chunks[at] ?? []
    if (copies.has(chunk)) return chunk as T[]
    const copy = chunk.slice()
    copies.add(copy)
    chunks[at] = copy
    return copy
  }

  /** The first chunk that does not end before the row; behind the last one if all do. */
  const chunkFor = (row: T): number =>
    firstPlace(chunks.length, (at) => compare(chunks[at]?.at(-1) as T, row) < 0)

  const placeOf = (rows: readonly T[], row: T): number =>
    firstPlace(rows.length, (at) => compare(rows[at] as T, row) < 0)

  return {
    insert: (row) => {
      const at = Math.max(0, Math.min(chunkFor(row), chunks.length - 1))
      const chunk = ownChunk(at)
      chunk.splice(placeOf(chunk, row), 0, row)
      if (chunk.length > chunkRowsMax) chunks.splice(at, 1, ...toSortedList(chunk))
    },
    remove: (row) => {
      const at = chunkFor(row)
      const place = placeOf(chunks[at] ?? [], row)
      if (chunks[at]?.[place] !== row) throw new Error('the row is not in the list')
      const chunk = ownChunk(at)
      chunk.splice(place, 1)
      if (chunk.length === 0) chunks.splice(at, 1)
    },
    finish: () => chunks,
  }
}
