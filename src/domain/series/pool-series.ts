import type { PoolClassification } from '../pool/pool-kind.ts'
import { type Candle, microPerUsd, type ReferencePoint } from '../pool/stored-rows.ts'
import { poolUsdPrices } from '../price/pool-prices.ts'
import type { Reading } from '../reading.ts'
import { computeLiquidityUsd } from '../valuation/pool-flags.ts'
import type { PoolSeriesRow, PoolView } from '../views/pool.ts'
import { candleInOther, candleSeries, type Ohlc, type SeriesCandle } from './candle-series.ts'
import { closingRow, fillBuckets, type StoredRows } from './fill-buckets.ts'
import type { SeriesPlan } from './series-range.ts'

export type PoolSeriesInput = {
  readonly plan: SeriesPlan
  /** Candles of the plan's width. */
  readonly candles: StoredRows<Candle>
  /** Reference prices of the stock, in points of the plan's width. */
  readonly stockReferences: StoredRows<ReferencePoint>
  /** The same for the other token; null for a meme, which has none. */
  readonly otherReferences: StoredRows<ReferencePoint> | null
  readonly classification: PoolClassification
  readonly decimals0: Reading<number>
  readonly decimals1: Reading<number>
  /** False where a hook moves tokens outside the tick map (methodology §4). */
  readonly hasReserves: boolean
  /** The pool at the cursor, which closes the open bucket. */
  readonly view: PoolView
}

const noPrices: Ohlc = { open: null, high: null, low: null, close: null }

/** Reference at the end of each bucket: the last point up to it, of any age. */
const closingUsd = (
  plan: SeriesPlan,
  references: StoredRows<ReferencePoint> | null,
): readonly (number | null)[] | null =>
  references === null
    ? null
    : fillBuckets(plan, references).map((bucket) => closingRow(bucket)?.usd ?? null)

const wholeOf = (raw: number | null, decimals: Reading<number>): number | null =>
  raw === null || !decimals.known ? null : raw / 10 ** decimals.value

const inOther = (candle: SeriesCandle, input: PoolSeriesInput): SeriesCandle => {
  const { classification, decimals0, decimals1 } = input
  if (!decimals0.known || !decimals1.known) return { ...candle, ...noPrices }
  const { stockIsToken0 } = classification
  const pair = { stockIsToken0, decimals0: decimals0.value, decimals1: decimals1.value }
  return candleInOther(candle, pair)
}

const rowOf = (
  candle: SeriesCandle,
  references: { readonly stockRefUsd: number | null; readonly otherRefUsd: number | null },
  input: PoolSeriesInput,
): PoolSeriesRow => {
  const { classification, decimals0, decimals1, hasReserves } = input
  const { ts, closed, swaps, usdMicro } = candle
  const volumeUsd = usdMicro === null ? null : usdMicro / microPerUsd
  const { open, high, low, close } = inOther(candle, input)
  const bucket = { ts, open, high, low, close, stockPriceInOther: close, volumeUsd, swaps, closed }
  // Only a bucket inside an index gap has no number of swaps.
  if (swaps === null) {
    return { ...bucket, stockPriceUsd: null, otherPriceUsd: null, liquidityUsd: null }
  }
  const { stockRefUsd } = references
  const prices = poolUsdPrices({
    kind: classification.kind,
    stockPriceInOther: close,
    ...references,
  })
  const amount0 = hasReserves ? wholeOf(candle.reserve0, decimals0) : null
  const amount1 = hasReserves ? wholeOf(candle.reserve1, decimals1) : null
  const [stockReserve, otherReserve] = classification.stockIsToken0
    ? [amount0, amount1]
    : [amount1, amount0]
  const { otherPriceUsd } = prices
  const reserves = { stockReserve, otherReserve, stockRefUsd, otherPriceUsd }
  return { ...bucket, ...prices, liquidityUsd: computeLiquidityUsd(classification.kind, reserves) }
}

/** Closes a bucket with the pool's view, so that one response never shows two present prices. */
const closeWithView = (row: PoolSeriesRow, view: PoolView): PoolSeriesRow => {
  const { stockPriceInOther: price, stockPriceUsd, otherPriceUsd, liquidityUsd } = view
  const values = { stockPriceInOther: price, stockPriceUsd, otherPriceUsd, liquidityUsd }
  if (price === null) return { ...row, close: null, ...values }
  return {
    ...row,
    open: row.open ?? price,
    high: Math.max(row.high ?? price, price),
    low: Math.min(row.low ?? price, price),
    close: price,
    ...values,
  }
}

/**
 * A pool's series (docs/api.md): prices in other tokens, and the value of the pool and its
 * tokens by the references at each bucket's end (methodology §3, §4). The open bucket ends with the
 * pool's present view.
 */
export const buildPoolSeries = (input: PoolSeriesInput): readonly PoolSeriesRow[] => {
  const { plan, candles, stockReferences, otherReferences, view } = input
  const stockUsd = closingUsd(plan, stockReferences)
  const otherUsd = closingUsd(plan, otherReferences)
  return candleSeries(plan, candles).map((candle, index) => {
    const stockRefUsd = stockUsd?.[index] ?? null
    const otherRefUsd = otherUsd?.[index] ?? null
    const row = rowOf(candle, { stockRefUsd, otherRefUsd }, input)
    return row.closed || row.swaps === null ? row : closeWithView(row, view)
  })
}
