import { describe, expect, test } from 'vitest'
import type { StockView } from '../../src/domain/views/stock.ts'
import type { StockDepthView, StockQuoteView } from '../../src/domain/views/stock-order.ts'
import type { PoolQuoteView } from '../../src/domain/views/swap-quote.ts'
import { createApi } from './api.ts'
import { stockDepthShape, stockQuoteShape } from './quote-shapes.ts'
import { misfits } from './shape.ts'
import { baseUrl } from './shared.ts'

const api = createApi(baseUrl)
const stocks = await api.readAll<StockView>('/api/v1/stocks')

const quoteOf = ({ symbol }: StockView, query: string): Promise<StockQuoteView> =>
  api.read<StockQuoteView>(`/api/v1/stocks/${symbol}/quote?${query}`)

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

describe.each(['side=buy&usd=5000', 'side=sell&stockAmount=25', 'side=buy&stockAmount=25'])(
  'an order of %s',
  (query) => {
    test('has its documented form for every stock, and its legs add up', async () => {
      let splits = 0
      for (const stock of stocks) {
        const answer = await quoteOf(stock, query)
        expect(misfits(stockQuoteShape, answer, stock.symbol)).toEqual([])
        const { quote, reasons } = answer
        expect(reasons.length === 0, stock.symbol).toBe(quote !== null)
        if (quote === null || quote.legs.length === 0) continue
        const { legs, side, exact, savedBps } = quote
        expect(sumOf(legs.map(({ share }) => share))).toBeCloseTo(1, 9)
        const stockOf = (leg: (typeof legs)[number]) =>
          BigInt(side === 'buy' ? leg.amountOutRaw : leg.amountInRaw)
        const raw = legs.reduce((sum, leg) => sum + stockOf(leg), 0n)
        expect(quote.stockAmountRaw).toBe(raw.toString())
        expect(legs.every((leg) => leg.side === side && leg.exact === exact)).toBe(true)
        expect(savedBps ?? 0).toBeGreaterThanOrEqual(0)
        if (legs.length > 1) splits += 1
      }
      expect(splits).toBeGreaterThan(1)
    })
  },
)

test('a leg is the swap quote of its pool, and no pool pays more for the whole', async () => {
  let compared = 0
  for (const stock of stocks) {
    const { quote, asOfBlock } = await quoteOf(stock, 'side=sell&stockAmount=10')
    for (const { share: _share, ...leg } of quote?.legs ?? []) {
      const path = `/api/v1/pools/${leg.poolId}/quote?side=sell`
      const own = await api.read<PoolQuoteView>(`${path}&stockAmountRaw=${leg.amountInRaw}`)
      const whole = await api.read<PoolQuoteView>(`${path}&stockAmount=10`)
      if (own.asOfBlock !== asOfBlock || whole.asOfBlock !== asOfBlock) continue
      expect(own.quote).toEqual(leg)
      if (whole.quote?.filled && whole.quote.executionPriceUsd !== null) {
        const best = whole.quote.executionPriceUsd * (1 - 1e-9)
        expect(quote?.executionPriceUsd).toBeGreaterThanOrEqual(best)
      }
      compared += 1
    }
  }
  expect(compared).toBeGreaterThan(5)
})

test('the depth of every stock has its documented form and grows with the distance', async () => {
  for (const stock of stocks) {
    const answer = await api.read<StockDepthView>(`/api/v1/stocks/${stock.symbol}/depth`)
    expect(misfits(stockDepthShape, answer, stock.symbol)).toEqual([])
    if (answer.depth === null) continue
    const { bands, usdToMove1Pct } = answer.depth
    expect(bands.map(({ bps }) => bps)).toEqual([100, 200, 500])
    for (const side of ['buy', 'sell'] as const) {
      const dollars = bands.map((band) => band[side].usd)
      expect(dollars, stock.symbol).toEqual([...dollars].sort((a, b) => a - b))
    }
    expect(usdToMove1Pct).toBe(Math.min(bands[0]?.buy.usd ?? 0, bands[0]?.sell.usd ?? 0))
  }
})
