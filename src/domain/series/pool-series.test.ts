import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  sampleContext,
  samplePoolInputs,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import { sqrtPriceMaxX96 } from '../math/tick-math.ts'
import type { Candle, ReferencePoint } from '../pool/stored-rows.ts'
import { known, unknown } from '../reading.ts'
import { toPoolView } from '../valuation/value-pool.ts'
import type { PoolView } from '../views/pool.ts'
import { rawPrice } from './candles.ts'
import { buildPoolSeries, type PoolSeriesInput } from './pool-series.ts'
import type { SeriesPlan } from './series-range.ts'

/** 100 dollars in the sample pool: USDG units (6 decimals) per NVDA unit (18 decimals). */
const raw = (dollars: number): number => dollars * 1e-12

const candle = (ts: number, dollars: number, rest: Partial<Candle> = {}): Candle => ({
  pool: 1,
  width: 60,
  ts,
  open: raw(dollars),
  high: raw(dollars),
  low: raw(dollars),
  close: raw(dollars),
  usdMicro: 5_000_000,
  swaps: 1,
  unpriced: 0,
  estimated: 0,
  implausible: 0,
  feeYield: 0,
  yielded: 0,
  reserve0: 10e18,
  reserve1: 2000e6,
  ...rest,
})

const point = (address: ReferencePoint['address'], ts: number, usd: number): ReferencePoint => ({
  address,
  width: 60,
  ts,
  usd,
  source: 'issuer',
})
const stored = <T>(rows: readonly T[], before: T | null = null) => ({ rows, before, gaps: [] })

/*
 *   600 ... 900 ... 1200 ... 1500
 *   |  #2   |       |  #1    |  (open)
 */
const plan: SeriesPlan = {
  bucketSeconds: 300,
  candleWidth: 60,
  fromTs: 600,
  lastTs: 1500,
  hourlyUntilTs: 0,
}
const record: PoolView = toPoolView(samplePoolInputs(), sampleContext())

const input: PoolSeriesInput = {
  plan,
  candles: stored([
    candle(660, 90, { high: raw(95), low: raw(85), swaps: 3 }),
    candle(720, 96),
    candle(1260, 98),
  ]),
  stockReferences: stored([point(tokens.nvda, 900, 97)], point(tokens.nvda, 300, 91)),
  otherReferences: stored([point(tokens.usdg, 1140, 1.01)], point(tokens.usdg, 0, 1)),
  classification: { kind: 'canonical', stockIsToken0: true },
  decimals0: known(18),
  decimals1: known(6),
  hasReserves: true,
  view: record,
}

const near = (value: number) => expect.closeTo(value, 9)

test('prices and dollars at the end of each bucket, by the references of then', () => {
  const [first, second, third] = buildPoolSeries(input)
  expect(first).toEqual({
    ts: 600,
    open: near(90),
    high: near(96),
    low: near(85),
    close: near(96),
    stockPriceInOther: near(96),
    stockPriceUsd: near(96),
    otherPriceUsd: 1,
    // 10 NVDA at 91 and 2000 USDG at 1.
    liquidityUsd: near(910 + 2000),
    volumeUsd: 10,
    swaps: 4,
    closed: true,
  })
  // Nothing happened: the price stands, its dollars follow the references.
  expect(second).toMatchObject({ open: near(96), close: near(96), volumeUsd: 0, swaps: 0 })
  expect(second).toMatchObject({ stockPriceUsd: near(96 * 1.01), liquidityUsd: near(970 + 2020) })
  expect(third).toMatchObject({ ts: 1200, close: near(98), otherPriceUsd: 1.01, closed: true })
})

test('the open bucket ends with the record of the same reply', () => {
  const last = buildPoolSeries(input).at(-1)
  const { stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd } = record
  const values = { stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd }
  expect(last).toMatchObject({ ts: 1500, closed: false, close: stockPriceInOther, ...values })
  // It opened where the bucket before had closed, and went up.
  expect(last).toMatchObject({ open: near(98), low: near(98), high: stockPriceInOther })
})

test('the highest of the stock is the lowest of the raw price when it is token1', () => {
  const inverse = (dollars: number): number => 1e12 / dollars
  const mirrored = candle(660, 0, {
    open: inverse(90),
    high: inverse(85),
    low: inverse(95),
    close: inverse(92),
    reserve0: 2000e6,
    reserve1: 10e18,
  })
  const [first] = buildPoolSeries({
    ...input,
    candles: stored([mirrored]),
    classification: { kind: 'canonical', stockIsToken0: false },
    decimals0: known(6),
    decimals1: known(18),
  })
  expect(first).toMatchObject({ open: near(90), high: near(95), low: near(85), close: near(92) })
  expect(first).toMatchObject({ liquidityUsd: near(910 + 2000) })
})

