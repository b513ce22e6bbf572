import { secondsPerDay, secondsPerHour } from '../time.ts'
import type { UnixSeconds } from '../units.ts'

/*
 * All age limits, set by the operator or by the methodology. Statuses are computed from them on
 * each read, so that rows age even when the indexer has stopped.
 */

/** The age limits in force (interface document §2.2); each in seconds but `confirmations`. */
export type Policy = {
  readonly quoteMaxAgeSeconds: number
  readonly poolMaxAgeSeconds: number
  readonly reserveMaxAgeSeconds: number
  /** Blocks. */
  readonly confirmations: number
}

export const policyDefault: Policy = {
  quoteMaxAgeSeconds: 45,
  poolMaxAgeSeconds: 30,
  reserveMaxAgeSeconds: 120,
  confirmations: 20,
}

/** Chainlink equity feeds publish on deviation; in session an hour without one is still normal. */
export const chainlinkEquityMaxAgeSeconds = secondsPerHour

/** Heartbeat of Chainlink's crypto feeds on Robinhood Chain (docs/networks.md). */
export const chainlinkHeartbeatSeconds = secondsPerDay

/** Two references younger than this must agree, or neither is trusted for comparisons. */
export const conflictMaxAgeSeconds = secondsPerHour

/** Two minutes is the screener's own documented cache time. */
export const screenerMaxAgeSeconds = 120

/** Stocks are read once a minute: four lost reads are a fault. */
export const multiplierMaxAgeSeconds = 300
/** What a token contract said longer ago counts as unknown. */
export const multiplierUsableMaxAgeSeconds = secondsPerDay

/** A publisher's clock may run this far ahead of ours before its time is rejected. */
export const clockAheadToleranceSeconds = 30

/** `ahead`: the time is ahead of our clock beyond the tolerance; such a value is never fresh. */
export type Age =
  | { readonly kind: 'age'; readonly seconds: number }
  | { readonly kind: 'ahead' }
  | { readonly kind: 'never' }

export const ageOf = (ts: UnixSeconds | null, now: UnixSeconds): Age => {
  if (ts === null) return { kind: 'never' }
  if (ts - now > clockAheadToleranceSeconds) return { kind: 'ahead' }
  return { kind: 'age', seconds: Math.max(0, now - ts) }
}

/** Whether a value of time `ts` is at most `maxSeconds` old now; false when ahead of our clock. */
export const isWithin = (
  ts: UnixSeconds | null,
  limits: { readonly now: UnixSeconds; readonly maxSeconds: number },
): boolean => {
  const age = ageOf(ts, limits.now)
  return age.kind === 'age' && age.seconds <= limits.maxSeconds
}
