import type { BlockNumber } from '../units.ts'

/** What to do next at the head of the chain. */
export type FollowPlan =
  /** Confirmed blocks that are not indexed yet, both ends inclusive. */
  | { readonly kind: 'read'; readonly next: BlockNumber; readonly last: BlockNumber }
  /** The cursor is at the confirmed head. */
  | { readonly kind: 'synced' }
  /** Nothing is confirmed yet, or the head went back below the cursor. */
  | { readonly kind: 'wait' }

/**
 * The index follows `latest − confirmations` (methodology §7). When the head goes back, the index
 * waits and reverts nothing.
 */
export const planNextRange = (input: {
  /** Last indexed block; null before the first. */
  readonly cursor: BlockNumber | null
  /** First block of the index. */
  readonly origin: BlockNumber
  readonly latest: BlockNumber
  readonly confirmations: number
}): FollowPlan => {
  const { cursor, origin, latest, confirmations } = input
  const last = latest - confirmations
  const next = cursor === null ? origin : cursor + 1
  if (last >= next) return { kind: 'read', next, last }
  return { kind: last === cursor ? 'synced' : 'wait' }
}

/** Within this distance of the head the sync phase is `done`. */
const syncedBlocks = 2000

/** Sync progress at block `to`, in blocks. */
export const progressAt = (
  to: BlockNumber,
  { origin, confirmed }: { readonly origin: BlockNumber; readonly confirmed: BlockNumber },
): { readonly phase: 'swaps' | 'done'; readonly done: number; readonly total: number } => {
  const total = Math.max(0, confirmed - origin + 1)
  const left = Math.max(0, confirmed - to)
  const phase = left > syncedBlocks ? 'swaps' : 'done'
  return { phase, done: Math.max(0, total - left), total }
}
