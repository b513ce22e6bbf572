import type { Candle, StoredSwap } from '../pool/stored-events.ts'
import type { UnixSeconds } from '../units.ts'
import {
  addSwap,
  addWithWider,
  type OpenCandle,
  rawPriceOf,
  setReserves,
  stillCandle,
} from './candles.ts'
import { reservesOfPool, type TrackedPool } from './tracked-pool.ts'

/** The minutes of one run, per pool in order; each pool's last one is still open. */
export type MinuteBook = {
  /** Opens the pool's first minute, once it has a price. */
  readonly open: (pool: TrackedPool, ts: UnixSeconds) => void
  /** Closes a minute that is over at `ts` with the pool as it stands, and opens the next one. */
  readonly turn: (pool: TrackedPool, ts: UnixSeconds) => void
  /** Into the pool's open minute. */
  readonly addSwap: (swap: StoredSwap) => void
  /** The pool's last minute ends with the reserves that it has now. */
  readonly close: (pool: TrackedPool) => void
  /** All minutes and the hours and days that they make up. */
  readonly candles: () => readonly Candle[]
}

/** Nobody sees a candle before the run is over, so each is filled in place. */
export const createMinuteBook = (): MinuteBook => {
  const byPool = new Map<number, OpenCandle[]>()

  const begin = (minutes: OpenCandle[], pool: TrackedPool, ts: UnixSeconds): void => {
    const { price } = pool.state
    if (price !== null) minutes.push(stillCandle(pool, rawPriceOf(price.sqrtPriceX96), ts))
  }

  return {
    open: (pool, ts) => {
      const { number } = pool.identity
      if (byPool.has(number) || pool.state.price === null) return
      const minutes: OpenCandle[] = []
      byPool.set(number, minutes)
      begin(minutes, pool, ts)
    },
    turn: (pool, ts) => {
      const minutes = byPool.get(pool.identity.number)
      const last = minutes?.at(-1)
      if (minutes === undefined || last === undefined || ts < last.ts + last.width) return
      // Reserves are worth computing once per minute, not once per event.
      setReserves(last, reservesOfPool(pool))
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
      for (const minutes of byPool.values()) addWithWider(candles, minutes)
      return candles
    },
  }
}
