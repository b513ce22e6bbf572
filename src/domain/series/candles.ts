import type { RawAmounts } from '../pool/pool-state.ts'
import { addUsdMicro, type Candle, type CandleWidth, type StoredSwap } from '../pool/stored-rows.ts'
import { computeReserves, type TrackedPool } from '../pool/tracked-pool.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import { bucketStart } from './series-range.ts'

const q96 = 2 ** 96

/** Raw token1 per raw token0, approximated: candles are drawn, never settled by. */
export const rawPrice = (sqrtPriceX96: bigint): number => (Number(sqrtPriceX96) / q96) ** 2

const approx = (amount: bigint | undefined): number | null =>
  amount === undefined ? null : Number(amount)

/** A bucket in which the pool stands still so far. */
export const flatCandle = (pool: TrackedPool, price: number, ts: UnixSeconds): Candle => ({
  pool: pool.identity.number,
  width: secondsPerMinute,
  ts: bucketStart(ts, secondsPerMinute),
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
export const flatCandlesAt = (pool: TrackedPool, ts: UnixSeconds): readonly Candle[] => {
  const { price } = pool.state
  if (price === null) return []
  return aggregateCandles([flatCandle(pool, rawPrice(price.sqrtPriceX96), ts)])
}

/** A bucket that is still being filled, by the one who made it and has shown it to nobody yet. */
type OpenCandle = { -readonly [Name in keyof Candle]: Candle[Name] }

/** One more swap in the bucket. */
const addSwap = (candle: OpenCandle, swap: StoredSwap): void => {
  const price = rawPrice(swap.sqrtPriceX96)
  const isFirst = candle.swaps === 0
  candle.open = isFirst ? price : candle.open
  candle.high = isFirst ? price : Math.max(candle.high, price)
  candle.low = isFirst ? price : Math.min(candle.low, price)
  candle.close = price
  candle.usdMicro = addUsdMicro(candle.usdMicro, swap.usdMicro ?? 0)
  candle.swaps += 1
  candle.unpriced += swap.usdMicro === null ? 1 : 0
  candle.estimated += swap.estimated ? 1 : 0
}

/** The bucket after one more swap in it. */
export const withSwap = (candle: Candle, swap: StoredSwap): Candle => {
  const after = { ...candle }
  addSwap(after, swap)
  return after
}

/** The pool's reserves are those of the bucket's end. */
const setReserves = (candle: OpenCandle, reserves: RawAmounts | null): void => {
  candle.reserve0 = approx(reserves?.amount0)
  candle.reserve1 = approx(reserves?.amount1)
}

/** The other half of the bucket, which is the later one. */
const addLater = (early: OpenCandle, late: Candle): void => {
  const isEarlyStill = early.swaps === 0
  if (late.swaps > 0) {
    early.open = isEarlyStill ? late.open : early.open
    early.high = isEarlyStill ? late.high : Math.max(early.high, late.high)
    early.low = isEarlyStill ? late.low : Math.min(early.low, late.low)
  }
  early.close = late.close
  early.usdMicro = addUsdMicro(early.usdMicro, late.usdMicro)
  early.swaps += late.swaps
  early.unpriced += late.unpriced
  early.estimated += late.estimated
  early.reserve0 = late.reserve0
  early.reserve1 = late.reserve1
}

/** Two halves of one bucket, the earlier first. */
export const mergeCandles = (early: Candle, late: Candle): Candle => {
  const whole = { ...early }
  addLater(whole, late)
  return whole
}

const addWider = (candles: Candle[], minutes: readonly Candle[], width: CandleWidth): void => {
  let last: OpenCandle | undefined
  for (const minute of minutes) {
    const ts = bucketStart(minute.ts, width)
    if (last?.ts === ts) addLater(last, minute)
    else {
      last = { ...minute, width, ts }
      candles.push(last)
    }
  }
}

/** Adds the minutes of one pool, given in time order, and the hours and days that they make up. */
const appendAggregates = (candles: Candle[], minutes: readonly Candle[]): void => {
  for (const minute of minutes) candles.push(minute)
  addWider(candles, minutes, secondsPerHour)
  addWider(candles, minutes, secondsPerDay)
}

/** Minutes of one pool in time order, and the hours and days that they make up. */
export const aggregateCandles = (minutes: readonly Candle[]): readonly Candle[] => {
  const candles: Candle[] = []
  appendAggregates(candles, minutes)
  return candles
}

/** The minutes of one run, per pool in order; each pool's last one is still open. */
export type CandleBuilder = {
  /** Opens the pool's first minute, once it has a price. */
  readonly open: (pool: TrackedPool, ts: UnixSeconds) => void
  /** Closes a minute that is over at `ts` with the pool as it stands, and opens the next one. */
  readonly rollOver: (pool: TrackedPool, ts: UnixSeconds) => void
  /** Into the pool's open minute. */
  readonly addSwap: (swap: StoredSwap) => void
  /** The pool's last minute ends with the reserves that it has now. */
  readonly close: (pool: TrackedPool) => void
  /** All minutes and the hours and days that they make up. */
  readonly candles: () => readonly Candle[]
}

/** Nobody sees a candle before the run is over, so each is filled in place. */
export const createCandleBuilder = (): CandleBuilder => {
  const byPool = new Map<number, OpenCandle[]>()

  const begin = (minutes: OpenCandle[], pool: TrackedPool, ts: UnixSeconds): void => {
    const { price } = pool.state
    if (price !== null) minutes.push(flatCandle(pool, rawPrice(price.sqrtPriceX96), ts))
  }

  return {
    open: (pool, ts) => {
      const { number } = pool.identity
      if (byPool.has(number) || pool.state.price === null) return
      const minutes: OpenCandle[] = []
      byPool.set(number, minutes)
      begin(minutes, pool, ts)
    },
    rollOver: (pool, ts) => {
      const minutes = byPool.get(pool.identity.number)
      const last = minutes?.at(-1)
      if (minutes === undefined || last === undefined || ts < last.ts + last.width) return
      // Reserves are worth computing once per minute, not once per event.
      setReserves(last, computeReserves(pool))
      begin(minutes, pool, ts)
    },
    addSwap: (swap) => {
      const last = byPool.get(swap.pool)?.at(-1)
      if (last !== undefined) addSwap(last, swap)
    },
    close: ({ identity, state }) => {
      const last = byPool.get(identity.number)?.at(-1)
      if (last !== undefined) setReserves(last, state.reserves)
    },
    candles: () => {
      const candles: Candle[] = []
      for (const minutes of byPool.values()) appendAggregates(candles, minutes)
      return candles
    },
  }
}
