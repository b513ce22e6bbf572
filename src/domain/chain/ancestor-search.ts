import type { BlockNumber } from '../units.ts'
import type { BlockRef } from './block-ref.ts'

/**
 * Binary search for the common ancestor (methodology §7). Each block commits to its parent, so
 * stored blocks are canonical up to the fork and replaced above it:
 *
 *     canonical          unknown       replaced
 *     ... o ---- o ..................... x ---- x ...
 *            ancestor  low          replaced
 */
export type AncestorSearch = {
  /** Highest stored block known to be canonical. */
  readonly ancestor: BlockRef
  /** No stored block between `ancestor` and this one is left to check. */
  readonly low: BlockNumber
  /** Lowest stored block known to be replaced. */
  readonly replaced: BlockNumber
}

export const startAncestorSearch = (ancestor: BlockRef, replaced: BlockNumber): AncestorSearch => ({
  ancestor,
  low: ancestor.block,
  replaced,
})

/** Next probe: check the newest stored block at or below it. Null when the search is over. */
export const nextAncestorProbe = ({ low, replaced }: AncestorSearch): BlockNumber | null =>
  low + 1 < replaced ? Math.floor((low + replaced) / 2) : null

/** Narrows the search by the newest stored block at or below `probe`; null if there is none. */
export const applyAncestorProbe = (
  search: AncestorSearch,
  probe: BlockNumber,
  found: { readonly blockRef: BlockRef; readonly isOnChain: boolean } | null,
): AncestorSearch => {
  if (found === null || found.blockRef.block <= search.low) return { ...search, low: probe }
  if (found.isOnChain) return { ...search, ancestor: found.blockRef, low: probe }
  return { ...search, replaced: found.blockRef.block }
}
