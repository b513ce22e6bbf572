import type { Pool, Stock } from '../../src/client/types.ts'

type Reason = Pool['statusReasons'][number]
type DataStatus = Pool['dataStatus']

/** What each reason code means to somebody who is about to trade on the row. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  state_old: 'The chain was last read too long ago: price and liquidity may have moved.',
  quote_old: 'The stock’s reference quote is older than the policy allows.',
  quote_missing: 'There is no reference quote of the stock.',
  reserve_old: 'The reserves were computed too long ago.',
  reserve_missing: 'The reserves are not known.',
  other_price_missing: 'The other token has no trusted dollar price.',
  market_closed: 'The stock market is closed: no live reference to compare with.',
  trading_halt: 'Trading of the stock is halted.',
  oracle_paused: 'The stock’s on-chain oracle is paused.',
  multiplier_pending: 'A change of the shares per token is announced (split or dividend).',
  hook_custom_accounting: 'A hook may change the amounts: reserves and prices may not tell all.',
  decimals_unknown: 'A token does not say its decimals, so amounts can not be scaled.',
  index_gap: 'Part of the pool’s past is not read yet: volumes may be missing.',
  clock_ahead: 'A source’s clock runs ahead: its value was refused.',
  reference_conflict: 'Issuer and oracle disagree by more than 5 %.',
  premium_implausible: 'The price is more than 50 % off the reference: not a usable premium.',
}

export const statusWords: Readonly<Record<DataStatus, string>> = {
  fresh: 'Fresh: every input is within its age limit.',
  partial: 'Partial: read just now, but an input is old or missing.',
  stale: 'Stale: all values are older than the policy allows.',
  unavailable: 'Unavailable: nothing that could be trusted is known.',
}

const badReasons: ReadonlySet<Reason> = new Set([
  'hook_custom_accounting',
  'trading_halt',
  'oracle_paused',
  'reference_conflict',
  'premium_implausible',
  'decimals_unknown',
  'clock_ahead',
])

/** Whether a reason is a warning, not just a circumstance of the hour. */
export const isWarning = (reason: Reason): boolean => badReasons.has(reason)

export const sessionWords: Readonly<Record<Stock['marketSession'], string>> = {
  regular: 'Market open',
  pre: 'Pre-market',
  post: 'After hours',
  overnight: 'Overnight session',
  closed: 'Market closed',
}
