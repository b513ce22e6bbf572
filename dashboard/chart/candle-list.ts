import type { Candle, HistoryPage, Pool } from '../../src/client/types.ts'
import { priceAfter, type Swap, volumeWith } from './live-series.ts'

/*
 * The candles that a page has loaded: pages of the API, newest first, and the swaps of the stream
 * since.
 */

export const candleWidths = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '4h': 14_400,
  '1d': 86_400,
} as const
export type CandleWidth = keyof typeof candleWidths

/** Memes have no reference: their candles are in stock tokens. */
export type CandleUnit = 'usd' | 'stock'

/** Maximum candles of a list, in bytes about two million. */
export const candlesMax = 10_000

export type CandleList = {
  /** Oldest first. */
  readonly candles: readonly Candle[]
  /** Cursor of older ones; null at the end. */
  readonly next: string | null
  /** Why there are no older ones; meaningless while there is a cursor. */
  readonly end: 'first' | 'not-kept'
  readonly asOfBlock: number
}

type Page = HistoryPage<Candle>

export const listOf = ({ items, next, asOfBlock, complete }: Page): CandleList => ({
  candles: items.toReversed(),
  next,
  end: complete ? 'first' : 'not-kept',
  asOfBlock: asOfBlock ?? -1,
})

/** The list with a page of its candles since a time, which replaces those. */
export const withNewer = (list: CandleList, page: Page, sinceTs: number): CandleList => {
  // More than one page has been missed: the list begins again.
  if (page.next !== null) return listOf(page)
  const kept = list.candles.filter(({ ts }) => ts < sinceTs)
  const candles = [...kept, ...page.items.toReversed()].slice(-candlesMax)
  return { ...list, candles, asOfBlock: page.asOfBlock ?? list.asOfBlock }
}

/** The list with the page behind its cursor. */
export const withOlder = (list: CandleList, page: Page): CandleList => {
  const [oldest] = list.candles
  const older = page.items.filter(({ ts }) => oldest === undefined || ts < oldest.ts)
  const { next, end } = listOf(page)
  return { ...list, candles: [...older.toReversed(), ...list.candles], next, end }
}

const emptyCandle = (ts: number): Candle => ({
  ...{ ts, open: null, high: null, low: null, close: null },
  ...{ volumeUsd: 0, volumeStock: 0, swaps: 0, closed: false },
})

const priced = (candle: Candle, price: number | null): Candle =>
  price === null
    ? candle
    : {
        ...candle,
        open: candle.open ?? price,
        high: Math.max(candle.high ?? price, price),
        low: Math.min(candle.low ?? price, price),
        close: price,
      }

const withSwap = (candle: Candle, swap: Swap, price: number | null): Candle => ({
  ...priced(candle, price),
  volumeUsd: volumeWith(candle.volumeUsd, swap),
  volumeStock:
    candle.volumeStock === null || swap.stockAmount === null
      ? null
      : candle.volumeStock + swap.stockAmount,
  swaps: candle.swaps + 1,
})

type Market = { readonly pool: Pool; readonly width: CandleWidth; readonly unit: CandleUnit }

/** In the unit of the API: dollars, or other tokens for each stock token. */
const apiPriceAfter = (swap: Swap, { pool, unit }: Market): number | null => {
  const inOther = priceAfter(swap, pool)
  if (unit === 'stock') return inOther
  return inOther === null || pool.otherPriceUsd === null ? null : inOther * pool.otherPriceUsd
}

/** The list with the swaps of later blocks, in chain order, as the API will have them. */
export const withSwaps = (
  { candles, asOfBlock }: Pick<CandleList, 'candles' | 'asOfBlock'>,
  swaps: readonly Swap[],
  market: Market,
): readonly Candle[] => {
  const later = swaps.filter(({ block }) => block > asOfBlock)
  if (later.length === 0) return candles
  const seconds = candleWidths[market.width]
  const updated = [...candles]
  for (const swap of later) {
    const ts = swap.ts - (swap.ts % seconds)
    const last = updated.at(-1)
    if (last !== undefined && last.ts < ts) updated[updated.length - 1] = { ...last, closed: true }
    if (last === undefined || last.ts < ts) updated.push(emptyCandle(ts))
    const at = updated.length - 1
    const own = updated[at]
    if (own?.ts === ts) updated[at] = withSwap(own, swap, apiPriceAfter(swap, market))
  }
  return updated
}

const inverse = (price: number | null): number | null =>
  price === null || price === 0 ? null : 1 / price

/** The same in stock tokens for each other token, from other tokens for each stock token. */
export const inverted = (candles: readonly Candle[]): readonly Candle[] =>
  candles.map(({ open, high, low, close, ...rest }) => ({
    ...rest,
    open: inverse(open),
    high: inverse(low),
    low: inverse(high),
    close: inverse(close),
  }))
