import type { PoolClassification } from '../pool/pool-kind.ts'
import { type Candle, microPerUsd, type ReferencePoint } from '../pool/stored-rows.ts'
import type { Reading } from '../reading.ts'
import { bucketCandle, candleInOther, type Ohlc } from '../series/candle-series.ts'
import type { Bucket, StoredRows } from '../series/fill-buckets.ts'
import { bucketStart } from '../series/series-range.ts'
import type { UnixSeconds } from '../units.ts'
import type { CandleView } from '../views/history.ts'

/** Groups the rows of a pool, oldest first, into buckets without the empty ones. */
export const tradedBuckets = (
  rows: readonly Candle[],
  { bucketSeconds, openTs }: { readonly bucketSeconds: number; readonly openTs: UnixSeconds },
): readonly Bucket<Candle>[] =>
  [...Map.groupBy(rows, ({ ts }) => bucketStart(ts, bucketSeconds))].map(([ts, own]) => ({
    ts,
    endTs: ts + bucketSeconds,
    closed: ts < openTs,
    content: { rows: own, before: null },
  }))

/** Prices of the other token in dollars; `since` is the time from which on they are all kept. */
export type OtherPrices = {
  readonly points: StoredRows<ReferencePoint>
  readonly since: UnixSeconds
}

export type PoolCandlesInput = {
  /** Oldest first. */
  readonly buckets: readonly Bucket<Candle>[]
  readonly classification: PoolClassification
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  /** Converts the prices to dollars; `none` if the other token has no reference. */
  readonly inUsd: OtherPrices | 'none' | null
  /** Whole stock tokens by bucket, where they are known. */
  readonly volumes: ReadonlyMap<UnixSeconds, number>
}

const noPrices: Ohlc = { open: null, high: null, low: null, close: null }

/** The last reference up to each bucket's end. */
const closingUsd = (
  buckets: readonly Bucket<Candle>[],
  { points, since }: OtherPrices,
): readonly (number | null)[] => {
  let [next, last] = [0, points.before]
  return buckets.map(({ ts, endTs }) => {
    for (let row = points.rows[next]; row !== undefined && row.ts < endTs; ) {
      last = row
      row = points.rows[++next]
    }
    return ts < since ? null : (last?.usd ?? null)
  })
}

const inDollars = ({ open, high, low, close }: Ohlc, usd: number | null): Ohlc => {
  const times = (price: number | null) => {
    const value = price === null || usd === null ? null : price * usd
    return value !== null && Number.isFinite(value) ? value : null
  }
  return { open: times(open), high: times(high), low: times(low), close: times(close) }
}

/**
 * A pool's candles, oldest first: prices of one stock token in other tokens, or times the reference
 * of the other token at the bucket's end, as the series has it (methodology §3).
 */
export const buildPoolCandles = (input: PoolCandlesInput): readonly CandleView[] => {
  const { buckets, classification, decimals0, decimals1, inUsd, volumes } = input
  const usd = inUsd === null || inUsd === 'none' ? null : closingUsd(buckets, inUsd)
  return buckets.map((bucket, index) => {
    const { ts, closed, swaps, usdMicro, ...raw } = bucketCandle(bucket)
    const isKnown = decimals0.known && decimals1.known
    const inOther: Ohlc = isKnown
      ? candleInOther(raw, {
          stockIsToken0: classification.stockIsToken0,
          decimals0: decimals0.value,
          decimals1: decimals1.value,
        })
      : noPrices
    const { open, high, low, close } =
      inUsd === null ? inOther : inDollars(inOther, usd?.[index] ?? null)
    return {
      ...{ ts, open, high, low, close },
      volumeUsd: usdMicro === null ? null : usdMicro / microPerUsd,
      volumeStock: swaps === 0 ? 0 : (volumes.get(ts) ?? null),
      swaps: swaps ?? 0,
      closed,
    }
  })
}
