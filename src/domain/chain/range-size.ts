/** A first guess that suits a chain of a few logs per block. */
export const rangeBlocksFirst = 2000
/** Beyond this a range says nothing about the density of the next. */
const rangeBlocksMax = 1_000_000
/** Answers of this size cost a node little and us a few megabytes. */
const logsTarget = 4000
/** Growth is slow: the next range may be denser than this one was. */
const growthMax = 2

const clamp = (blocks: number): number => Math.max(1, Math.min(rangeBlocksMax, Math.floor(blocks)))

/** The next range's size after one of `blocks` blocks brought `logs` logs. */
export const sizeAfterAnswer = (blocks: number, logs: number): number => {
  const fitting = logs === 0 ? blocks * growthMax : (blocks * logsTarget) / logs
  return clamp(Math.min(blocks * growthMax, fitting))
}

/** The next size after "too many results": what the node says it would answer, else half. */
export const sizeAfterRefusal = (blocks: number, suggestedBlocks: number | null): number =>
  clamp(
    suggestedBlocks !== null && suggestedBlocks < blocks ? suggestedBlocks : Math.floor(blocks / 2),
  )
