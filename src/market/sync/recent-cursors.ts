import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { StoreSync } from './store-sync.ts'

/** Requests end long before so many cursors have passed. */
const cursorsMax = 64

/** Cursors of the models that answers were lately computed from. */
export type RecentCursors = {
  /** Null for a block that was no cursor of late, and for one that was replaced. */
  readonly hashOf: (block: BlockNumber) => Hash | null
}

/** Remembers the cursor of every model that is read. */
export const withRecentCursors = (sync: StoreSync): StoreSync & RecentCursors => {
  const hashes = new Map<BlockNumber, Hash | null>()

  const remember = ({ block, hash }: BlockRef): void => {
    const known = hashes.get(block)
    if (known === hash || known === null) return
    // An answer of before the replacement may still be under way.
    hashes.set(block, known === undefined ? hash : null)
    const [oldest] = hashes.keys()
    if (hashes.size > cursorsMax && oldest !== undefined) hashes.delete(oldest)
  }

  return {
    model: sync.model,
    read: (read) =>
      sync.read((snapshot, model) => {
        if (model.header.cursor !== null) remember(model.header.cursor)
        return read(snapshot, model)
      }),
    hashOf: (block) => hashes.get(block) ?? null,
  }
}
