import type { BlockNumber } from '../domain/units.ts'
import type { Timer } from '../net/timer.ts'

/** What an endpoint did not know is not asked of it again for so long. */
const lackMs = 1000
/** A head that stands still for so long is a fault of the node rather than the chain's pace. */
const stallMs = 60_000

/** How far an endpoint sees. */
export type HeadTracker = {
  /** It knows this block. */
  readonly knows: (block: BlockNumber) => void
  /** It did not know this block just now. */
  readonly markBehind: (block: BlockNumber) => void
  /** False if it was found behind this block a moment ago. */
  readonly mayHave: (block: BlockNumber) => boolean
  /** Asked again and again, it shows no new block. */
  readonly isStalled: () => boolean
  readonly highest: () => BlockNumber | null
}

export const createHeadTracker = (timer: Timer): HeadTracker => {
  let highest: BlockNumber | null = null
  let grewAtMs = timer.nowMs()
  let askedAtMs = grewAtMs
  let lacking: { readonly block: BlockNumber; readonly atMs: number } | null = null
  return {
    knows: (block) => {
      const nowMs = timer.nowMs()
      // After a pause nothing is known of the time between.
      if (highest === null || block > highest || nowMs - askedAtMs > stallMs) grewAtMs = nowMs
      askedAtMs = nowMs
      highest = Math.max(block, highest ?? block)
    },
    markBehind: (block) => {
      lacking = { block, atMs: timer.nowMs() }
    },
    mayHave: (block) =>
      lacking === null || block < lacking.block || timer.nowMs() - lacking.atMs > lackMs,
    isStalled: () => askedAtMs - grewAtMs > stallMs,
    highest: () => highest,
  }
}
