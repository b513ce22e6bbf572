import type { PoolNumber } from '../pool/pool-state.ts'

export type DepthEntry = { readonly number: PoolNumber; readonly depth: number }

/** Tracks the deepest of many pools without scanning all of them on each change. */
export type DepthRanking = {
  readonly set: (number: PoolNumber, depth: number) => void
  /** The deepest pool; of equals the oldest. Null if none has any depth. */
  readonly best: () => DepthEntry | null
}

/** Of equals the oldest pool wins, so that the order of updates does not matter. */
export const isDeeper = (one: DepthEntry, other: DepthEntry): boolean =>
  one.depth > other.depth || (one.depth === other.depth && one.number < other.number)

export const createDepthRanking = (): DepthRanking => {
  const depths = new Map<PoolNumber, number>()
  let best: DepthEntry | null = null
  /** Upper bound for the depth of the others. */
  let otherDepthMax = 0

  const compare = (each: DepthEntry): void => {
    if (best === null || isDeeper(each, best)) {
      otherDepthMax = Math.max(otherDepthMax, best?.depth ?? 0)
      best = each
    } else otherDepthMax = Math.max(otherDepthMax, each.depth)
  }

  const search = (): void => {
    best = null
    otherDepthMax = 0
    for (const [number, depth] of depths) compare({ number, depth })
  }

  return {
    set: (number, depth) => {
      if (depth > 0) depths.set(number, depth)
      else if (!depths.delete(number)) return
      if (number !== best?.number) {
        if (depth > 0) compare({ number, depth })
      } else if (depth > otherDepthMax) best = { number, depth }
      else search()
    },
    best: () => best,
  }
}
