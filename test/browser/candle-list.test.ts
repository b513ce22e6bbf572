import { expect, test } from 'vitest'
import {
  inverted,
  listOf,
  withNewer,
  withOlder,
  withSwaps,
} from '../../dashboard/chart/candle-list.ts'
import type { Candle, HistoryPage } from '../../src/client/types.ts'
import { livelyPools, swapOf } from './lively-market.ts'

const [sample] = livelyPools as readonly [(typeof livelyPools)[number]]
const pool = { ...sample, stockIsToken0: true, stockPriceInOther: 200, otherPriceUsd: 2 }
const market = { pool, width: '1m', unit: 'usd' } as const

const candle = (ts: number, price: number | null = 100, closed = true): Candle => ({
  ...{ ts, open: price, high: price, low: price, close: price, closed },
  ...{ volumeUsd: 10, volumeStock: 1, swaps: 1 },
})

/** Newest first, as the API sends it. */
const page = (times: readonly number[], more: Partial<HistoryPage<Candle>> = {}) => ({
  items: times.map((ts) => candle(ts)),
  ...{ next: null, asOfBlock: 9, complete: true },
  ...more,
})

const timesOf = ({ candles }: { candles: readonly Candle[] }) => candles.map(({ ts }) => ts)

test('older pages come before, each candle once', () => {
  const list = listOf(page([240, 180], { next: 'a' }))
  const both = withOlder(list, page([180, 120, 60], { complete: false }))
  expect(timesOf(both)).toEqual([60, 120, 180, 240])
  expect([both.next, both.end]).toEqual([null, 'not-kept'])
  expect(withOlder(list, page([120])).end).toBe('first')
})

test('a newer page replaces the candles since its time, also those that are gone', () => {
  const list = listOf(page([240, 180, 120, 60], { next: 'a' }))
  const newer = withNewer(list, { ...page([300, 180]), asOfBlock: 12 }, 180)
  expect(timesOf(newer)).toEqual([60, 120, 180, 300])
  expect([newer.next, newer.asOfBlock]).toEqual(['a', 12])
})

test('a newer page that is not enough begins a new list', () => {
  const list = listOf(page([240, 180], { next: 'a' }))
  const newer = withNewer(list, page([9000, 8940], { next: 'b' }), 180)
  expect([timesOf(newer), newer.next]).toEqual([[8940, 9000], 'b'])
})

const q96 = BigInt(pool.sqrtPriceX96 ?? 0)
const swap = (block: number, ts: number, doubled = 1n) => ({
  ...swapOf(block, 3),
  ...{ block, ts, amountUsd: 7, sqrtPriceX96: String(q96 * doubled) },
})

test('swaps of later blocks change the open candle and open the next', () => {
  const list = { candles: [candle(60), candle(120, 500, false)], asOfBlock: 9 }
  const after = withSwaps(list, [swap(9, 125), swap(10, 130), swap(11, 190, 2n)], market)
  expect(after.at(-2)).toEqual({
    ...{ ts: 120, open: 500, high: 500, low: 400, close: 400, closed: true },
    ...{ volumeUsd: 17, volumeStock: 4, swaps: 2 },
  })
  expect(after.at(-1)).toEqual({
    ...{ ts: 180, open: 1600, high: 1600, low: 1600, close: 1600, closed: false },
    ...{ volumeUsd: 7, volumeStock: 3, swaps: 1 },
  })
  const inOther = withSwaps(list, [swap(10, 190)], { ...market, unit: 'stock' })
  expect(inOther.at(-1)?.close).toBe(200)
})

test('a first swap opens the first candle, and no later block changes nothing', () => {
  const empty = { candles: [], asOfBlock: -1 }
  expect(timesOf({ candles: withSwaps(empty, [swap(1, 61)], market) })).toEqual([60])
  const list = listOf(page([60]))
  expect(withSwaps(list, [swap(9, 61)], market)).toBe(list.candles)
})

test('a swap without a price makes the volume unknown, and no price', () => {
  const unknown = { ...swap(10, 130), amountUsd: null, stockAmount: null }
  const unpriced = { ...market, pool: { ...pool, otherPriceUsd: null } }
  const [after] = withSwaps({ candles: [candle(120, 500)], asOfBlock: 9 }, [unknown], unpriced)
  expect(after).toMatchObject({ close: 500, volumeUsd: null, volumeStock: null, swaps: 2 })
})

test('the inverse of a candle has its lowest price on top', () => {
  const other = { ...candle(60), open: 4, high: 5, low: 2, close: 2.5 }
  expect(inverted([other])[0]).toMatchObject({ open: 0.25, high: 0.5, low: 0.2, close: 0.4 })
  expect(inverted([candle(60, null)])[0]).toMatchObject({ open: null, high: null })
})
