export const dataStatuses = ['fresh', 'partial', 'stale', 'unavailable'] as const
/** How far a row's data can be trusted now; computed when read (docs/api.md). */
export type DataStatus = (typeof dataStatuses)[number]

export const statusReasons = [
  'state_old',
  'quote_old',
  'quote_missing',
  'reserve_old',
  'reserve_missing',
  'other_price_missing',
  'market_closed',
  'trading_halt',
  'oracle_paused',
  'multiplier_pending',
  'hook_custom_accounting',
  'decimals_unknown',
  'index_gap',
  'clock_ahead',
  'reference_conflict',
  'premium_implausible',
  'depth_thin',
  'fee_excessive',
  'hook_unreviewed',
  'volume_implausible',
  'quote_unconfirmed',
  'multiplier_old',
  'reserve_short',
  'reserve_rebasing',
] as const
/** Why a row is not fresh or not comparable. */
export type StatusReason = (typeof statusReasons)[number]

export const sourceStates = ['pending', 'ok', 'degraded', 'stale', 'down', 'disabled'] as const
export type SourceState = (typeof sourceStates)[number]

/** Reasons for old or unknown numbers of a pool with a fresh state. */
const partialReasons: readonly StatusReason[] = [
  'quote_old',
  'quote_missing',
  'reserve_old',
  'reserve_missing',
  'other_price_missing',
  'decimals_unknown',
  'hook_custom_accounting',
  'index_gap',
  'clock_ahead',
  'multiplier_old',
  'reserve_short',
  'reserve_rebasing',
]

/** Status of a pool (docs/api.md): the worst reason decides. */
export const toDataStatus = (
  initialised: boolean,
  reasons: readonly StatusReason[],
): DataStatus => {
  if (!initialised) return 'unavailable'
  if (reasons.includes('state_old')) return 'stale'
  return reasons.some((reason) => partialReasons.includes(reason)) ? 'partial' : 'fresh'
}