test('a meme is priced by its stock', () => {
  const memes = candle(660, 0, { open: 50, high: 50, low: 50, close: 50, reserve1: 600e18 })
  const [first] = buildPoolSeries({
    ...input,
    candles: stored([memes]),
    otherReferences: null,
    classification: { kind: 'meme', stockIsToken0: true },
    decimals1: known(18),
  })
  // 910 dollars of stock, and 600 memes at 91 / 50.
  expect(first).toMatchObject({ stockPriceUsd: 91, otherPriceUsd: near(1.82) })
  expect(first).toMatchObject({ close: 50, liquidityUsd: near(910 + 910) })
})

describe('what is not known is null', () => {
  const table: readonly [string, Partial<PoolSeriesInput>, object][] = [
    [
      'a swap without a price',
      { candles: stored([candle(660, 90, { unpriced: 1 })]) },
      { volumeUsd: null, swaps: 1, close: near(90) },
    ],
    [
      'a gap in the index',
      { candles: { ...input.candles, gaps: [{ fromTs: 700, toTs: 701 }] } },
      { close: null, stockPriceUsd: null, otherPriceUsd: null, liquidityUsd: null, swaps: null },
    ],
    [
      'decimals',
      { decimals0: unknown('x') },
      { open: null, close: null, stockPriceUsd: null, liquidityUsd: null, swaps: 4 },
    ],
    [
      'reserves',
      { candles: stored([candle(660, 90, { reserve0: null })]) },
      { close: near(90), liquidityUsd: null },
    ],
    ['reserves that a hook keeps', { hasReserves: false }, { liquidityUsd: null }],
    [
      'the reference of the other side',
      { otherReferences: stored<ReferencePoint>([]) },
      { close: near(96), stockPriceUsd: null, otherPriceUsd: null, liquidityUsd: null },
    ],
    [
      'the reference of the stock',
      { stockReferences: stored<ReferencePoint>([]) },
      { stockPriceUsd: near(96), liquidityUsd: null },
    ],
    [
      'no price yet',
      { candles: stored([candle(1260, 98)]) },
      { open: null, close: null, stockPriceUsd: null, volumeUsd: 0, swaps: 0 },
    ],
    [
      'a price at the end of the range',
      { candles: stored([candle(660, 90, { high: rawPrice(sqrtPriceMaxX96 - 1n) })]) },
      { open: near(90), high: null, close: near(90) },
    ],
  ]
  test.each(table)('%s', (_, rest, row) => {
    expect(buildPoolSeries({ ...input, ...rest })[0]).toMatchObject(row)
  })

  test('a record without a price ends the open bucket without one', () => {
    const none = { ...record, stockPriceInOther: null, stockPriceUsd: null, liquidityUsd: null }
    const last = buildPoolSeries({ ...input, view: none }).at(-1)
    expect(last).toMatchObject({ close: null, stockPriceUsd: null, liquidityUsd: null })
  })
})

test('low ≤ open, close ≤ high in every row, whatever happened', () => {
  const dollars = fc.double({ min: 1, max: 1e4, noNaN: true })
  const minute = fc.record({ at: fc.nat(14), prices: fc.tuple(dollars, dollars, dollars, dollars) })
  fc.assert(
    fc.property(
      fc.uniqueArray(minute, { selector: ({ at }) => at }),
      fc.boolean(),
      (rows, flip) => {
        const candles = rows
          .map(({ at, prices }) => {
            const [open, close] = [prices[0], prices[1]].map(raw) as [number, number]
            const [low, high] = [Math.min(...prices), Math.max(...prices)].map(raw)
            return candle(600 + at * 60, 1, { open, close, low: low ?? 0, high: high ?? 0 })
          })
          .sort((a, b) => a.ts - b.ts)
        const sides = { kind: 'canonical', stockIsToken0: !flip } as const
        for (const row of buildPoolSeries({
          ...input,
          candles: stored(candles),
          classification: sides,
        })) {
          const { open, high, low, close } = row
          if (open === null || close === null || high === null || low === null) continue
          expect(low).toBeLessThanOrEqual(Math.min(open, close))
          expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
        }
      },
    ),
  )
})
