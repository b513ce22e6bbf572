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
import type { CandleWidth } from '../../domain/pool/stored-rows.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import { secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { HistoryPruned, StockCandleQuery } from '../history.ts'
import type { ListedPool } from '../model/model-pool.ts'

/**
 * The time from which on the minutes of a pool with swaps, and so its swaps, are all kept; 0 if
 * none was deleted. Retention deletes the oldest first and keeps hours, which count the swaps.
 */
export const findKeptSince = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  toTs: UnixSeconds,
): Promise<UnixSeconds> => {
  const read = (width: CandleWidth, order: 'asc' | 'desc', to: UnixSeconds, rowsMax: number) =>
    snapshot.tradedCandles({ pool: pool.number, width, fromTs: 0, toTs: to, order, rowsMax })
  const [oldest] = await read(secondsPerMinute, 'asc', toTs, 1)
  const hourTs = oldest === undefined ? toTs : bucketStart(oldest.ts, secondsPerHour)
  const [last, before] = await read(secondsPerHour, 'desc', hourTs, 2)
  if (last === undefined) return 0
  if (last.ts < hourTs || oldest === undefined) return last.ts + secondsPerHour
  const minutes = await snapshot.tradedCandles({
    ...{ pool: pool.number, width: secondsPerMinute, order: 'asc', rowsMax: 60 },
    ...{ fromTs: hourTs, toTs: hourTs + secondsPerHour - 1 },
  })
  const kept = minutes.reduce((sum, { swaps }) => sum + swaps, 0)
  if (kept !== last.swaps) return hourTs + secondsPerHour
  return before === undefined ? 0 : before.ts + secondsPerHour
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
  const since: UnixSeconds[] = []
  if (needsRetained && !isEmptyRange(whole)) {
    for (const pool of pools) since.push(await findKeptSince(snapshot, pool, asOfTs))
  }
  const keptSince = bucketAtOrAfter(Math.max(0, ...since), bucketSeconds)
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
