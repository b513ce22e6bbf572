/** How a sparse filter is swept over a long chain: the next range's width, and its aim. */
export type SweepSize = {
  readonly blocks: number
  /** An answer of so many logs is aimed at. */
  readonly logsTarget: number
}

/** Answers of this size cost a node little and us a few megabytes. */
const logsTargetFirst = 4000
/** No node's cap on logs is known to be lower than this. */
const logsTargetMin = 500
/** A node that refuses is aimed lower at: its cap lies near. */
const caution = 0.7
/** Sparse logs come in bursts: what was empty so far says little. */
const growthMax = 4

/** The whole span at once: a filter by indexed topics with few matches is cheap anywhere. */
export const sweepSizeFirst = (blocks: number): SweepSize => ({
  blocks,
  logsTarget: logsTargetFirst,
})

/** After `asked` blocks brought `logs` logs. */
export const sizeAfterSweep = (size: SweepSize, asked: number, logs: number): SweepSize => {
  const grown = asked * growthMax
  const fitting = logs === 0 ? grown : Math.min(grown, (asked * size.logsTarget) / logs)
  return { ...size, blocks: Math.max(1, Math.floor(fitting)) }
}

/** After `asked` blocks were too many: what the node says it would answer, else half. */
export const sizeAfterSweepRefusal = (
  size: SweepSize,
  asked: number,
  suggestedBlocks: number | null,
): SweepSize => {
  const told = suggestedBlocks !== null && suggestedBlocks < asked ? suggestedBlocks : asked / 2
  return {
    blocks: Math.max(1, Math.floor(told)),
    logsTarget: Math.max(logsTargetMin, Math.floor(size.logsTarget * caution)),
  }
}
