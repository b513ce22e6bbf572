import type { PoolNumber } from '../../domain/pool/pool-state.ts'

/*
 * Something of each pool, by pool number. A table never changes; the next one shares with it every
 * piece in which nothing did, so that a change costs as much with a million pools as with a few,
 * and what differs between two tables is found without looking at every pool.
 *
 *     before   [ 0..255 ] [ 256..511 ] [ 512..767 ]
 *     after       same       other        same        only 256..511 are compared one by one
 */

/** Pools in a piece: a copy of one, and of the list of all of a million, take microseconds. */
export const poolsPerChunk = 256

export type Chunk<T> = readonly (T | undefined)[]
export type PoolTable<T> = readonly Chunk<T>[]

const chunkIndexOf = (number: PoolNumber): number => Math.floor(number / poolsPerChunk)

/** Numbers that a table has room for: about as many as there are pools. */
export const capacityOf = (table: PoolTable<unknown>): number => table.length * poolsPerChunk

/** Undefined where the table says nothing of a pool. */
export const getByNumber = <T>(table: PoolTable<T>, number: PoolNumber): T | undefined =>
  table[chunkIndexOf(number)]?.[number % poolsPerChunk]

/** All values, by number. */
export const iterateValues = function* <T>(table: PoolTable<T>): Generator<T> {
  for (const piece of table) for (const value of piece) if (value !== undefined) yield value
}

const nothing: Chunk<never> = []

/** The numbers of which two tables do not say the very same. */
export const changedNumbers = <T>(
  before: PoolTable<T>,
  after: PoolTable<T>,
): readonly PoolNumber[] => {
  const numbers: PoolNumber[] = []
  const pieces = Math.max(before.length, after.length)
  for (let piece = 0; piece < pieces; piece++) {
    const [a, b] = [before[piece] ?? nothing, after[piece] ?? nothing]
    if (a === b) continue
    const places = Math.max(a.length, b.length)
    for (let place = 0; place < places; place++) {
      if (a[place] !== b[place]) numbers.push(piece * poolsPerChunk + place)
    }
  }
  return numbers
}

/** A table in the making, from one that stays as it is. */
export type TableBuilder<T> = {
  readonly set: (number: PoolNumber, value: T | undefined) => void
  /** The table of before if nothing was set. To be called once, at the end. */
  readonly finish: () => PoolTable<T>
}

export const editTable = <T>(before: PoolTable<T>): TableBuilder<T> => {
  let pieces: Chunk<T>[] | null = null
  const own = new Map<number, (T | undefined)[]>()

  const ownPiece = (at: number): (T | undefined)[] => {
    const known = own.get(at)
    if (known !== undefined) return known
    const copy = before[at]?.slice() ?? []
    pieces ??= before.slice()
    while (pieces.length < at) pieces.push(nothing)
    pieces[at] = copy
    own.set(at, copy)
    return copy
  }

  return {
    set: (number, value) => {
      const piece = ownPiece(chunkIndexOf(number))
      const place = number % poolsPerChunk
      // No holes: an array that has some is slower for good.
      while (piece.length < place) piece.push(undefined)
      piece[place] = value
    },
    finish: () => pieces ?? before,
  }
}

/** What follows from a piece, made once for as long as the piece is part of any table. */
export const memoizePerChunk = <T, Fact>(
  make: (piece: Chunk<T>) => Fact,
): ((piece: Chunk<T>) => Fact) => {
  const known = new WeakMap<Chunk<T>, { readonly fact: Fact }>()
  return (piece) => {
    const before = known.get(piece)
    if (before !== undefined) return before.fact
    const fact = make(piece)
    known.set(piece, { fact })
    return fact
  }
}
