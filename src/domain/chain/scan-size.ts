/** Adaptive range size of a scan. */
export type ScanSize = {
  readonly blocks: number
  /** Logs per response to aim for. */
  readonly logsTarget: number
  /** A rejected size is not requested again until `patience` responses have arrived. */
  readonly ceiling: number
  readonly patience: number
  /** Responses since the last rejection. */
  readonly answers: number
}

/** A response of this size costs the node little and takes a few megabytes. */
const logsTargetFirst = 4000
/** No known node limit on logs is lower. */
const logsTargetMin = 500
/** Factor on the target after a rejection. */
const caution = 0.7
/** Sparse logs come in bursts, so growth is limited. */
const growthMax = 4
/** Bounds wasted requests to a node with a fixed limit: at most one in this many. */
const patienceMax = 64

/** A filter by indexed topics with few matches is cheap, but a node may cut a long answer. */
const blocksFirstMax = 1_000_000

/** Starts with the complete range if it is short. */
export const initialScanSize = (blocks: number): ScanSize => ({
  blocks: Math.min(blocks, blocksFirstMax),
  logsTarget: logsTargetFirst,
  ceiling: Number.POSITIVE_INFINITY,
  patience: 1,
  answers: 0,
})

/** Next size after `asked` blocks returned `logs` logs. */
export const sizeAfterResponse = (size: ScanSize, asked: number, logs: number): ScanSize => {
  const answers = size.answers + 1
  const ceiling = answers < size.patience ? size.ceiling : Number.POSITIVE_INFINITY
  const grown = asked * growthMax
  const fitting = logs === 0 ? grown : Math.min(grown, (asked * size.logsTarget) / logs)
  const blocks = Math.max(1, Math.floor(Math.min(fitting, ceiling)))
  return { ...size, blocks, ceiling, answers }
}

/** Next size after `asked` blocks were too many: the node's suggestion, else half. */
export const sizeAfterRejection = (
  size: ScanSize,
  asked: number,
  suggestedBlocks: number | null,
): ScanSize => {
  const target = suggestedBlocks !== null && suggestedBlocks < asked ? suggestedBlocks : asked / 2
  const blocks = Math.max(1, Math.floor(target))
  // Consecutive rejections count once: they are one search for a size that works.
  const isAnother = size.answers > 0
  return {
    blocks,
    logsTarget: Math.max(logsTargetMin, Math.floor(size.logsTarget * caution)),
    ceiling: blocks,
    patience: isAnother ? Math.min(patienceMax, size.patience * 2) : size.patience,
    answers: 0,
  }
}
