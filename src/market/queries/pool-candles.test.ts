import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  anyHistory,
  commitSwaps,
  createdTs,
  days,
  expectCandles,
  now,
  openHistory,
  secondsOf as seconds,
} from '../../../test/support/market/candle-history.ts'
import {
  anchorAt,
  candleOf,
  followedMarket,
  samplePools,
  sampleStore,
  swapOf,
} from '../../../test/support/market/sample-market.ts'
import { type CandleWidthName, candleWidthNames } from '../../domain/history/candle-range.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { CandleView } from '../../domain/views/history.ts'
import type { CandlePage, PoolCandleQuery } from '../history.ts'
import type { Market } from '../market.ts'

/* Pages of candles on a real store against the swaps that they are made of. */

const day = 86_400
const hour = 3600
const { id } = samplePools.canonical

const anyQuery: PoolCandleQuery = {
  ...{ limit: 1000, cursor: null, fromTs: null, toTs: null, order: 'desc' },
  ...{ width: '1h', price: 'other', fill: 'none', hasStockVolume: true },
}

const pageOf = async (market: Market, query: Partial<PoolCandleQuery>): Promise<CandlePage> => {
  const result = await market.poolCandles(id, { ...anyQuery, ...query })
  if (result === null || !result.ok) throw new Error(JSON.stringify(result))
  return result.value
}

/** All pages, with something that happens between two. */
const allPages = async (
  market: Market,
  query: Partial<PoolCandleQuery>,
  between: () => Promise<void> = async () => {},
): Promise<readonly CandleView[]> => {
  const items: CandleView[] = []
  let page = await pageOf(market, query)
  items.push(...page.items)
  while (page.next !== null) {
    expect(page.items.length).toBeGreaterThan(0)
    await between()
    page = await pageOf(market, { ...query, cursor: page.next })
    items.push(...page.items)
  }
  return items
}

/** Other tokens of 6 decimals for one stock token of 18 decimals. */
const priceOf = ({ sqrtPriceX96 }: StoredSwap) => (Number(sqrtPriceX96) / 2 ** 96) ** 2 * 1e12

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0)

/** The candles with swaps, oldest first, from nothing but the swaps. */
const foldOf = (swaps: readonly StoredSwap[], width: CandleWidthName, asOfTs = now) => {
  const step = seconds[width]
  const groups = Map.groupBy(swaps, ({ ts }) => ts - (ts % step))
  return [...groups].map(([ts, own]) => {
    const prices = own.map(priceOf)
    const isPriced = own.every(({ usdMicro }) => usdMicro !== null)
    return {
      ts,
      open: prices[0],
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1),
      volumeUsd: isPriced ? sum(own.map(({ usdMicro }) => (usdMicro ?? 0) / 1e6)) : null,
      volumeStock: sum(own.map(({ amount0 }) => Math.abs(Number(amount0)) / 1e18)),
      swaps: own.length,
      closed: ts + step <= asOfTs,
    }
  })
}

test('candles equal the fold of the swaps in every width', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (swaps) => {
      const { market } = await openHistory(swaps)
      for (const width of candleWidthNames) {
        const { items, next, complete, asOfBlock } = await pageOf(market, { width, order: 'asc' })
        expectCandles(items, foldOf(swaps, width))
        expect([next, complete, asOfBlock]).toEqual([null, true, (swaps.at(-1)?.block ?? 0) + 1])
        const newest = await pageOf(market, { width })
        expect(newest.items).toEqual(items.toReversed())
      }
    }),
    { numRuns: 12 },
  )
}, 60_000)

test('dollars are the price times the reference of the other side at the end', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, fc.constantFrom(...candleWidthNames), async (swaps, width) => {
      const { market } = await openHistory(swaps)
      const inOther = await pageOf(market, { width })
      const { items } = await pageOf(market, { width, price: 'usd' })
      for (const [at, row] of items.entries()) {
        const end = row.ts + seconds[width]
        const usd = 1 + swaps.findLastIndex(({ ts }) => ts < end) / 100
        const other = inOther.items[at]
        expect(row.close).toBeCloseTo((other?.close ?? Number.NaN) * usd, 9)
        expect(row.high).toBeCloseTo((other?.high ?? Number.NaN) * usd, 9)
      }
    }),
    { numRuns: 8 },
  )
}, 60_000)

