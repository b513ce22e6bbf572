import { expect } from 'vitest'
import type { PastSwapView } from '../../src/domain/views/history.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { PoolQuoteView } from '../../src/domain/views/swap-quote.ts'
import type { Api } from '../service/api.ts'

/* What CoinGecko reads, against what the API says of the same pools. */

type Pair = {
  readonly ticker_id: string
  readonly base: string
  readonly target: string
  readonly pool_id: string
}

type Ticker = {
  readonly ticker_id: string
  readonly pool_id: string
  readonly last_price: string
  readonly bid?: string
  readonly ask?: string
}

type Trade = {
  readonly trade_id: number
  readonly price: string
  readonly base_volume: string
  readonly target_volume: string
  readonly trade_timestamp: number
  readonly type: 'buy' | 'sell'
}

const prefix = '/integrations/coingecko'
const error = (one: number, other: number): number => Math.abs(one / other - 1)

/** Every pair is an active pool with a ticker, once, whatever the pages. */
export const checkPairs = async (api: Api): Promise<readonly Pair[]> => {
  const pairs = await api.read<readonly Pair[]>(`${prefix}/pairs`)
  const paged: Pair[] = []
  for (let skip = 0; skip < pairs.length + 7; skip += 7) {
    paged.push(...(await api.read<readonly Pair[]>(`${prefix}/pairs?limit=7&skip=${skip}`)))
  }
  const idOf = ({ ticker_id: id }: { readonly ticker_id: string }) => id
  expect(new Set(paged.map(idOf))).toEqual(new Set(pairs.map(idOf)))
  expect(new Set(pairs.map(idOf)).size).toBe(pairs.length)
  const tickers = await api.read<readonly Ticker[]>(`${prefix}/tickers`)
  expect(new Set(tickers.map(idOf))).toEqual(new Set(pairs.map(idOf)))
  return pairs
}

/** Bid and ask are those of a swap so small that it moves no price. */
export const checkTickers = async (api: Api): Promise<number> => {
  const tickers = await api.read<readonly Ticker[]>(`${prefix}/tickers`)
  let compared = 0
  for (const { pool_id: id, bid, ask, last_price: last } of tickers) {
    const { pool } = await api.read<{ pool: PoolView }>(`/api/v1/pools/${id}`)
    expect(Number(last)).toBe(pool.stockPriceInOther)
    if (bid === undefined || ask === undefined) continue
    for (const [side, price] of [
      ['sell', Number(bid)],
      ['buy', Number(ask)],
    ] as const) {
      const { status, text } = await api.ask(`/api/v1/pools/${id}/quote?side=${side}&usd=1`)
      const { quote } = status === 200 ? (JSON.parse(text) as PoolQuoteView) : { quote: null }
      if (quote === null || !quote.filled || (quote.priceImpactBps ?? 1) > 0.1) continue
      // A dollar is few units of some tokens.
      expect(error(price, quote.executionPriceInOther ?? 0)).toBeLessThan(2e-4)
      compared += 1
    }
  }
  return compared
}

type Book = { readonly bids: [string, string][]; readonly asks: [string, string][] }

/** Taking all orders of a side costs what a quote of so much stock says. */
export const checkOrderBooks = async (api: Api, pairs: readonly Pair[]): Promise<number> => {
  let compared = 0
  for (const { ticker_id: ticker, pool_id: id } of pairs) {
    const book = await api.read<Book>(`${prefix}/orderbook?ticker_id=${ticker}&depth=40`)
    for (const [side, orders] of [
      ['sell', book.bids],
      ['buy', book.asks],
    ] as const) {
      if (orders.length === 0) continue
      const stock = orders.reduce((sum, [, amount]) => sum + Number(amount), 0)
      const other = orders.reduce((sum, [price, amount]) => sum + Number(price) * Number(amount), 0)
      const path = `/api/v1/pools/${id}/quote?side=${side}&stockAmount=${stock.toFixed(8)}`
      const { status, text } = await api.ask(path)
      const { quote } = status === 200 ? (JSON.parse(text) as PoolQuoteView) : { quote: null }
      if (quote === null || !quote.filled || stock < 0.1) continue
      // Of few units rounding is a share.
      const raw = Number(side === 'sell' ? quote.amountOutRaw : quote.amountInRaw)
      if (raw < 1e6) continue
      expect(error(other, (side === 'sell' ? quote.amountOut : quote.amountIn) ?? 0)).toBeLessThan(
        1e-5,
      )
      compared += 1
    }
  }
  return compared
}

/** Trades are the settled swaps of the pool. */
export const checkTrades = async (api: Api, pairs: readonly Pair[]): Promise<number> => {
  let compared = 0
  for (const { ticker_id: ticker, pool_id: id } of pairs.slice(0, 12)) {
    const path = `${prefix}/historical_trades?ticker_id=${ticker}&limit=50`
    const { buy, sell } = await api.read<{ buy: Trade[]; sell: Trade[] }>(path)
    const swaps = await api.read<{ items: PastSwapView[] }>(`/api/v1/pools/${id}/swaps?limit=50`)
    const settled = swaps.items.filter((swap) => swap.settled && (swap.priceInOther ?? 0) > 0)
    const lineOf = (trade: Trade) =>
      [trade.trade_id, trade.type, Number(trade.base_volume), trade.trade_timestamp].join()
    const expected = settled.map(({ block, logIndex, side, stockAmount, ts }) =>
      [block * 100_000 + logIndex, side, stockAmount, ts * 1000].join(),
    )
    expect(new Set([...buy, ...sell].map(lineOf))).toEqual(new Set(expected))
    compared += expected.length
  }
  return compared
}
