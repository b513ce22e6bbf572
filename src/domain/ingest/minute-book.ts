import type { Candle, StoredSwap } from '../pool/stored-events.ts'
import type { UnixSeconds } from '../units.ts'
import { rawPriceOf, stillCandle, withSwap, withWiderCandles } from './candles.ts'
import type { PoolBook } from './pool-book.ts'
import { type TrackedPool, withReserves } from './tracked-pool.ts'

/** The minutes of one run, per pool in order; each pool's last one is still open. */
export type MinuteBook = {
  /** Makes sure that the minute of `ts` is open, at the price that the pool has now. */
  readonly open: (pool: TrackedPool, ts: UnixSeconds) => void
  /** The same, but only for pools that have an open minute, which may close now. */
  readonly turn: (pool: TrackedPool, ts: UnixSeconds) => void
  readonly addSwap: (swap: StoredSwap) => void
  /** Brings the pool's reserves up to date, in the book and in its open minute. */
  readonly close: (pool: TrackedPool) => void
  /** All minutes and the hours and days that they make up. */
  readonly candles: () => readonly Candle[]
}

export const createMinuteBook = (book: PoolBook): MinuteBook => {
  const byPool = new Map<number, Candle[]>()

  const replaceLast = (minutes: Candle[], candle: Candle): void => {
    minutes[minutes.length - 1] = candle
  }

  const close = (pool: TrackedPool): void => {
    // Reserves are worth computing once per minute, not once per event.
    const settled = withReserves(pool)
    book.put(settled)
    const minutes = byPool.get(pool.identity.number)
    const last = minutes?.at(-1)
    if (minutes === undefined || last === undefined) return
    const { reserve0, reserve1 } = stillCandle(settled, last.close, last.ts)
    replaceLast(minutes, { ...last, reserve0, reserve1 })
  }

  const open = (pool: TrackedPool, ts: UnixSeconds): void => {
    const { price } = pool.state
    if (price === null) return
    const { number } = pool.identity
    const minutes = byPool.get(number) ?? []
    byPool.set(number, minutes)
    const last = minutes.at(-1)
    if (last !== undefined && ts < last.ts + last.width) return
    if (last !== undefined) close(pool)
    minutes.push(stillCandle(pool, rawPriceOf(price.sqrtPriceX96), ts))
  }

  return {
    open,
    turn: (pool, ts) => {
      if (byPool.has(pool.identity.number)) open(pool, ts)
    },
    addSwap: (swap) => {
      const minutes = byPool.get(swap.pool)
      const last = minutes?.at(-1)
      if (minutes !== undefined && last !== undefined) replaceLast(minutes, withSwap(last, swap))
    },
    close,
    candles: () => [...byPool.values()].flatMap(withWiderCandles),
  }
}
