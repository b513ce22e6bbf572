import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import type { IndexHeader, StoredPool } from '../../ports/store-batches.ts'

/** Which volume windows are complete for the pools of the running backfill. */
export type Coverage = {
  /** Null: every window is complete. */
  readonly gap: {
    readonly poolMax: number
    /** Pools created after this block are complete. */
    readonly block: number
    readonly hasHour: boolean
    readonly hasDay: boolean
    readonly isBackfilling: boolean
  } | null
}

/** Which windows of a pool are incomplete. */
export type PoolGap = {
  readonly hour: boolean
  readonly day: boolean
  readonly isBackfilling: boolean
}

/** During bootstrap: pools are discovered, no swap is read. */
const noCoverage: Coverage = {
  gap: {
    poolMax: Number.MAX_SAFE_INTEGER,
    block: Number.MAX_SAFE_INTEGER,
    hasHour: false,
    hasDay: false,
    isBackfilling: true,
  },
}

/** Coverage of the windows (t − 3600, t] and (t − 86400, t] that end at the cursor. */
export const toCoverage = ({ backfillCursor, cursor }: IndexHeader): Coverage => {
  if (cursor === null) return noCoverage
  if (backfillCursor === null) return { gap: null }
  const { completeAfter, firstBlock, lastPoolNumber } = backfillCursor
  const hasSince = (seconds: number): boolean => cursor.ts - seconds >= completeAfter.ts
  return {
    gap: {
      poolMax: lastPoolNumber,
      block: completeAfter.block,
      hasHour: hasSince(secondsPerHour),
      hasDay: hasSince(secondsPerDay),
      isBackfilling: completeAfter.block >= firstBlock,
    },
  }
}

const noGap: PoolGap = { hour: false, day: false, isBackfilling: false }

export const findPoolGap = (
  { gap }: Coverage,
  { number, createdBlock }: Pick<StoredPool, 'number' | 'createdBlock'>,
): PoolGap =>
  gap === null || number > gap.poolMax || createdBlock > gap.block
    ? noGap
    : { hour: !gap.hasHour, day: !gap.hasDay, isBackfilling: gap.isBackfilling }

const isSameCoverage = (a: Coverage, b: Coverage): boolean =>
  a.gap?.hasHour === b.gap?.hasHour &&
  a.gap?.hasDay === b.gap?.hasDay &&
  a.gap?.isBackfilling === b.gap?.isBackfilling &&
  // Once the day is complete, the pool's age does not matter.
  (a.gap?.block === b.gap?.block || a.gap?.hasDay === true)

/** Lists the pools whose gaps may differ between two coverages. */
export const listAffectedPools = (before: Coverage, after: Coverage): readonly PoolNumber[] => {
  // The first indexed block changes the state of every pool anyway.
  if (isSameCoverage(before, after) || before === noCoverage || after === noCoverage) return []
  const poolMax = Math.max(before.gap?.poolMax ?? 0, after.gap?.poolMax ?? 0)
  return Array.from({ length: poolMax }, (_, index) => index + 1)
}
