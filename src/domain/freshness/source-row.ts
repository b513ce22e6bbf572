import type { UnixSeconds } from '../units.ts'

export const sourceIds = ['quotes', 'pools', 'swaps', 'screener'] as const
export type SourceId = (typeof sourceIds)[number]

/** What the writer knows of one source; state and age are computed when read. */
export type SourceRecord = {
  readonly source: SourceId
  readonly enabled: boolean
  readonly lastAttemptTs: UnixSeconds | null
  readonly lastSuccessTs: UnixSeconds | null
  /** At most 200 characters, without path, query or credential of a URL. */
  readonly lastError: string | null
  /** The last attempt brought less than 95 % of the expected rows. */
  readonly partial: boolean
  /** Attempts that failed since the last success. */
  readonly failures: number
}
