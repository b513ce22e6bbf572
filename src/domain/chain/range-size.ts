/** A first guess that suits a chain of a few logs per block. */
export const rangeBlocksFirst = 2000
/** Beyond this a range says nothing about the density of the next. */
const rangeBlocksMax = 1_000_000
/** Answers of this size cost a node little and us a few megabytes. */
const logsTarget = 4000
/** Growth is slow: the next range may be denser than this one was. */
const growthMax = 2
/** What a node refused it would refuse again: so many answers lie between two attempts at more. */
const answersUntilMore = 32

/** How many blocks to ask for next, as the answers so far suggest. */
export type RangeSize = {
  readonly blocks: () => number
  /** So many blocks brought so many logs. */
  readonly answered: (blocks: number, logs: number) => void
  /** So many blocks were too many; the node said how many it would answer, or null. */
  readonly refused: (blocks: number, suggestedBlocks: number | null) => void
}

const clamp = (blocks: number): number => Math.max(1, Math.min(rangeBlocksMax, Math.floor(blocks)))

const fittingBlocks = (blocks: number, logs: number): number =>
  logs === 0 ? blocks * growthMax : (blocks * logsTarget) / logs

export const createRangeSize = (blocksFirst: number): RangeSize => {
  let next = clamp(blocksFirst)
  let ceiling = rangeBlocksMax
  let answers = 0
  let hasBelieved = false
  return {
    blocks: () => next,
    answered: (blocks, logs) => {
      answers += 1
      hasBelieved = false
      if (answers % answersUntilMore === 0) ceiling = clamp(ceiling * growthMax)
      const fitting = Math.min(blocks * growthMax, fittingBlocks(blocks, logs))
      next = clamp(Math.min(fitting, ceiling))
    },
    refused: (blocks, suggestedBlocks) => {
      // A node that refuses what it said it would answer is not believed a second time.
      const isBelieved = suggestedBlocks !== null && suggestedBlocks < blocks && !hasBelieved
      hasBelieved ||= isBelieved
      next = clamp(isBelieved ? suggestedBlocks : blocks / 2)
      ceiling = next
      answers = 0
    },
  }
}
