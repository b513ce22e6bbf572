/** Selects a few items per call; over several calls every item is selected. */
export type RoundRobin = <T>(items: readonly T[], itemsMax: number) => readonly T[]

export const createRoundRobin = (): RoundRobin => {
  let next = 0
  return (items, itemsMax) => {
    const start = items.length === 0 ? 0 : next % items.length
    next = start + Math.min(itemsMax, items.length)
    return [...items.slice(start), ...items.slice(0, start)].slice(0, itemsMax)
  }
}
