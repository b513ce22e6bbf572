import type { Pool, Stock } from '../../src/client/types.ts'

type Reason = Pool['statusReasons'][number]
type DataStatus = Pool['dataStatus']

/** Reason codes in words, for a reader who is about to trade. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  state_old: 'The index is behind: price and liquidity may have changed.',
  quote_old: 'The stock’s reference quote is older than the policy allows.',
  quote_missing: 'The stock has no reference quote.',
  reserve_old: 'The reserves were computed too long ago.',
  reserve_missing: 'The reserves are not known.',
  other_price_missing: 'The other token has no trusted dollar price.',
  market_closed: 'The exchange is closed: the drift compares with its last quote.',
  trading_halt: 'Trading of the stock is halted.',
  oracle_paused: 'The stock’s on-chain oracle is paused.',
  multiplier_pending: 'A change of the shares per token is announced (split or dividend).',
  hook_custom_accounting: 'A hook may change amounts: reserves and prices may be incomplete.',
  decimals_unknown: 'A token has no decimals, so amounts cannot be scaled.',
  index_gap: 'Part of the pool’s history is not indexed: volumes may be incomplete.',
  clock_ahead: 'A source’s clock is ahead: its value was rejected.',
  reference_conflict: 'Sources contradict each other, or the pools contradict the reference.',
  premium_implausible: 'The price is more than 50 % off the reference: not a usable premium.',
  depth_thin: 'Little money near the price: small trades move it.',
  fee_excessive: 'The fee is too high for the price to follow the market.',
  hook_unreviewed: 'A hook that acts on swaps has not been reviewed.',
  volume_implausible:
    'Single swaps exceed ten times what the pool holds: the volume proves little.',
  quote_unconfirmed: 'The quote has jumped, and no other source confirms it yet.',
  multiplier_old: 'The shares per token have not been read for too long.',
  reserve_short: 'The pool holds less than its positions add up to.',
  reserve_rebasing: 'A token rebases: the reserves are the balances, not the positions.',
}

export const statusWords: Readonly<Record<DataStatus, string>> = {
  fresh: 'Fresh: every input is within its age limit.',
  partial: 'Partial: current, but an input is old or missing.',
  stale: 'Stale: all values are older than the policy allows.',
  unavailable: 'Unavailable: no trusted value is known.',
}

const badReasons: ReadonlySet<Reason> = new Set([
  'hook_custom_accounting',
  'trading_halt',
  'oracle_paused',
  'reference_conflict',
  'premium_implausible',
  'decimals_unknown',
  'clock_ahead',
  'fee_excessive',
  'hook_unreviewed',
  'volume_implausible',
  'quote_unconfirmed',
  'reserve_short',
  'reserve_rebasing',
])

/** True for a warning, false for a normal circumstance such as a closed market. */
export const isWarning = (reason: Reason): boolean => badReasons.has(reason)

export const sessionWords: Readonly<Record<Stock['marketSession'], string>> = {
  regular: 'Market open',
  pre: 'Pre-market',
  post: 'After hours',
  overnight: 'Overnight session',
  closed: 'Market closed',
}
