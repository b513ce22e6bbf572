import type { UnixSeconds } from '../units.ts'
import type { SourceState } from './data-status.ts'
import { ageOf, type Policy, screenerMaxAgeSeconds } from './freshness.ts'

export const sourceIds = ['quotes', 'pools', 'swaps', 'screener'] as const
export type SourceId = (typeof sourceIds)[number]

/** The indexer's record of one source; state and age are computed on read. */
export type SourceRecord = {
  readonly source: SourceId
  readonly enabled: boolean
  readonly lastAttemptTs: UnixSeconds | null
  readonly lastSuccessTs: UnixSeconds | null
  /** At most 200 characters, without path, query or credential of a URL. */
  readonly lastError: string | null
  /** The last attempt returned less than 95 % of the expected rows. */
  readonly partial: boolean
  /** Failed attempts since the last success. */
  readonly failures: number
}

export type SourceView = {
  readonly source: SourceId
  readonly state: SourceState
  readonly lastAttemptTs: UnixSeconds | null
  readonly lastSuccessTs: UnixSeconds | null
  readonly lastError: string | null
  readonly ageSeconds: number | null
}

/** A source this many times older than its limit is called down instead of stale. */
const downAgeFactor = 10
/** Failures without any success after which a source is down. */
const downFailures = 3

/** The oldest age in seconds at which a source still counts as ok (docs/api.md, status). */
export const sourceMaxAgeSeconds = (source: SourceId, policy: Policy): number => {
  const limits: Record<SourceId, number> = {
    quotes: policy.quoteMaxAgeSeconds,
    pools: policy.poolMaxAgeSeconds,
    swaps: policy.poolMaxAgeSeconds,
    screener: screenerMaxAgeSeconds,
  }
  return limits[source]
}

type Reading = {
  readonly now: UnixSeconds
  readonly policy: Policy
  /** Start of the indexer; null if none ever ran on this store. */
  readonly startedTs: UnixSeconds | null
}

/** The state of a source, by its record and the clock alone (docs/api.md, table of states). */
export const computeSourceState = (
  record: SourceRecord,
  { now, policy, startedTs }: Reading,
): SourceState => {
  if (!record.enabled) return 'disabled'
  const triedSinceStart =
    record.lastAttemptTs !== null && startedTs !== null && record.lastAttemptTs >= startedTs
  if (!triedSinceStart) return 'pending'
  const age = ageOf(record.lastSuccessTs, now)
  if (age.kind === 'never') return record.failures >= downFailures ? 'down' : 'degraded'
  if (age.kind === 'ahead') return 'stale'
  const maxSeconds = sourceMaxAgeSeconds(record.source, policy)
  if (age.seconds > maxSeconds * downAgeFactor) return 'down'
  if (age.seconds > maxSeconds) return 'stale'
  return record.failures > 0 || record.partial ? 'degraded' : 'ok'
}

export const toSourceView = (record: SourceRecord, reading: Reading): SourceView => ({
  source: record.source,
  state: computeSourceState(record, reading),
  lastAttemptTs: record.lastAttemptTs,
  lastSuccessTs: record.lastSuccessTs,
  lastError: record.lastError,
  ageSeconds: record.lastSuccessTs === null ? null : reading.now - record.lastSuccessTs,
})

/** The record of a source that was never tried. */
export const initialSourceRecord = (source: SourceId, enabled: boolean): SourceRecord => ({
  source,
  enabled,
  lastAttemptTs: null,
  lastSuccessTs: null,
  lastError: null,
  partial: false,
  failures: 0,
})
