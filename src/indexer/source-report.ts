import {
  initialSourceRecord,
  type SourceId,
  type SourceRecord,
} from '../domain/status/source-state.ts'
import type { Clock } from '../ports/runtime.ts'
import type { StoreWriter } from '../ports/store.ts'

/** Of `lastError` (docs/api.md); the log has the complete text. */
const errorCharsMax = 200

/** Stores the results of reading one source. */
export type SourceReport = {
  /** `warning` says what is missing if fewer than 95 % of the expected rows came. */
  readonly success: (warning?: string | null) => Promise<void>
  readonly failure: (error: string) => Promise<void>
}

/** Writes equal records once: a source may be read several times a second. */
export const createSourceReport = (
  source: SourceId,
  deps: {
    readonly store: StoreWriter
    readonly clock: Clock
    /** The stored record of an earlier run, which keeps the time of the last success. */
    readonly stored: SourceRecord | null
    /** Warnings that every success carries; null where nothing is wrong. */
    readonly permanentWarnings?: () => readonly (string | null)[]
  },
): SourceReport => {
  const { store, clock, stored, permanentWarnings = () => [] } = deps
  let record: SourceRecord = { ...(stored ?? initialSourceRecord(source, true)), enabled: true }

  const write = async (next: SourceRecord): Promise<void> => {
    const isChanged = JSON.stringify(next) !== JSON.stringify(record)
    record = next
    if (isChanged) await store.recordSource(next)
  }

  return {
    success: (warning = null) => {
      const now = clock.now()
      const times = { lastAttemptTs: now, lastSuccessTs: now }
      const warnings = [...permanentWarnings(), warning].filter((text) => text !== null)
      const lastError = warnings.length === 0 ? null : warnings.join('; ').slice(0, errorCharsMax)
      return write({ ...record, ...times, lastError, partial: lastError !== null, failures: 0 })
    },
    failure: (error) =>
      write({
        ...record,
        lastAttemptTs: clock.now(),
        lastError: error.slice(0, errorCharsMax),
        failures: Math.min(record.failures + 1, Number.MAX_SAFE_INTEGER),
      }),
  }
}
