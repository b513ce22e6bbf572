import type { BlockNumber } from '../units.ts'
import type { BlockRef } from './block-ref.ts'

/**
 * The search for the last block that we share with the chain (methodology §7). Hashes chain, so
 * kept anchors are the chain's up to the fork and not above it:
 *
 *     on the chain       unknown       replaced
 *     ... o ---- o ..................... x ---- x ...
 *               kept   low          replaced
 */
export type AncestorSearch = {
  /** The highest anchor known to be on the chain. */
  readonly ancestor: BlockRef
  /** Up to here nothing is left to ask about. */
  readonly low: BlockNumber
  /** The lowest anchor known to be replaced. */
  readonly replaced: BlockNumber
}

export const startAncestorSearch = (kept: BlockRef, replaced: BlockNumber): AncestorSearch => ({
  ancestor: kept,
  low: kept.block,
  replaced,
})

/** The block whose newest anchor at or below is to be asked about next; null when all is known. */
export const nextAncestorProbe = ({ low, replaced }: AncestorSearch): BlockNumber | null =>
  low + 1 < replaced ? Math.floor((low + replaced) / 2) : null

/** The search after the newest anchor at or below `probe`, if there is one, was asked about. */
export const applyAncestorProbe = (
  search: AncestorSearch,
  probe: BlockNumber,
  found: { readonly blockRef: BlockRef; readonly isOnChain: boolean } | null,
): AncestorSearch => {
  if (found === null || found.blockRef.block <= search.low) return { ...search, low: probe }
  if (found.isOnChain) return { ...search, ancestor: found.blockRef, low: probe }
  return { ...search, replaced: found.blockRef.block }
}
