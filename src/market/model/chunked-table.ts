import type { PoolNumber } from '../../domain/pool/pool-state.ts'

/*
 * A persistent array by pool number. Tables are immutable; the next one shares every unchanged
 * chunk, so an update copies a few chunks and a comparison skips the shared ones.
 *
 *     before   [ 0..255 ] [ 256..511 ] [ 512..767 ]
 *     after      same       changed       same        only 256..511 are compared
 */

/** With 256, copying a chunk, or the list of chunks of a million pools, takes microseconds. */
export const poolsPerChunk = 256

export type Chunk<T> = readonly (T | undefined)[]
export type PoolTable<T> = readonly Chunk<T>[]

const chunkIndexOf = (number: PoolNumber): number => Math.floor(number / poolsPerChunk)

/** Upper bound of the number of values. */
export const capacityOf = (table: PoolTable<unknown>): number => table.length * poolsPerChunk

export const getByNumber = <T>(table: PoolTable<T>, number: PoolNumber): T | undefined =>
  table[chunkIndexOf(number)]?.[number % poolsPerChunk]

/** Yields all values in the order of their numbers. */
export const iterateValues = function* <T>(table: PoolTable<T>): Generator<T> {
  for (const chunk of table) for (const value of chunk) if (value !== undefined) yield value
}

const emptyChunk: Chunk<never> = []

/** Lists the numbers whose values are not identical in two tables. */
export const changedNumbers = <T>(
  before: PoolTable<T>,
  after: PoolTable<T>,
): readonly PoolNumber[] => {
  const numbers: PoolNumber[] = []
  const chunks = Math.max(before.length, after.length)
  for (let chunk = 0; chunk < chunks; chunk++) {
    const [a, b] = [before[chunk] ?? emptyChunk, after[chunk] ?? emptyChunk]
    if (a === b) continue
    const slots = Math.max(a.length, b.length)
    for (let slot = 0; slot < slots; slot++) {
      if (a[slot] !== b[slot]) numbers.push(chunk * poolsPerChunk + slot)
    }
  }
  return numbers
}

export type TableBuilder<T> = {
  readonly set: (number: PoolNumber, value: T | undefined) => void
  /** Call once, at the end. Returns `before` if nothing was set. */
  readonly finish: () => PoolTable<T>
}

/** Builds the next table without changing `before`. */
export const editTable = <T>(before: PoolTable<T>): TableBuilder<T> => {
  let chunks: Chunk<T>[] | null = null
  const copies = new Map<number, (T | undefined)[]>()

  const copyChunk = (index: number): (T | undefined)[] => {
    const existing = copies.get(index)
    if (existing !== undefined) return existing
    const copy = before[index]?.slice() ?? []
    chunks ??= before.slice()
    while (chunks.length < index) chunks.push(emptyChunk)
    chunks[index] = copy
    copies.set(index, copy)
    return copy
  }

  return {
    set: (number, value) => {
      const chunk = copyChunk(chunkIndexOf(number))
      const slot = number % poolsPerChunk
      // V8 keeps an array with holes slow for good.
      while (chunk.length < slot) chunk.push(undefined)
      chunk[slot] = value
    },
    finish: () => chunks ?? before,
  }
}

/** Computes a result once per chunk, for as long as any table holds the chunk. */
export const memoizePerChunk = <T, Result extends object>(
  compute: (chunk: Chunk<T>) => Result,
): ((chunk: Chunk<T>) => Result) => {
  const results = new WeakMap<Chunk<T>, Result>()
  return (chunk) => {
    const cached = results.get(chunk)
    if (cached !== undefined) return cached
    const result = compute(chunk)
    results.set(chunk, result)
    return result
  }
}
