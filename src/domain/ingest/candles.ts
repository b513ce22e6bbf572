import {
  addUsdMicro,
  type Candle,
  type CandleWidth,
  type StoredSwap,
} from '../pool/stored-events.ts'
import { bucketStart } from '../series/ranges.ts'
import type { UnixSeconds } from '../units.ts'
import type { TrackedPool } from './tracked-pool.ts'

const q96 = 2 ** 96

/** Raw token1 per raw token0, approximated: candles are drawn, never settled by. */
export const rawPriceOf = (sqrtPriceX96: bigint): number => (Number(sqrtPriceX96) / q96) ** 2

const approx = (amount: bigint | undefined): number | null =>
  amount === undefined ? null : Number(amount)

/** A bucket in which the pool stands still so far. */
export const stillCandle = (pool: TrackedPool, price: number, ts: UnixSeconds): Candle => ({
  pool: pool.identity.number,
  width: 60,
  ts: bucketStart(ts, 60),
  open: price,
  high: price,
  low: price,
  close: price,
  usdMicro: 0,
  swaps: 0,
  unpriced: 0,
  estimated: 0,
  reserve0: approx(pool.state.reserves?.amount0),
  reserve1: approx(pool.state.reserves?.amount1),
})

/** The buckets of a moment at which it is known how a pool stands; none before it has a price. */
export const standingCandles = (pool: TrackedPool, ts: UnixSeconds): readonly Candle[] => {
  const { price } = pool.state
  if (price === null) return []
  return withWiderCandles([stillCandle(pool, rawPriceOf(price.sqrtPriceX96), ts)])
}

/** The bucket after one more swap in it. */
export const withSwap = (candle: Candle, swap: StoredSwap): Candle => {
  const price = rawPriceOf(swap.sqrtPriceX96)
  const isFirst = candle.swaps === 0
  return {
    ...candle,
    open: isFirst ? price : candle.open,
    high: isFirst ? price : Math.max(candle.high, price),
    low: isFirst ? price : Math.min(candle.low, price),
    close: price,
    usdMicro: addUsdMicro(candle.usdMicro, swap.usdMicro ?? 0),
    swaps: candle.swaps + 1,
    unpriced: candle.unpriced + (swap.usdMicro === null ? 1 : 0),
    estimated: candle.estimated + (swap.estimated ? 1 : 0),
  }
}

/** Two halves of one bucket, the earlier first. */
export const mergeCandles = (early: Candle, late: Candle): Candle => {
  const traded = late.swaps === 0 ? early : early.swaps === 0 ? late : null
  return {
    ...late,
    open: traded?.open ?? early.open,
    high: traded?.high ?? Math.max(early.high, late.high),
    low: traded?.low ?? Math.min(early.low, late.low),
    usdMicro: addUsdMicro(early.usdMicro, late.usdMicro),
    swaps: early.swaps + late.swaps,
    unpriced: early.unpriced + late.unpriced,
    estimated: early.estimated + late.estimated,
  }
}

/** The same bucket seen at a greater width. */
const widened = (candle: Candle, width: CandleWidth): Candle => ({
  ...candle,
  width,
  ts: bucketStart(candle.ts, width),
})

/** Minutes of one pool in time order, and the hours and days that they make up. */
export const withWiderCandles = (minutes: readonly Candle[]): readonly Candle[] => {
  const wider = ([3600, 86_400] as const).flatMap((width) => {
    const rows: Candle[] = []
    for (const minute of minutes) {
      const row = widened(minute, width)
      const last = rows.at(-1)
      if (last?.ts === row.ts) rows[rows.length - 1] = mergeCandles(last, row)
      else rows.push(row)
    }
    return rows
  })
  return [...minutes, ...wider]
}
