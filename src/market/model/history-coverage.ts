import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { secondsPerDay, secondsPerHour } from '../../domain/time.ts'
import type { IndexHeader, StoredPool } from '../../ports/store-batches.ts'

/** How much of the volume windows the index has seen of the pools whose past is being filled in. */
export type Coverage = {
  /** Null: everything is in. */
  readonly gap: {
    readonly poolMax: number
    /** Pools that are younger than this block are complete. */
    readonly block: number
    readonly hasHour: boolean
    readonly hasDay: boolean
    /** The past is not filled in as far back as it is to be. */
    readonly isBackfilling: boolean
  } | null
}

/** What a pool's figures lack. */
export type PoolGap = {
  readonly hour: boolean
  readonly day: boolean
  /** Older swaps may still come. */
  readonly isBackfilling: boolean
}

/** Of pools that a first reading has found and no more. */
const nothingIn: Coverage = {
  gap: {
    poolMax: Number.MAX_SAFE_INTEGER,
    block: Number.MAX_SAFE_INTEGER,
    hasHour: false,
    hasDay: false,
    isBackfilling: true,
  },
}

/** Of the windows (t − 3600, t] and (t − 86400, t] that end at the indexed head. */
export const toCoverage = ({ backfillCursor, cursor }: IndexHeader): Coverage => {
  if (cursor === null) return nothingIn
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

/** Whether a pool's gap may be another than before. */
const isSameCoverage = (a: Coverage, b: Coverage): boolean =>
  a.gap?.hasHour === b.gap?.hasHour &&
  a.gap?.hasDay === b.gap?.hasDay &&
  a.gap?.isBackfilling === b.gap?.isBackfilling &&
  // Once the day is in, a pool's age no longer matters.
  (a.gap?.block === b.gap?.block || a.gap?.hasDay === true)

/** The pools whose gaps may be others than before. */
export const listAffectedPools = (before: Coverage, after: Coverage): readonly PoolNumber[] => {
  // The first block that is indexed brings every pool's state: all of them have changed.
  if (isSameCoverage(before, after) || before === nothingIn || after === nothingIn) return []
  const poolMax = Math.max(before.gap?.poolMax ?? 0, after.gap?.poolMax ?? 0)
  return Array.from({ length: poolMax }, (_, index) => index + 1)
}