test('pages in both directions are one large page, while blocks arrive', async () => {
  const shape = fc.record({
    width: fc.constantFrom(...candleWidthNames),
    fill: fc.constantFrom('none' as const, 'previous' as const),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    price: fc.constantFrom('usd' as const, 'other' as const),
    limit: fc.integer({ min: 3, max: 90 }),
    span: fc.tuple(fc.integer({ min: 0, max: 2 * day }), fc.integer({ min: 0, max: 90 * 300 })),
  })
  await fc.assert(
    fc.asyncProperty(anyHistory, shape, async (swaps, { limit, span, ...query }) => {
      const { store, market } = await openHistory(swaps)
      const toTs = now - span[0]
      const asked = { ...query, fromTs: toTs - span[1], toTs }
      const whole = await pageOf(market, asked)
      expect(whole.next).toBeNull()
      let block = (swaps.at(-1)?.block ?? 0) + 1
      const arrive = async () => {
        const next = swapOf(block + 1, { ts: now + block, sqrtPriceX96: 9n << 80n })
        await commitSwaps(store, block, [next], now + block)
        block += 2
        await market.refresh()
      }
      const paged = await allPages(market, { ...asked, limit }, arrive)
      // The candle that was open may have closed between two pages.
      const settled = (rows: readonly CandleView[]) =>
        rows.map((row) => (whole.items.find(({ ts }) => ts === row.ts)?.closed ? row : row.ts))
      expect(settled(paged)).toEqual(settled(whole.items))
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('without gaps every bucket has the price before', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (swaps) => {
      const { market } = await openHistory(swaps)
      const { items } = await pageOf(market, { width: '1h', fill: 'previous', order: 'asc' })
      const first = createdTs - (createdTs % hour)
      const count = (now - (now % hour) - first) / hour + 1
      expect(items.map(({ ts }) => ts)).toEqual(
        Array.from({ length: count }, (_, at) => first + at * hour),
      )
      const traded = items.filter(({ swaps: own }) => own > 0)
      expectCandles(traded, foldOf(swaps, '1h'))
      for (const { ts, open: opened, close, swaps: own, ...row } of items) {
        if (own > 0) continue
        const before = swaps.findLast((swap) => swap.ts < ts)
        const price = before === undefined ? null : priceOf(before)
        if (price === null) expect([opened, close]).toEqual([null, null])
        else expect(close).toBeCloseTo(price, 9)
        expect([opened, row.volumeUsd, row.volumeStock]).toEqual([close, 0, 0])
      }
    }),
    { numRuns: 8 },
  )
}, 60_000)

test('minutes that were deleted are not shown in part, and hours stay', async () => {
  const anyCut = fc.integer({ min: now - days * day, max: now })
  await fc.assert(
    fc.asyncProperty(anyHistory, anyCut, async (swaps, cut) => {
      const { store, market } = await openHistory(swaps)
      await store.prune({ swapsBeforeTs: cut, minuteRowsBeforeTs: cut })
      await market.refresh()
      const hours = await pageOf(market, { order: 'asc' })
      expect(hours.complete).toBe(true)
      const counted = foldOf(swaps, '1h').map((row) => {
        const isKept = swaps.every(({ ts }) => ts - (ts % hour) !== row.ts || ts >= cut)
        return { ...row, volumeStock: isKept ? row.volumeStock : (null as never) }
      })
      expectCandles(hours.items, counted)
      // Of the last hour that lost a minute nothing is shown, nor of what is older.
      const lost = swaps.findLast(({ ts }) => ts - (ts % 60) < cut)
      const since = lost === undefined ? 0 : lost.ts - (lost.ts % hour) + hour
      for (const width of ['1m', '5m', '15m'] as const) {
        const kept = foldOf(swaps, width).filter(({ ts }) => ts >= since)
        for (const order of ['asc', 'desc'] as const) {
          const result = await market.poolCandles(id, { ...anyQuery, width, order })
          if (since > now) {
            expect(result).toEqual({
              ok: false,
              fault: { kind: 'history-pruned', keptSince: since },
            })
            continue
          }
          const paged = await allPages(market, { width, order, limit: 5 })
          expectCandles(order === 'asc' ? paged : paged.toReversed(), kept)
          expect((await pageOf(market, { width, order })).complete).toBe(lost === undefined)
        }
        if (lost === undefined) continue
        const before = { ...anyQuery, width, toTs: since - 1 }
        const fault = { kind: 'history-pruned', keptSince: since }
        expect(await market.poolCandles(id, before)).toEqual({ ok: false, fault })
        const cursor = { ts: since - 2 * hour }
        const behind = await market.poolCandles(id, { ...anyQuery, width, cursor, order: 'asc' })
        expect(behind).toEqual({ ok: false, fault })
      }
    }),
    { numRuns: 12 },
  )
}, 60_000)

test('what the backfill has not read is left out, and the page says so', async () => {
  const hour = 3600
  // The sample's cursor is two seconds old.
  const start = now - 2 - ((now - 2) % hour)
  const store = sampleStore()
  const completeAfter = anchorAt(900, start - 5 * hour + 60)
  const backfillCursor = { completeAfter, firstBlock: 1, startedAt: 1000, lastPoolNumber: 99 }
  const candles = Array.from({ length: 10 }, (_, at) =>
    candleOf(start - at * hour, { width: 3600, open: 1e-10 }),
  )
  store.write({ header: { backfillCursor }, candles })
  const { market } = await followedMarket(store)
  for (const fill of ['none', 'previous'] as const) {
    const page = await pageOf(market, { fill })
    expect(page.items.map(({ ts }) => ts)).toEqual([0, 1, 2, 3, 4].map((at) => start - at * hour))
    expect(page).toMatchObject({ next: null, complete: false })
    const later = await pageOf(market, { fill, fromTs: start - 4 * hour })
    expect(later).toMatchObject({ items: page.items, complete: true })
    const before = await pageOf(market, { fill, toTs: start - 6 * hour })
    expect(before).toMatchObject({ items: [], next: null, complete: false })
  }
  store.write({ header: { cursor: null } })
  await market.refresh()
  const none = { items: [], next: null, asOfBlock: null, complete: false }
  expect(await pageOf(market, {})).toEqual(none)
})
