import { toIsoDate } from '../domain/iso-time.ts'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { secondsPerDay } from '../domain/time.ts'
import type { UnixSeconds } from '../domain/units.ts'
import type { BackfillCursor, IndexHeader } from '../ports/store-batches.ts'

/** Days as their first second. */
export type DayRange = { readonly fromTs: UnixSeconds | null; readonly toTs: UnixSeconds | null }

const dayOf = (ts: UnixSeconds): UnixSeconds => ts - (ts % secondsPerDay)

export const nameOfDay = (dayTs: UnixSeconds): string => toIsoDate(dayTs / secondsPerDay)

/** The first day that the backfill has read completely. */
const firstCompleteDay = (backfill: BackfillCursor | null): UnixSeconds =>
  backfill === null ? Number.NEGATIVE_INFINITY : dayOf(backfill.completeAfter.ts) + secondsPerDay

/** The last day whose end is finalized: no block of it can be replaced. */
const lastFinishedDay = (finalizedTs: UnixSeconds): UnixSeconds =>
  dayOf(finalizedTs) - secondsPerDay

/**
 * The finished days of a range, oldest first. Without a first day they begin with the first one
 * that the store has completely.
 */
export const planDays = (
  { fromTs, toTs }: DayRange,
  header: Pick<IndexHeader, 'finalizedCursor' | 'backfillCursor'>,
  firstRowTs: UnixSeconds | null,
): Outcome<readonly UnixSeconds[], string> => {
  const { finalizedCursor, backfillCursor } = header
  if (finalizedCursor === null) return failure('the store has no finalized block yet')
  const first = firstCompleteDay(backfillCursor)
  if (fromTs !== null && fromTs < first) {
    return failure(`--from: the store is complete from ${nameOfDay(first)} on`)
  }
  if (firstRowTs === null) return success([])
  const start = fromTs ?? Math.max(first, dayOf(firstRowTs))
  const end = Math.min(toTs ?? Number.POSITIVE_INFINITY, lastFinishedDay(finalizedCursor.ts))
  const days: UnixSeconds[] = []
  for (let day = start; day <= end; day += secondsPerDay) days.push(day)
  return success(days)
}
