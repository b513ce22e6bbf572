/** A first guess that suits a chain of up to ten logs per block: no node's cap is far below. */
export const rangeBlocksFirst = 1000
/** Beyond this a range says nothing about the density of the next. */
const rangeBlocksMax = 1_000_000
/** Answers of this size cost a node little and us a few megabytes. */
const logsTarget = 5000
/** Growth is slow: the next range may be denser than this one was. */
const growthMax = 2
/** What a node refused it would refuse again: so many answers lie between two attempts at more. */
const answersUntilMore = 32

/** How many blocks to ask for next, as the answers so far suggest. */
export type RangeSize = {
  readonly blocks: () => number
  /** A range was answered since the last refusal: asking for several is no waste. */
  readonly isProven: () => boolean
  /** So many blocks brought so many logs. */
  readonly recordResponse: (blocks: number, logs: number) => void
  /** So many blocks were too many; the node said how many it would answer, or null. */
  readonly recordRejection: (blocks: number, suggestedBlocks: number | null) => void
}

const clamp = (blocks: number): number => Math.max(1, Math.min(rangeBlocksMax, Math.floor(blocks)))

const fittingBlocks = (blocks: number, logs: number): number =>
  logs === 0 ? rangeBlocksMax : (blocks * logsTarget) / logs

export const createRangeSize = (blocksFirst: number): RangeSize => {
  let next = clamp(blocksFirst)
  let ceiling = rangeBlocksMax
  let answers = 0
  let hasBelieved = false
  let isProven = false
  return {
    blocks: () => next,
    isProven: () => isProven,
    recordResponse: (blocks, logs) => {
      answers += 1
      hasBelieved = false
      isProven = true
      if (answers % answersUntilMore === 0) ceiling = clamp(ceiling * growthMax)
      // A range cut short by the head tells of dense blocks, but not that more would do.
      const grown = blocks < next ? next : blocks * growthMax
      next = clamp(Math.min(grown, fittingBlocks(blocks, logs), ceiling))
    },
    recordRejection: (blocks, suggestedBlocks) => {
      // A node that refuses what it said it would answer is not believed a second time.
      const isBelieved = suggestedBlocks !== null && suggestedBlocks < blocks && !hasBelieved
      hasBelieved ||= isBelieved
      ceiling = clamp(isBelieved ? suggestedBlocks : blocks / 2)
      // It may have been asked for before a denser stretch was found.
      next = Math.min(next, ceiling)
      answers = 0
      isProven = false
    },
  }
}
