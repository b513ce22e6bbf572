import type { DataStatus, StatusReason } from '../view/status.ts'

/** Reasons that leave some of a pool's numbers old or unknown though its state is fresh. */
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
]

/** The status of a pool row (docs/api.md): the worst thing that holds decides. */
export const poolStatusOf = (
  initialised: boolean,
  reasons: readonly StatusReason[],
): DataStatus => {
  if (!initialised) return 'unavailable'
  if (reasons.includes('state_old')) return 'stale'
  return reasons.some((reason) => partialReasons.includes(reason)) ? 'partial' : 'fresh'
}
