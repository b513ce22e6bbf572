import { type CandleWidthName, candleGrid } from '../../src/domain/history/candle-range.ts'
import { success } from '../../src/domain/outcome.ts'
import type { CandleView } from '../../src/domain/views/history.ts'
import type { PoolCandleQuery } from '../../src/market/history.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { livelyPools, nowTs } from './lively-market.ts'

/*
 * Candles of the lively market: each price follows from its time, so that every width and page has
 * its own numbers and the test can say them.
 */

export const candleCount = 700

const priceAt = (ts: number): number => 225 + Math.sin(ts / 7000) * 6 + Math.sin(ts / 900) * 2

export const candleAt = (ts: number, width: CandleWidthName): CandleView => {
  const { bucketSeconds } = candleGrid(width)
  const open = priceAt(ts)
  const close = priceAt(ts + bucketSeconds)
  return {
    ...{ ts, open, close },
    high: Math.max(open, close) + 0.8,
    low: Math.min(open, close) - 0.6,
    volumeUsd: 1000 + (ts % 977) * 9,
    volumeStock: 5,
    swaps: 1 + (ts % 7),
    closed: ts + bucketSeconds <= nowTs,
  }
}

/** The start of the candle that is so many before the newest. */
export const candleTs = (width: CandleWidthName, before: number): number => {
  const { bucketSeconds } = candleGrid(width)
  return nowTs - (nowTs % bucketSeconds) - before * bucketSeconds
}

type CandleParts = {
  readonly count?: number
  /** False if candles before the first are not kept. */
  readonly complete?: boolean
  /** Changes what the market answers. */
  readonly change?: (candle: CandleView) => CandleView
}

/** Gives the market so many candles of each width. */
export const addCandles = (market: SampleMarket, parts: CandleParts = {}): void => {
  const { count = candleCount, complete = true, change = (candle) => candle } = parts
  const read = ({ width, cursor, fromTs, limit, order }: PoolCandleQuery) => {
    const all = Array.from({ length: count }, (_, before) => candleTs(width, before))
    const found = (order === 'desc' ? all : all.toReversed())
      .filter((ts) => cursor === null || (order === 'desc' ? ts < cursor.ts : ts > cursor.ts))
      .filter((ts) => ts >= (fromTs ?? 0))
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const next = found.length > page.length && last !== undefined ? { ts: last } : null
    const items = page.map((ts) => change(candleAt(ts, width)))
    return success({ items, next, asOfBlock: livelyPools[0]?.asOfBlock ?? 0, complete })
  }
  Object.assign(market, {
    poolCandles: async (id, query) => {
      market.queries.push({ id, query })
      return read(query)
    },
  } satisfies Partial<SampleMarket>)
}
