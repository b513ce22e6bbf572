/*
 * Rows in an order, in pieces: what comes or goes moves at most a few hundred others, however many
 * there are.
 *
 *     [ a c f ]  [ g k ]  [ m p r ]     h comes: into the first piece that does not end before it
 */

export type Compare<T> = (a: T, b: T) => number

/** Rows that stand in a total order. */
export type Ranking<T> = {
  readonly size: () => number
  /** The rows at the places from `start` to before `end`. */
  readonly slice: (start: number, end: number) => readonly T[]
  /** A copy of all rows in order, in pieces: all at once they would take long. */
  readonly pieces: () => readonly (readonly T[])[]
  readonly insert: (row: T) => void
  /** Throws for a row that is not there. */
  readonly remove: (row: T) => void
}

const pieceRowsMax = 512

/** The first place of which the row is not before this one. */
const placeOf = <T>(rows: readonly T[], row: T, compare: Compare<T>): number => {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(rows[middle] as T, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const split = <T>(rows: readonly T[]): T[][] => {
  const pieces: T[][] = []
  const size = pieceRowsMax / 2
  for (let at = 0; at < rows.length; at += size) pieces.push(rows.slice(at, at + size))
  return pieces
}

export const createRanking = <T>(sorted: readonly T[], compare: Compare<T>): Ranking<T> => {
  const pieces = split(sorted)
  let size = sorted.length

  /** The first piece that does not end before the row; behind the last one if all do. */
  const pieceFor = (row: T): number => {
    let [low, high] = [0, pieces.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const last = pieces[middle]?.at(-1) as T
      if (compare(last, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    size: () => size,
    slice: (start, end) => {
      const found: T[] = []
      let first = 0
      for (const piece of pieces) {
        if (first >= end) break
        if (first + piece.length > start) {
          found.push(...piece.slice(Math.max(0, start - first), end - first))
        }
        first += piece.length
      }
      return found
    },
    pieces: () => pieces.map((piece) => piece.slice()),
    insert: (row) => {
      size += 1
      const at = Math.min(pieceFor(row), pieces.length - 1)
      const piece = pieces[at]
      if (piece === undefined) {
        pieces.push([row])
        return
      }
      piece.splice(placeOf(piece, row, compare), 0, row)
      if (piece.length > pieceRowsMax) pieces.splice(at, 1, ...split(piece))
    },
    remove: (row) => {
      const at = pieceFor(row)
      const piece = pieces[at]
      const place = piece === undefined ? 0 : placeOf(piece, row, compare)
      if (piece === undefined || piece[place] !== row)
        throw new Error('the row is not in the order')
      size -= 1
      piece.splice(place, 1)
      if (piece.length === 0) pieces.splice(at, 1)
    },
  }
}
