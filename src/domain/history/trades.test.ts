import { describe, expect, test } from 'vitest'
import { known, unknown } from '../reading.ts'
import { buildStockCandles } from './stock-candles.ts'
import { stockVolumes, type Trade } from './trades.ts'

const tradeOf = (block: number, ts: number, rest: Partial<Trade> = {}): Trade => ({
  ...{ block, logIndex: 0, ts, raw: 10n ** 18n, usdMicro: 100_000_000 },
  implausible: false,
  ...rest,
})

const amounts = [
  { ts: 0, swaps: 2, raw: 4n * 10n ** 18n },
  { ts: 60, swaps: 1, raw: 10n ** 18n },
]
const buckets = [
  { ts: 0, swaps: 2 },
  { ts: 60, swaps: 1 },
]

describe('the stock of the swaps in a bucket', () => {
  test('counts in whole tokens', () => {
    expect([...stockVolumes(amounts, buckets, known(18))]).toEqual([
      [0, 4],
      [60, 1],
    ])
  })

  test('is not known while a swap is missing, nor without decimals', () => {
    const some = amounts.map((amount) => ({ ...amount, swaps: 1 }))
    expect([...stockVolumes(some, buckets, known(18))]).toEqual([[60, 1]])
    expect([...stockVolumes(amounts.slice(1), buckets, known(18))]).toEqual([[60, 1]])
    expect(stockVolumes(amounts, buckets, unknown('decimals-not-read')).size).toBe(0)
  })
})

describe('the candle of a stock', () => {
  const grid = { bucketSeconds: 60, openTs: 60, decimals: 18 }
  const of = (own: readonly Trade[], swaps: number) =>
    buildStockCandles([{ ts: 0, swaps, usdMicro: 7_000_000 }], own, grid)[0]

  test('takes swaps in chain order, from whatever pools they come', () => {
    const late = tradeOf(2, 20, { logIndex: 9, usdMicro: 90_000_000 })
    const early = tradeOf(2, 20, { logIndex: 3, usdMicro: 120_000_000 })
    const prices = { open: 120, high: 120, low: 90, close: 90 }
    expect(of([late, early], 2)).toMatchObject({ ...prices, volumeUsd: 7, volumeStock: 2 })
  })

  test('has no price of dust, of the implausible and of what has none', () => {
    const mute = [{ usdMicro: 999_999 }, { implausible: true }, { usdMicro: null }]
    const own = mute.map((rest, at) => tradeOf(at, at, rest))
    expect(of(own, 3)).toMatchObject({ open: null, close: null, volumeStock: 3, swaps: 3 })
    expect(of([...own, tradeOf(4, 4)], 4)).toMatchObject({ open: 100, high: 100, low: 100 })
  })

  test('has no price while a swap is missing', () => {
    const row = { open: null, high: null, low: null, close: null, volumeStock: null }
    expect(of([tradeOf(1, 1)], 2)).toMatchObject({ ...row, volumeUsd: 7, swaps: 2, closed: true })
  })
})
