import { type CandleWidth, candleWidths } from '../pool/stored-rows.ts'
import { bucketStart } from '../series/series-range.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import type { HistoryOrder } from '../views/history.ts'

/** The values of `width` in the API. */
export const candleWidthNames = ['1m', '5m', '15m', '1h', '4h', '1d'] as const
export type CandleWidthName = (typeof candleWidthNames)[number]

/** A width of candles and that of the stored rows that fill them. */
export type CandleGrid = { readonly bucketSeconds: number; readonly candleWidth: CandleWidth }

const secondsOf: Readonly<Record<CandleWidthName, number>> = {
  '1m': secondsPerMinute,
  '5m': 5 * secondsPerMinute,
  '15m': 15 * secondsPerMinute,
  '1h': secondsPerHour,
  '4h': 4 * secondsPerHour,
  '1d': secondsPerDay,
}

export const candleGrid = (name: CandleWidthName): CandleGrid => {
  const bucketSeconds = secondsOf[name]
  const candleWidth = candleWidths.findLast((width) => bucketSeconds % width === 0)
  return { bucketSeconds, candleWidth: candleWidth ?? secondsPerMinute }
}

/** Starts of the first and the last bucket; no bucket if the first is after the last. */
export type BucketRange = { readonly fromTs: UnixSeconds; readonly toTs: UnixSeconds }

export const isEmptyRange = ({ fromTs, toTs }: BucketRange): boolean => fromTs > toTs

/** Start of the first bucket that begins at or after `ts`. */
export const bucketAtOrAfter = (ts: UnixSeconds, bucketSeconds: number): UnixSeconds =>
  Math.ceil(ts / bucketSeconds) * bucketSeconds

/** The buckets that start within the request, from the creation to the cursor. */
export const candleRange = (
  { bucketSeconds }: CandleGrid,
  asked: { readonly fromTs: UnixSeconds | null; readonly toTs: UnixSeconds | null },
  { createdTs, asOfTs }: { readonly createdTs: UnixSeconds; readonly asOfTs: UnixSeconds },
): BucketRange => {
  const fromTs = bucketAtOrAfter(asked.fromTs ?? 0, bucketSeconds)
  const toTs = bucketStart(asked.toTs ?? asOfTs, bucketSeconds)
  return {
    fromTs: Math.max(fromTs, bucketStart(createdTs, bucketSeconds)),
    toTs: Math.min(toTs, bucketStart(asOfTs, bucketSeconds)),
  }
}

/** The rest of a range behind the bucket that a cursor names. */
export const rangeAfter = (
  range: BucketRange,
  cursorTs: UnixSeconds | null,
  { order, bucketSeconds }: { readonly order: HistoryOrder; readonly bucketSeconds: number },
): BucketRange => {
  if (cursorTs === null) return range
  return order === 'asc'
    ? { ...range, fromTs: Math.max(range.fromTs, cursorTs + bucketSeconds) }
    : { ...range, toTs: Math.min(range.toTs, cursorTs - bucketSeconds) }
}

/** The part of a range that a page of so many dense buckets covers. */
export const densePart = (
  range: BucketRange,
  limit: number,
  { order, bucketSeconds }: { readonly order: HistoryOrder; readonly bucketSeconds: number },
): BucketRange => {
  const { fromTs, toTs } = range
  const span = (limit - 1) * bucketSeconds
  return order === 'asc'
    ? { fromTs, toTs: Math.min(toTs, fromTs + span) }
    : { fromTs: Math.max(fromTs, toTs - span), toTs }
}
