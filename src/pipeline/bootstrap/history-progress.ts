import type { Backfill, History } from '../../ports/store-rows.ts'

/** How far the past is filled in, in blocks. */
export const backfillOfHistory = ({ after, floor, top }: History): Backfill => {
  const total = top - floor + 1
  const left = Math.max(0, after.block - floor + 1)
  return { phase: left === 0 ? 'done' : 'swaps', done: total - left, total }
}
