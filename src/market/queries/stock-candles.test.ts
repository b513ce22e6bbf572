import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anyHistory,
  expectCandles,
  now,
  openHistory,
  poolNumbers,
  secondsOf,
} from '../../../test/support/market/candle-history.ts'
import { type CandleWidthName, candleWidthNames } from '../../domain/history/candle-range.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { CandleView } from '../../domain/views/history.ts'
import type { StockCandleQuery } from '../history.ts'
import type { Market } from '../market.ts'

/* The candles of a stock on a real store against the swaps of its pools in chain order. */

const hour = 3600
const [first, second] = poolNumbers
const key = { symbol: 'NVDA' }

const anyQuery: StockCandleQuery = {
  ...{ limit: 1000, cursor: null, fromTs: null, toTs: null, order: 'asc', width: '1h' },
}

/** Every third swap in the second pool; some too small or too large to set a price. */
const inTwoPools = (swaps: readonly StoredSwap[]) =>
  swaps.map((swap, at) => ({
    ...swap,
    pool: at % 3 === 0 ? second : first,
    usdMicro: at % 5 === 4 ? 999_999 : swap.usdMicro,
    implausible: at % 7 === 6,
  }))

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0)
const stockOf = ({ amount0 }: StoredSwap) => Math.abs(Number(amount0)) / 1e18

const foldOf = (swaps: readonly StoredSwap[], width: CandleWidthName) => {
  const step = secondsOf[width]
  return [...Map.groupBy(swaps, ({ ts }) => ts - (ts % step))].map(([ts, own]) => {
    const prices = own
      .filter(({ usdMicro, implausible }) => (usdMicro ?? 0) >= 1_000_000 && !implausible)
      .map((swap) => (swap.usdMicro ?? 0) / 1e6 / stockOf(swap))
    const isPriced = own.every(({ usdMicro }) => usdMicro !== null)
    return {
      ts,
      open: prices[0] ?? null,
      high: prices.length === 0 ? null : Math.max(...prices),
      low: prices.length === 0 ? null : Math.min(...prices),
      close: prices.at(-1) ?? null,
      volumeUsd: isPriced ? sum(own.map(({ usdMicro }) => (usdMicro ?? 0) / 1e6)) : null,
      volumeStock: sum(own.map(stockOf)),
      swaps: own.length,
      closed: ts + step <= now,
    }
  })
}

const pageOf = async (market: Market, query: Partial<StockCandleQuery>) => {
  const result = await market.stockCandles(key, { ...anyQuery, ...query })
  if (result === null || !result.ok) throw new Error(JSON.stringify(result))
  return result.value
}

test('they equal the fold of the swaps, and pages are one large page', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyHistory,
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom('asc' as const, 'desc' as const),
      async (drawn, limit, order) => {
        const swaps = inTwoPools(drawn)
        const { market } = await openHistory(swaps)
        for (const width of candleWidthNames) {
          const { items, next, complete } = await pageOf(market, { width })
          expectCandles(items, foldOf(swaps, width))
          expect([next, complete]).toEqual([null, true])
          const paged: CandleView[] = []
          let page = await pageOf(market, { width, limit, order })
          paged.push(...page.items)
          while (page.next !== null) {
            page = await pageOf(market, { width, limit, order, cursor: page.next })
            paged.push(...page.items)
          }
          expect(order === 'asc' ? paged : paged.toReversed()).toEqual(items)
        }
      },
    ),
    { numRuns: 10 },
  )
}, 60_000)

test('they begin where all swaps are kept', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.integer({ min: 0, max: 86_400 }), async (drawn, ago) => {
      const swaps = inTwoPools(drawn)
      const { store, market } = await openHistory(swaps)
      const cut = now - ago
      await store.prune({ swapsBeforeTs: cut, minuteRowsBeforeTs: cut })
      await market.refresh()
      const lost = swaps.findLast(({ ts }) => ts - (ts % 60) < cut)
      const hours = lost === undefined ? 0 : lost.ts - (lost.ts % hour) + hour
      for (const width of ['1h', '4h'] as const) {
        const step = secondsOf[width]
        const since = Math.ceil(hours / step) * step
        const result = await market.stockCandles(key, { ...anyQuery, width })
        if (since > now) {
          expect(result).toEqual({ ok: false, fault: { kind: 'history-pruned', keptSince: since } })
          continue
        }
        const page = await pageOf(market, { width })
        expectCandles(
          page.items,
          foldOf(swaps, width).filter(({ ts }) => ts >= since),
        )
        expect(page.complete).toBe(lost === undefined)
      }
    }),
    { numRuns: 10 },
  )
}, 60_000)

test('an unknown stock has none', async () => {
  const { market } = await openHistory([])
  expect(await market.stockCandles({ symbol: 'NONE' }, anyQuery)).toBeNull()
})
