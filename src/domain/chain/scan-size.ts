/** How a sparse filter is swept over a long chain: the next range's width, and its aim. */
export type ScanSize = {
  readonly blocks: number
  /** An answer of so many logs is aimed at. */
  readonly logsTarget: number
  /** What was refused is not asked for again before `patience` answers have come. */
  readonly ceiling: number
  readonly patience: number
  /** Since the last refusal. */
  readonly answers: number
}

/** Answers of this size cost a node little and us a few megabytes. */
const logsTargetFirst = 4000
/** No node's cap on logs is known to be lower than this. */
const logsTargetMin = 500
/** A node that refuses is aimed lower at: its cap lies near. */
const caution = 0.7
/** Sparse logs come in bursts: what was empty so far says little. */
const growthMax = 4
/** One question in so many is wasted at most on a node that answers no longer ranges. */
const patienceMax = 64

/** The whole span at once: a filter by indexed topics with few matches is cheap anywhere. */
export const initialScanSize = (blocks: number): ScanSize => ({
  blocks,
  logsTarget: logsTargetFirst,
  ceiling: Number.POSITIVE_INFINITY,
  patience: 1,
  answers: 0,
})

/** After `asked` blocks brought `logs` logs. */
export const sizeAfterResponse = (size: ScanSize, asked: number, logs: number): ScanSize => {
  const answers = size.answers + 1
  const ceiling = answers < size.patience ? size.ceiling : Number.POSITIVE_INFINITY
  const grown = asked * growthMax
  const fitting = logs === 0 ? grown : Math.min(grown, (asked * size.logsTarget) / logs)
  const blocks = Math.max(1, Math.floor(Math.min(fitting, ceiling)))
  return { ...size, blocks, ceiling, answers }
}

/** After `asked` blocks were too many: what the node says it would answer, else half. */
export const sizeAfterRejection = (
  size: ScanSize,
  asked: number,
  suggestedBlocks: number | null,
): ScanSize => {
  const told = suggestedBlocks !== null && suggestedBlocks < asked ? suggestedBlocks : asked / 2
  const blocks = Math.max(1, Math.floor(told))
  // Several refusals in a row are one lesson: the way down to what is answered.
  const isAnother = size.answers > 0
  return {
    blocks,
    logsTarget: Math.max(logsTargetMin, Math.floor(size.logsTarget * caution)),
    ceiling: blocks,
    patience: isAnother ? Math.min(patienceMax, size.patience * 2) : size.patience,
    answers: 0,
  }
}
