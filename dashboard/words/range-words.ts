import type { PoolRanges } from '../../src/client/types.ts'

/** Why a number of a range is missing, or why its time is shorter. */
export const rangeReasonWords: Readonly<Record<PoolRanges['day']['reasons'][number], string>> = {
  uninitialised: 'The pool has no price yet.',
  decimals_unknown: 'A token has no decimals, so amounts cannot be scaled.',
  hook_custom_accounting: 'A hook may take the fees, so they are not known.',
  reserve_rebasing: 'A token of the pool rebases, so what it pays out is not known.',
  fee_unknown: 'What a swap paid to providers is not known.',
  swap_unpriced: 'A swap has no dollar value.',
  other_price_missing: 'A token has no dollar price now.',
  too_many_swaps: 'The newest 50,000 swaps count: the time is shorter.',
  history_missing: 'Older swaps are not kept: the time is shorter.',
}
