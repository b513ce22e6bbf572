import { sqrtPriceMaxX96, sqrtPriceMinX96 } from '../math/tick-math.ts'
import type { Candle } from '../pool/stored-rows.ts'
import type { UnixSeconds } from '../units.ts'
import { mergeCandles, rawPrice } from './candles.ts'
import { type Bucket, closingRow, fillBuckets, type StoredRows } from './fill-buckets.ts'
import type { SeriesPlan } from './series-range.ts'

/** Open, high, low and close in any unit; null without a usable price. */
export type Ohlc = {
  readonly open: number | null
  readonly high: number | null
  readonly low: number | null
  readonly close: number | null
}

/** One bucket of a pool's series; all values are null if an index gap overlaps it. */
export type SeriesCandle = Ohlc & {
  readonly ts: UnixSeconds
  /** Millionths of a dollar; null also if a swap of the bucket could not be priced. */
  readonly usdMicro: number | null
  readonly swaps: number | null
  /** Smallest units at the bucket's end, approximated. */
  readonly reserve0: number | null
  readonly reserve1: number | null
  readonly closed: boolean
}

const withoutPrice: Ohlc = { open: null, high: null, low: null, close: null }

const ofPrice = (price: number): Ohlc => ({ open: price, high: price, low: price, close: price })

const withoutContent = {
  ...withoutPrice,
  usdMicro: null,
  swaps: null,
  reserve0: null,
  reserve1: null,
} as const

/** A bucket's candle; one without swaps has the price at its beginning. */
export const bucketCandle = (bucket: Bucket<Candle>): SeriesCandle => {
  const { ts, closed, content } = bucket
  if (content === null) return { ts, ...withoutContent, closed }
  const end = closingRow(bucket)
  const reserves = { reserve0: end?.reserve0 ?? null, reserve1: end?.reserve1 ?? null }
  const [first, ...others] = content.rows
  if (first === undefined) {
    const prices = end === null ? withoutPrice : ofPrice(end.close)
    return { ts, ...prices, usdMicro: 0, swaps: 0, ...reserves, closed }
  }
  const { open, high, low, close, usdMicro, unpriced, swaps } = others.reduce(mergeCandles, first)
  const volume = unpriced > 0 ? null : usdMicro
  return { ts, open, high, low, close, usdMicro: volume, swaps, ...reserves, closed }
}

/**
 * A pool's stored candles (of the plan's width) as the rows of a series, oldest first, in raw
 * prices (smallest units of token1 per smallest unit of token0). A bucket without a candle carries
 * the price and the reserves forward, with no volume and no swaps: for an AMM that is its exact
 * state, not an interpolation.
 */
export const candleSeries = (
  plan: SeriesPlan,
  stored: StoredRows<Candle>,
): readonly SeriesCandle[] => fillBuckets(plan, stored).map(bucketCandle)

const inverse = (price: number | null): number | null =>
  price === null || price === 0 ? null : 1 / price

/** Inverts the prices, so that the highest becomes the lowest. */
export const invertCandle = <T extends Ohlc>(candle: T): T => ({
  ...candle,
  open: inverse(candle.open),
  high: inverse(candle.low),
  low: inverse(candle.high),
  close: inverse(candle.close),
})

const rawPriceMin = rawPrice(sqrtPriceMinX96 + 1n)
const rawPriceMax = rawPrice(sqrtPriceMaxX96 - 1n)

/**
 * Raw prices as whole other tokens for one whole stock token. A price at the end of the pool's
 * range is null (docs/methodology.md §2).
 */
export const candleInOther = <T extends Ohlc>(
  candle: T,
  pair: {
    readonly stockIsToken0: boolean
    readonly decimals0: number
    readonly decimals1: number
  },
): T => {
  // Powers of ten are exact up to 10^22, their inverses are not: multiply by one, divide by one.
  const up = Number(10n ** BigInt(pair.decimals0))
  const down = Number(10n ** BigInt(pair.decimals1))
  const whole = (raw: number | null): number | null =>
    raw === null || raw <= rawPriceMin || raw >= rawPriceMax ? null : (raw * up) / down
  const token1PerToken0: T = {
    ...candle,
    open: whole(candle.open),
    high: whole(candle.high),
    low: whole(candle.low),
    close: whole(candle.close),
  }
  return pair.stockIsToken0 ? token1PerToken0 : invertCandle(token1PerToken0)
}
