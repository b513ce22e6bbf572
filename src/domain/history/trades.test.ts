import { describe, expect, test } from 'vitest'
import { known, unknown } from '../reading.ts'
import { buildStockCandles } from './stock-candles.ts'
import { stockVolumes, type Trade } from './trades.ts'

const tradeOf = (block: number, ts: number, rest: Partial<Trade> = {}): Trade => ({
  ...{ block, logIndex: 0, ts, amount0: -(10n ** 18n), amount1: 5n, usdMicro: 100_000_000 },
  implausible: false,
  ...rest,
})

const trades = [tradeOf(1, 10), tradeOf(2, 20, { amount0: 3n * 10n ** 18n }), tradeOf(3, 70)]
const buckets = [
  { ts: 0, swaps: 2 },
  { ts: 60, swaps: 1 },
]

describe('the stock of the swaps in a bucket', () => {
  const side = { stockIsToken0: true, decimals: known(18) }

  test('counts whichever way it went', () => {
    const volumes = stockVolumes(trades, buckets, { side, bucketSeconds: 60 })
    expect([...volumes]).toEqual([
      [0, 4],
      [60, 1],
    ])
  })

  test('is not known while a swap is missing, nor without decimals', () => {
    const some = stockVolumes(trades.slice(1), buckets, { side, bucketSeconds: 60 })
    expect([...some]).toEqual([[60, 1]])
    const blind = { ...side, decimals: unknown('decimals-not-read') }
    expect(stockVolumes(trades, buckets, { side: blind, bucketSeconds: 60 }).size).toBe(0)
  })
})

describe('the candle of a stock', () => {
  const grid = { bucketSeconds: 60, openTs: 60, decimals: 18 }
  const of = (own: readonly Trade[], swaps: number) =>
    buildStockCandles(
      [{ ts: 0, swaps, usdMicro: 7_000_000 }],
      own.map((trade) => ({ ...trade, stockRaw: 10n ** 18n })),
      grid,
    )[0]

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
