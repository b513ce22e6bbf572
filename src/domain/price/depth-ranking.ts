import type { PoolNumber } from '../pool/pool-state.ts'

export type DepthEntry = { readonly number: PoolNumber; readonly depth: number }

/**
 * Keeps the deepest of many pools without looking at all of them whenever one changes: anybody may
 * open thousands.
 */
export type DepthRanking = {
  readonly set: (number: PoolNumber, depth: number) => void
  /** The deepest, of several the one that was opened first; null if none has any depth. */
  readonly best: () => DepthEntry | null
}

/** Of equals the one that was opened first is ahead, so that the order of asking is no matter. */
export const isDeeper = (one: DepthEntry, other: DepthEntry): boolean =>
  one.depth > other.depth || (one.depth === other.depth && one.number < other.number)

export const createDepthRanking = (): DepthRanking => {
  const depths = new Map<PoolNumber, number>()
  let best: DepthEntry | null = null
  /** None of the others is deeper. */
  let restMax = 0

  const compare = (each: DepthEntry): void => {
    if (best === null || isDeeper(each, best)) {
      restMax = Math.max(restMax, best?.depth ?? 0)
      best = each
    } else restMax = Math.max(restMax, each.depth)
  }

  const search = (): void => {
    best = null
    restMax = 0
    for (const [number, depth] of depths) compare({ number, depth })
  }

  return {
    set: (number, depth) => {
      if (depth > 0) depths.set(number, depth)
      else if (!depths.delete(number)) return
      if (number !== best?.number) {
        if (depth > 0) compare({ number, depth })
      } else if (depth > restMax) best = { number, depth }
      else search()
    },
    best: () => best,
  }
}
