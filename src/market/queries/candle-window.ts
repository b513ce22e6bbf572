import {
  type BucketRange,
  bucketAtOrAfter,
  type CandleGrid,
  candleGrid,
  candleRange,
  isEmptyRange,
  rangeAfter,
} from '../../domain/history/candle-range.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerHour } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { KeptHours } from '../../ports/store-history.ts'
import type { HistoryPruned, StockCandleQuery } from '../history.ts'
import type { ListedPool } from '../model/model-pool.ts'

const keptSinceOf = ({ minutes, last, before }: KeptHours): UnixSeconds => {
  if (last === null) return 0
  const isEnded = minutes === null || last.ts < minutes.ts
  if (isEnded || minutes.swaps !== last.swaps) return last.ts + secondsPerHour
  return before === null ? 0 : before.ts + secondsPerHour
}

/**
 * The time from which on the minutes of pools with swaps, and so their swaps, are all kept; 0 if
 * none was deleted. Retention deletes the oldest first and keeps hours, which count the swaps.
 */
export const findKeptSince = async (
  snapshot: StoreSnapshot,
  pools: readonly Pick<ListedPool, 'number'>[],
  toTs: UnixSeconds,
): Promise<UnixSeconds> => {
  const kept = await snapshot.keptHours({ pools: pools.map(({ number }) => number), toTs })
  return kept.reduce((since, each) => Math.max(since, keptSinceOf(each)), 0)
}

/** Which buckets a request is about, and which of them are known. */
export type CandleWindow = {
  readonly grid: CandleGrid
  /** What is left of the range behind the cursor, of which everything is kept. */
  readonly range: BucketRange
  /** Start of the bucket that is still open. */
  readonly openTs: UnixSeconds
  readonly complete: boolean
}

export type WindowInput = {
  readonly pools: readonly ListedPool[]
  readonly gaps: readonly IndexGap[]
  readonly asOfTs: UnixSeconds
  /** Whether rows need minutes or swaps, which are not kept for ever. */
  readonly needsRetained: boolean
}

/** Whether nothing is kept where the request begins or continues. */
const isPruned = (
  asked: BucketRange,
  { cursor, order }: Pick<StockCandleQuery, 'cursor' | 'order'>,
  { keptSince, bucketSeconds }: { readonly keptSince: UnixSeconds; readonly bucketSeconds: number },
): boolean => {
  if (isEmptyRange(asked)) return false
  if (cursor === null) return asked.toTs < keptSince
  return order === 'asc' ? cursor.ts + bucketSeconds < keptSince : asked.toTs < keptSince
}

/** Finds the buckets of a request; fails if all that it asks for was deleted. */
export const findCandleWindow = async (
  snapshot: StoreSnapshot,
  query: StockCandleQuery,
  { pools, gaps, asOfTs, needsRetained }: WindowInput,
): Promise<Outcome<CandleWindow, HistoryPruned>> => {
  const grid = candleGrid(query.width)
  const { bucketSeconds } = grid
  const createdTs = pools.reduce((least, pool) => Math.min(least, pool.createdTs), asOfTs)
  const whole = candleRange(grid, query, { createdTs, asOfTs })
  const asked = rangeAfter(whole, query.cursor?.ts ?? null, { ...query, bucketSeconds })
  const isRetained = needsRetained && !isEmptyRange(whole)
  const since = isRetained ? await findKeptSince(snapshot, pools, asOfTs) : 0
  const keptSince = bucketAtOrAfter(since, bucketSeconds)
  if (isPruned(asked, query, { keptSince, bucketSeconds })) {
    return failure({ kind: 'history-pruned', keptSince })
  }
  const gapEnds = gaps.map(({ toTs }) => bucketAtOrAfter(toTs, bucketSeconds))
  const firstTs = Math.max(keptSince, ...gapEnds)
  return success({
    grid,
    range: { ...asked, fromTs: Math.max(asked.fromTs, firstTs) },
    openTs: bucketStart(asOfTs, bucketSeconds),
    complete: isEmptyRange(whole) || whole.fromTs >= firstTs,
  })
}
