import type { Provenance } from '../../src/client/types.ts'

type NullReason = NonNullable<Provenance['fields'][number]['reason']>

/** Numbers of a pool and the steps to them, by their names in the API. */
const numberWords: Readonly<Record<string, string>> = {
  createdBlock: 'Block of creation',
  fee: 'Fee',
  tickSpacing: 'Tick spacing',
  asOfBlock: 'Indexed block',
  stateTs: 'Time of the state',
  sqrtPriceX96: 'Square root of the price',
  tick: 'Tick',
  liquidity: 'Liquidity in range',
  lastSwapTs: 'Time of the last swap',
  lastSwapBlock: 'Block of the last swap',
  lastSwapFee: 'Fee of the last swap',
  lpFee: 'Fee as last known',
  feeBlock: 'Block of the fee',
  stockPriceInOther: 'Price in the other token',
  stockPriceUsd: 'Price of the stock token',
  otherPriceUsd: 'Price of the other token',
  enrichedTs: 'Time of the reserves',
  stockReserve: 'Reserve of the stock token',
  otherReserve: 'Reserve of the other token',
  liquidityUsd: 'Liquidity in dollars',
  depthUsd: 'Depth within 2 %',
  vol1hUsd: 'Volume of one hour',
  vol24hUsd: 'Volume of 24 hours',
  feeApr24h: 'Fee rate of liquidity providers',
  swaps24h: 'Swaps of 24 hours',
  estimatedSwaps24h: 'Estimated swaps of 24 hours',
  premiumBps: 'Premium over the reference',
  driftBps: 'Drift since the market closed',
  stockReferenceUsd: 'Reference of the stock token',
  otherReferenceUsd: 'Reference of the other token',
  lastReferenceUsd: 'Last independent reference',
  reserve0: 'Reserve of token0 by the tick map',
  reserve1: 'Reserve of token1 by the tick map',
  depth0: 'Depth of token0 by the tick map',
  depth1: 'Depth of token1 by the tick map',
}

export const numberWordsOf = (field: string): string => numberWords[field] ?? field

/** Why a number is null. */
export const nullWords: Readonly<Record<NullReason, string>> = {
  uninitialised: 'The pool has no price yet.',
  price_at_bound: 'The pool’s price stands at the end of its range: nothing is left to trade.',
  decimals_unknown: 'A token has no decimals, so amounts cannot be scaled.',
  quote_missing: 'A token has no reference quote.',
  quote_old: 'The reference quote is older than the policy allows.',
  other_price_missing: 'The other token has no trusted dollar price.',
  reserve_missing: 'The reserves are not known.',
  reserve_short: 'The pool holds less than its positions add up to.',
  reserve_rebasing: 'A token of the pool rebases.',
  index_gap: 'Part of the pool’s history is not indexed.',
  hook_custom_accounting: 'A hook may change amounts, so they cannot be computed.',
  swap_unpriced: 'A swap of the window has no dollar value.',
  no_swap: 'No swap is known.',
  fee_unknown: 'The fee has not been read yet, or what part of it a swap paid to providers.',
  fee_unlogged: 'No log says what a swap paid, or what part of it providers got.',
  meme_pool: 'The pool of a meme has no price of its own to compare.',
  market_closed: 'The stock market is closed: there is a drift instead.',
  market_open: 'The stock market is open: there is a premium instead.',
  premium_implausible: 'The price is too far from the reference to be a premium.',
  not_finite: 'The result is not a number.',
}
