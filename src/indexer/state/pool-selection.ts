import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'

/** Some of a book's pools, as they are now. */
export type PoolSelection = (book: PoolSet) => ReadonlyMap<PoolNumber, TrackedPool>

/**
 * Finds the few by watching, because looking at all of very many takes long. A book is watched
 * from the first time that it is asked for: best before its pools are put.
 */
export const selectPools = (isSelected: (pool: TrackedPool) => boolean): PoolSelection => {
  const known = new WeakMap<PoolSet, Map<PoolNumber, TrackedPool>>()
  return (book) => {
    const before = known.get(book)
    if (before !== undefined) return before
    const selected = new Map<PoolNumber, TrackedPool>()
    known.set(book, selected)
    book.subscribe((pool) => {
      if (isSelected(pool)) selected.set(pool.identity.number, pool)
      else selected.delete(pool.identity.number)
    })
    return selected
  }
}
