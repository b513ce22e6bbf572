import type { BlockNumber } from '../units.ts'

/** What to do next at the head of the chain. */
export type FollowStep =
  /** Nothing new is confirmed. */
  | { readonly kind: 'wait' }
  /** Both ends inclusive. */
  | { readonly kind: 'read'; readonly from: BlockNumber; readonly to: BlockNumber }

/**
 * The index follows `latest − confirmations` (methodology §7), one bounded range at a time. A head
 * that went back is waited out: nothing that was confirmed is taken back for it.
 */
export const planFollow = (input: {
  /** The last block that is in the store; null before the first. */
  readonly indexed: BlockNumber | null
  /** The first block that may hold anything of ours. */
  readonly origin: BlockNumber
  readonly latest: BlockNumber
  readonly confirmations: number
  readonly blocksMax: number
}): FollowStep => {
  const { indexed, origin, latest, confirmations, blocksMax } = input
  const confirmed = latest - confirmations
  const from = indexed === null ? origin : indexed + 1
  if (confirmed < from) return { kind: 'wait' }
  return { kind: 'read', from, to: Math.min(confirmed, from + blocksMax - 1) }
}
