/**
 * The value with half of the weight below and half above; null without weight. Unlike a mean it
 * resists a short extreme of one sample.
 */
export const weightedMedian = (
  samples: readonly { readonly value: number; readonly weight: number }[],
): number | null => {
  const sorted = samples.filter((each) => each.weight > 0).toSorted((a, b) => a.value - b.value)
  const total = sorted.reduce((sum, each) => sum + each.weight, 0)
  let below = 0
  for (const { value, weight } of sorted) {
    below += weight
    if (below * 2 >= total) return value
  }
  return null
}
