import {
  initialSourceRecord,
  type SourceId,
  type SourceRecord,
} from '../../domain/status/source-state.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'

/** Longer texts add nothing that the log does not have (docs/api.md: lastError). */
const errorCharsMax = 200

/** Tells the store how the attempts at one source went. */
export type SourceReport = {
  /** `lack`: what is missing if fewer than 95 % of the expected rows came; else null. */
  readonly success: (lack?: string | null) => Promise<void>
  readonly failure: (error: string) => Promise<void>
}

/**
 * A source may be tried several times a second while its record counts in seconds: equal records
 * are written once.
 */
export const createSourceReport = (
  source: SourceId,
  deps: {
    readonly store: StoreWriter
    readonly clock: Clock
    /** The source's record of an earlier run, so that its last success is not forgotten. */
    readonly before: SourceRecord | null
    /** What every success lacks, whatever it brought; nulls where nothing is wrong. */
    readonly lasting?: () => readonly (string | null)[]
  },
): SourceReport => {
  const { store, clock, before, lasting = () => [] } = deps
  let record: SourceRecord = {
    ...(before ?? initialSourceRecord(source, true)),
    enabled: true,
  }

  const write = async (next: SourceRecord): Promise<void> => {
    const isNews = JSON.stringify(next) !== JSON.stringify(record)
    record = next
    if (isNews) await store.recordSource(next)
  }

  return {
    success: (lack = null) => {
      const now = clock.now()
      const times = { lastAttemptTs: now, lastSuccessTs: now }
      const lacks = [...lasting(), lack].filter((each) => each !== null)
      const lastError = lacks.length === 0 ? null : lacks.join('; ').slice(0, errorCharsMax)
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
