import type { BlockNumber } from '../units.ts'

/** What to do next at the head of the chain. */
export type FollowPlan =
  /** These are confirmed and not in yet, both ends inclusive; in as many ranges as suits. */
  | { readonly kind: 'read'; readonly next: BlockNumber; readonly last: BlockNumber }
  /** Just what is confirmed is in. */
  | { readonly kind: 'synced' }
  /** Nothing is confirmed yet, or less than is in: the head went back. */
  | { readonly kind: 'wait' }

/**
 * The index follows `latest − confirmations` (methodology §7). A head that went back is waited out:
 * nothing that was confirmed is taken back for it.
 */
export const planNextRange = (input: {
  /** The last block that is in the store; null before the first. */
  readonly cursor: BlockNumber | null
  /** The first block that may hold anything of ours. */
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

/** Closer to the head than this the index counts as following, not as catching up. */
const followingBlocks = 2000

/** How far reading is once it has come to `to`, in blocks. */
export const progressAt = (
  to: BlockNumber,
  { origin, confirmed }: { readonly origin: BlockNumber; readonly confirmed: BlockNumber },
): { readonly phase: 'swaps' | 'done'; readonly done: number; readonly total: number } => {
  const total = Math.max(0, confirmed - origin + 1)
  const left = Math.max(0, confirmed - to)
  const phase = left > followingBlocks ? 'swaps' : 'done'
  return { phase, done: Math.max(0, total - left), total }
}
