import type { PoolQuote, StockQuote } from '../../src/client/types.ts'

/** Why there is no swap quote, for a reader who is about to trade. */
export const quoteReasonWords: Readonly<Record<PoolQuote['reasons'][number], string>> = {
  uninitialised: 'The pool has no price yet: it cannot be traded.',
  index_gap: 'Part of the pool’s liquidity is not indexed, so the amounts are not known.',
  reserve_short: 'The pool holds less than its positions add up to: it may not be able to pay.',
  reserve_rebasing:
    'A token of the pool rebases: what it pays and receives is not what its liquidity says.',
  hook_custom_accounting: 'A hook may take or pay tokens itself: only the hook knows the amounts.',
  fee_unknown: 'The pool’s fee has not been read yet.',
  decimals_unknown: 'The token’s decimals are not known, so the amount cannot be scaled.',
  usd_price_missing: 'The token you pay has no dollar price. Enter an amount of a token instead.',
}

/** What a swap quote takes for granted. */
export const assumptionWords: Readonly<Record<PoolQuote['assumptions'][number], string>> = {
  fee_as_last_read: 'The fee changes without an event: this is the fee as last read.',
  hook_passive: 'A hook runs in every swap. The amounts hold if it lets the swap pass unchanged.',
}

/** Why there is no quote over the pools of a stock. */
export const stockReasonWords: Readonly<Record<StockQuote['reasons'][number], string>> = {
  no_usable_pool: 'No pool of the stock can take part in an order now.',
}

/** Why a pool takes no part in orders of its stock, to follow a colon. */
export const exclusionWords: Readonly<Record<StockQuote['excluded'][number]['reason'], string>> = {
  uninitialised: 'no price yet.',
  index_gap: 'part of the liquidity is not indexed.',
  reserve_short: 'less held than the positions add up to.',
  reserve_rebasing: 'a token of it rebases.',
  hook_custom_accounting: 'a hook may take or pay tokens itself.',
  fee_unknown: 'the fee has not been read yet.',
  decimals_unknown: 'a token’s decimals are not known.',
  usd_price_missing: 'the other token has no dollar price.',
  state_old: 'the index is behind.',
  quote_old: 'the price of the other token is old.',
  hook_unreviewed: 'a hook that acts on swaps has not been reviewed.',
  pool_limit: 'deeper pools suffice.',
}
