import { type CandleWidth, candleWidths } from '../pool/stored-rows.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../time.ts'
import type { UnixSeconds } from '../units.ts'

/** The values of `range` in the API. */
export const rangeNames = ['1h', '6h', '24h', '7d', '30d', '90d', 'all'] as const
export type RangeName = (typeof rangeNames)[number]

/** Maximum number of rows of any series. */
export const seriesRowsMax = 600

type RangeRule = { readonly bucketSeconds: number; readonly rows: number }

const rules: Readonly<Record<Exclude<RangeName, 'all'>, RangeRule>> = {
  '1h': { bucketSeconds: secondsPerMinute, rows: 60 },
  '6h': { bucketSeconds: secondsPerMinute, rows: 360 },
  '24h': { bucketSeconds: 5 * secondsPerMinute, rows: 288 },
  '7d': { bucketSeconds: 30 * secondsPerMinute, rows: 336 },
  '30d': { bucketSeconds: 2 * secondsPerHour, rows: 360 },
  '90d': { bucketSeconds: 4 * secondsPerHour, rows: 540 },
}

const widest = 7 * secondsPerDay
/** `all` uses the first width that fits. */
const allBucketSeconds = [
  secondsPerHour,
  2 * secondsPerHour,
  4 * secondsPerHour,
  6 * secondsPerHour,
  12 * secondsPerHour,
  secondsPerDay,
  3 * secondsPerDay,
  widest,
]

/** Start of the bucket that contains `ts`. Buckets are aligned to the Unix epoch. */
export const bucketStart = (ts: UnixSeconds, bucketSeconds: number): UnixSeconds =>
  Math.floor(ts / bucketSeconds) * bucketSeconds

/** Buckets of a series and the stored candles that fill them. */
export type SeriesPlan = {
  readonly bucketSeconds: number
  /** Width of the stored candles: each lies within one bucket. */
  readonly candleWidth: CandleWidth
  /** Start of the first bucket; after `lastTs` if there is nothing to show. */
  readonly fromTs: UnixSeconds
  /** Start of the last bucket, which is still open. */
  readonly lastTs: UnixSeconds
  /** Buckets before this time are whole hours, because their minutes are not kept any more. */
  readonly hourlyUntilTs: UnixSeconds
}

/** The plan with whole hours up to the end of one. */
export const withHoursUntil = (plan: SeriesPlan, untilTs: UnixSeconds | null): SeriesPlan => {
  const { fromTs, lastTs } = plan
  if (untilTs === null || untilTs <= fromTs) return plan
  const hourly = { ...plan, fromTs: bucketStart(fromTs, secondsPerHour) }
  const hourlyUntilTs = Math.max(plan.hourlyUntilTs, untilTs)
  if (untilTs <= lastTs) return { ...hourly, hourlyUntilTs }
  const [bucketSeconds, candleWidth] = [secondsPerHour, secondsPerHour] as const
  return { ...hourly, bucketSeconds, candleWidth, lastTs: bucketStart(lastTs, bucketSeconds) }
}

/** Start of the bucket after the one that starts at `ts`. */
export const bucketEnd = (plan: SeriesPlan, ts: UnixSeconds): UnixSeconds =>
  ts + (ts < plan.hourlyUntilTs ? secondsPerHour : plan.bucketSeconds)

/** The widest stored candles that the bucket is a multiple of. */
const candleWidthFor = (bucketSeconds: number): CandleWidth =>
  candleWidths.findLast((width) => bucketSeconds % width === 0) ?? candleWidths[0]

const rowsBetween = (fromTs: UnixSeconds, toTs: UnixSeconds, bucketSeconds: number): number =>
  (bucketStart(toTs, bucketSeconds) - bucketStart(fromTs, bucketSeconds)) / bucketSeconds + 1

const ruleFor = (range: RangeName, createdTs: UnixSeconds, now: UnixSeconds): RangeRule => {
  if (range !== 'all') return rules[range]
  const fits = (seconds: number): boolean => rowsBetween(createdTs, now, seconds) <= seriesRowsMax
  // Eleven years of weeks fit; a longer series shows the last eleven.
  return { bucketSeconds: allBucketSeconds.find(fits) ?? widest, rows: seriesRowsMax }
}

/**
 * The buckets of a range that ends with the one that holds `now` (the time of the indexed head)
 * and never begins before the one that holds the creation.
 */
export const planSeries = (
  range: RangeName,
  { createdTs, now }: { readonly createdTs: UnixSeconds; readonly now: UnixSeconds },
): SeriesPlan => {
  const { bucketSeconds, rows } = ruleFor(range, createdTs, now)
  const lastTs = bucketStart(now, bucketSeconds)
  const rangeTs = lastTs - (rows - 1) * bucketSeconds
  return {
    bucketSeconds,
    candleWidth: candleWidthFor(bucketSeconds),
    fromTs: Math.max(rangeTs, bucketStart(createdTs, bucketSeconds)),
    lastTs,
    hourlyUntilTs: 0,
  }
}
