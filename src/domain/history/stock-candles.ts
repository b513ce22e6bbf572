import { amountToApprox } from '../math/pool-price.ts'
import { microPerUsd, type TradedSum } from '../pool/stored-rows.ts'
import { bucketStart } from '../series/series-range.ts'
import type { UnixSeconds } from '../units.ts'
import type { CandleView } from '../views/history.ts'
import type { Trade } from './trades.ts'

/** A swap with a smaller value sets no price: rounding and dust are a large part of it. */
const priceUsdMicroMin = microPerUsd

/** What the stored candles of all pools add up to in one bucket. */
export type StockBucket = {
  readonly ts: UnixSeconds
  readonly swaps: number
  /** Null if a swap could not be priced. */
  readonly usdMicro: number | null
}

/** Adds up the stored candles of several pools by bucket. */
export const sumBuckets = (
  candles: readonly TradedSum[],
  bucketSeconds: number,
): readonly StockBucket[] =>
  [...Map.groupBy(candles, ({ ts }) => bucketStart(ts, bucketSeconds))].map(([ts, own]) => ({
    ts,
    swaps: own.reduce((sum, { swaps }) => sum + swaps, 0),
    usdMicro: own.some(({ unpriced }) => unpriced > 0)
      ? null
      : own.reduce((sum, { usdMicro }) => sum + usdMicro, 0),
  }))

const byPlace = (one: Trade, other: Trade): number =>
  one.block - other.block || one.logIndex - other.logIndex

/** Dollars that a swap paid for one stock token; null if it says nothing of the price. */
const priceOf = ({ usdMicro, implausible, raw }: Trade, decimals: number): number | null => {
  if (usdMicro === null || implausible || usdMicro < priceUsdMicroMin) return null
  const price = usdMicro / microPerUsd / amountToApprox(raw, decimals)
  return Number.isFinite(price) ? price : null
}

/**
 * A stock's candles, oldest first, from the swaps in its pools in chain order, each at the dollars
 * of its own time (methodology §5). Without all swaps of a bucket its prices are null.
 */
export const buildStockCandles = (
  buckets: readonly StockBucket[],
  trades: readonly Trade[],
  grid: {
    readonly bucketSeconds: number
    readonly openTs: UnixSeconds
    readonly decimals: number
  },
): readonly CandleView[] => {
  const { bucketSeconds, openTs, decimals } = grid
  const byBucket = Map.groupBy(trades, ({ ts }) => bucketStart(ts, bucketSeconds))
  return buckets.map(({ ts, swaps, usdMicro }) => {
    const own = (byBucket.get(ts) ?? []).toSorted(byPlace)
    const isWhole = own.length === swaps
    const prices = isWhole ? own.flatMap((trade) => priceOf(trade, decimals) ?? []) : []
    const stockRaw = own.reduce((sum, trade) => sum + trade.raw, 0n)
    return {
      ts,
      open: prices[0] ?? null,
      high: prices.length === 0 ? null : prices.reduce((one, other) => Math.max(one, other)),
      low: prices.length === 0 ? null : prices.reduce((one, other) => Math.min(one, other)),
      close: prices.at(-1) ?? null,
      volumeUsd: usdMicro === null ? null : usdMicro / microPerUsd,
      volumeStock: isWhole ? amountToApprox(stockRaw, decimals) : null,
      swaps,
      closed: ts < openTs,
    }
  })
}
