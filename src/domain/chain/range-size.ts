/** Suits a chain of up to ten logs per block; no known node limit is far below. */
export const rangeBlocksFirst = 1000
/** A larger range does not predict the density of the next one. */
const rangeBlocksMax = 1_000_000
/** A response of this size costs the node little and takes a few megabytes. */
const logsTarget = 5000
/** Growth is slow because the next range may be denser. */
const growthMax = 2
/** Responses between two attempts to exceed a rejected size. */
const answersUntilMore = 32

/** Adapts the number of blocks per request to the responses so far. */
export type RangeSize = {
  readonly blocks: () => number
  /** A range succeeded since the last rejection, so parallel requests are worthwhile. */
  readonly isProven: () => boolean
  readonly recordResponse: (blocks: number, logs: number) => void
  /** `suggestedBlocks` is the limit that the node named, or null. */
  readonly recordRejection: (blocks: number, suggestedBlocks: number | null) => void
}

const clamp = (blocks: number): number => Math.max(1, Math.min(rangeBlocksMax, Math.floor(blocks)))

const fittingBlocks = (blocks: number, logs: number): number =>
  logs === 0 ? rangeBlocksMax : (blocks * logsTarget) / logs

export const createRangeSize = (blocksFirst: number): RangeSize => {
  let next = clamp(blocksFirst)
  let ceiling = rangeBlocksMax
  let answers = 0
  let usedSuggestion = false
  let isProven = false
  return {
    blocks: () => next,
    isProven: () => isProven,
    recordResponse: (blocks, logs) => {
      answers += 1
      usedSuggestion = false
      isProven = true
      if (answers % answersUntilMore === 0) ceiling = clamp(ceiling * growthMax)
      // A range cut short by the head may reduce the size, but does not increase it.
      const grown = blocks < next ? next : blocks * growthMax
      next = clamp(Math.min(grown, fittingBlocks(blocks, logs), ceiling))
    },
    recordRejection: (blocks, suggestedBlocks) => {
      // A suggestion is ignored if the node rejected the previous one.
      const isUsable = suggestedBlocks !== null && suggestedBlocks < blocks && !usedSuggestion
      usedSuggestion ||= isUsable
      ceiling = clamp(isUsable ? suggestedBlocks : blocks / 2)
      // The request may predate a denser stretch, so `next` never grows here.
      next = Math.min(next, ceiling)
      answers = 0
      isProven = false
    },
  }
}
