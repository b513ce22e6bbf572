import type { BlockNumber, UnixSeconds } from '../units.ts'
import type { BlockRef } from './block-ref.ts'

/** Precision of the search; a block that is too early only keeps data a little longer. */
const precisionSeconds = 60

/**
 * Next probe in the search for the last block before `ts`; null if `low` is close enough. Guesses
 * alternate between interpolation, which suits even block times, and bisection, which bounds the
 * search on an uneven chain.
 */
export const nextTimeProbe = (
  low: BlockRef,
  high: BlockRef,
  { ts, tries }: { readonly ts: UnixSeconds; readonly tries: number },
): BlockNumber | null => {
  if (high.block - low.block <= 1 || ts - low.ts <= precisionSeconds) return null
  const share = tries % 2 === 0 ? (ts - low.ts) / Math.max(1, high.ts - low.ts) : 0.5
  // Slightly early, so that the guess tends to become the lower end.
  const leadBlocks = tries % 2 === 0 ? Math.ceil((high.block - low.block) / 100_000) : 0
  const guess = Math.floor(low.block + share * (high.block - low.block)) - leadBlocks
  return Math.min(high.block - 1, Math.max(low.block + 1, guess))
}
