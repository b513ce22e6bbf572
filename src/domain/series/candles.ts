import type { RawAmounts } from '../pool/pool-state.ts'
import { addUsdMicro, type Candle, type CandleWidth, type StoredSwap } from '../pool/stored-rows.ts'
import { computeReserves, type TrackedPool } from '../pool/tracked-pool.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import { bucketStart } from './series-range.ts'

const q96 = 2 ** 96

/** Raw token1 per raw token0, approximated. */
export const rawPrice = (sqrtPriceX96: bigint): number => (Number(sqrtPriceX96) / q96) ** 2

const approx = (amount: bigint | undefined): number | null =>
  amount === undefined ? null : Number(amount)

/** A candle without a swap. */
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
  implausible: 0,
  feeYield: 0,
  yielded: 0,
  reserve0: approx(pool.state.reserves?.amount0),
  reserve1: approx(pool.state.reserves?.amount1),
})

/** Candles of all widths for a known state at `ts`; none before the pool has a price. */
export const flatCandlesAt = (pool: TrackedPool, ts: UnixSeconds): readonly Candle[] => {
  const { price } = pool.state
  if (price === null) return []
  return aggregateCandles([flatCandle(pool, rawPrice(price.sqrtPriceX96), ts)])
}

/** A candle that is still being filled and has not been shared. */
type OpenCandle = { -readonly [Name in keyof Candle]: Candle[Name] }

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
  candle.implausible += swap.implausible ? 1 : 0
  candle.feeYield = addUsdMicro(candle.feeYield, swap.feeYield ?? 0)
  candle.yielded += swap.feeYield === null ? 0 : 1
}

/** The candle after one more swap. */
export const withSwap = (candle: Candle, swap: StoredSwap): Candle => {
  const after = { ...candle }
  addSwap(after, swap)
  return after
}

const setReserves = (candle: OpenCandle, reserves: RawAmounts | null): void => {
  candle.reserve0 = approx(reserves?.amount0)
  candle.reserve1 = approx(reserves?.amount1)
}

/** Merges the later part of a candle into the earlier one. */
const addLater = (early: OpenCandle, late: Candle): void => {
  const isEarlyFlat = early.swaps === 0
  if (late.swaps > 0) {
    early.open = isEarlyFlat ? late.open : early.open
    early.high = isEarlyFlat ? late.high : Math.max(early.high, late.high)
    early.low = isEarlyFlat ? late.low : Math.min(early.low, late.low)
  }
  early.close = late.close
  early.usdMicro = addUsdMicro(early.usdMicro, late.usdMicro)
  early.swaps += late.swaps
  early.unpriced += late.unpriced
  early.estimated += late.estimated
  early.implausible += late.implausible
  early.feeYield = addUsdMicro(early.feeYield, late.feeYield)
  early.yielded += late.yielded
  early.reserve0 = late.reserve0
  early.reserve1 = late.reserve1
}

/** Merges two parts of one candle, the earlier first. */
export const mergeCandles = (early: Candle, late: Candle): Candle => {
  const merged = { ...early }
  addLater(merged, late)
  return merged
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

const appendAggregates = (candles: Candle[], minutes: readonly Candle[]): void => {
  for (const minute of minutes) candles.push(minute)
  addWider(candles, minutes, secondsPerHour)
  addWider(candles, minutes, secondsPerDay)
}

/** Minute candles of one pool in time order, followed by their hour and day candles. */
export const aggregateCandles = (minutes: readonly Candle[]): readonly Candle[] => {
  const candles: Candle[] = []
  appendAggregates(candles, minutes)
  return candles
}

/** Builds the candles of one range; each pool's last minute is open. */
export type CandleBuilder = {
  /** Opens the pool's first minute as soon as it has a price. */
  readonly open: (pool: TrackedPool, ts: UnixSeconds) => void
  /** Closes a minute that is over at `ts` with the pool's present state and opens the next. */
  readonly rollOver: (pool: TrackedPool, ts: UnixSeconds) => void
  /** Adds a swap to the pool's open minute. */
  readonly addSwap: (swap: StoredSwap) => void
  /** Sets the reserves of the pool's last minute. */
  readonly close: (pool: TrackedPool) => void
  /** All candles of all widths. */
  readonly candles: () => readonly Candle[]
}

/** Candles are not shared before the range is complete, so they are filled in place. */
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
      // Reserves are computed once per minute, because computing them per event is expensive.
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
