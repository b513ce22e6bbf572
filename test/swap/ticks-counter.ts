/** The map's ticks between two ticks: what a swap from one to the other crosses. */
export const ticksBetween = (ticks: readonly number[], before: number, after: number): number =>
  ticks.filter((tick) => Math.min(before, after) < tick && tick <= Math.max(before, after)).length

/**
 * What PoolTicksCounter of v3-periphery counts: from bit to bit, both included. The lower end thus
 * counts although it is not crossed, unless the tick is exactly there; and because the division
 * rounds towards zero, a negative tick stands for the bit above it.
 */
export const countByQuoter = (
  ticks: readonly number[],
  tickSpacing: number,
  [before, after]: readonly [number, number],
): number => {
  const bits = new Set(ticks.map((tick) => tick / tickSpacing))
  const [first, last] = [Math.trunc(before / tickSpacing), Math.trunc(after / tickSpacing)]
  const counted = [...bits].filter(
    (bit) => Math.min(first, last) <= bit && bit <= Math.max(first, last),
  )
  const isFirstSpared = bits.has(first) && before % tickSpacing === 0 && before < after
  const isLastSpared = bits.has(last) && after % tickSpacing === 0 && before > after
  return counted.length - Number(isFirstSpared) - Number(isLastSpared)
}
