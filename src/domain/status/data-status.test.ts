import { expect, test } from 'vitest'
import { type DataStatus, type StatusReason, toDataStatus } from './data-status.ts'

/** The worst thing that holds decides (docs/api.md, dataStatus). */
const table: readonly [boolean, readonly StatusReason[], DataStatus][] = [
  [true, [], 'fresh'],
  // Facts about the market take no number away.
  [true, ['market_closed'], 'fresh'],
  [true, ['trading_halt', 'oracle_paused', 'multiplier_pending'], 'fresh'],
  [true, ['reference_conflict', 'premium_implausible'], 'fresh'],
  // A secondary input is old or missing.
  [true, ['quote_old'], 'partial'],
  [true, ['quote_missing'], 'partial'],
  [true, ['reserve_old'], 'partial'],
  [true, ['reserve_missing'], 'partial'],
  [true, ['other_price_missing'], 'partial'],
  [true, ['decimals_unknown'], 'partial'],
  [true, ['hook_custom_accounting'], 'partial'],
  [true, ['index_gap'], 'partial'],
  [true, ['clock_ahead'], 'partial'],
  [true, ['market_closed', 'quote_old'], 'partial'],
  // The state itself is old, whatever else.
  [true, ['state_old'], 'stale'],
  [true, ['quote_old', 'state_old'], 'stale'],
  // Never read: there is nothing to be old.
  [false, [], 'unavailable'],
  [false, ['state_old', 'quote_old'], 'unavailable'],
]

test.each(table)('initialised %s with %j: %s', (initialised, reasons, status) => {
  expect(toDataStatus(initialised, reasons)).toBe(status)
})
