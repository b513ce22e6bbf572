import type { BlockNumber, UnixSeconds } from '../units.ts'
import type { BlockRef } from './block-ref.ts'

/** Closer than this is close enough: what lies before the moment is merely kept a little longer. */
const precisionSeconds = 60

/**
 * The block to look at next in the search for the last one before a moment; null if `low` is near
 * enough. Blocks come at an even pace mostly, so that a proportional guess is near; every other
 * guess halves, so that an uneven chain can not make the search long.
 */
export const nextTimeProbe = (
  low: BlockRef,
  high: BlockRef,
  { ts, tries }: { readonly ts: UnixSeconds; readonly tries: number },
): BlockNumber | null => {
  if (high.block - low.block <= 1 || ts - low.ts <= precisionSeconds) return null
  const share = tries % 2 === 0 ? (ts - low.ts) / Math.max(1, high.ts - low.ts) : 0.5
  // A little early, so that the guess tends to become the lower end.
  const leadBlocks = tries % 2 === 0 ? Math.ceil((high.block - low.block) / 100_000) : 0
  const guess = Math.floor(low.block + share * (high.block - low.block)) - leadBlocks
  return Math.min(high.block - 1, Math.max(low.block + 1, guess))
}
