import type { PoolQuote } from '../../src/client/types.ts'

/** Why there is no swap quote, for a reader who is about to trade. */
export const quoteReasonWords: Readonly<Record<PoolQuote['reasons'][number], string>> = {
  uninitialised: 'The pool has no price yet: it cannot be traded.',
  index_gap: 'Part of the pool’s liquidity is not indexed, so the amounts are not known.',
  reserve_short: 'The pool holds less than its positions add up to: it may not be able to pay.',
  hook_custom_accounting: 'A hook may take or pay tokens itself: only the hook knows the amounts.',
  fee_unknown: 'The pool’s fee has not been read yet.',
  decimals_unknown: 'The token’s decimals are not known, so the amount cannot be scaled.',
  usd_price_missing: 'The token you pay has no dollar price. Enter an amount of a token instead.',
}

/** What a swap quote takes for granted. */
export const assumptionWords: Readonly<Record<PoolQuote['assumptions'][number], string>> = {
  fee_as_last_read: 'The hook sets the fee and may change it: this is the fee as last read.',
  hook_passive: 'A hook runs in every swap. The amounts hold if it lets the swap pass unchanged.',
}
