import { describe, expect, test } from 'vitest'
import { noon, saturday, tokens } from '../../../test/support/domain/sample-inputs.ts'
import type { ReferencePoint } from '../pool/stored-rows.ts'
import { policyDefault as policy } from '../status/freshness.ts'
import type { SeriesPlan } from './series-range.ts'
import { buildStockSeries, type StockSeriesInput } from './stock-series.ts'

const point = (ts: number, usd: number, source: ReferencePoint['source']): ReferencePoint => ({
  address: tokens.nvda,
  width: 60,
  ts,
  usd,
  source,
})
const stored = (rows: readonly ReferencePoint[], before: ReferencePoint | null = null) => ({
  rows,
  before,
  gaps: [],
})

const planFrom = (fromTs: number, buckets = 2): SeriesPlan => ({
  bucketSeconds: 300,
  candleWidth: 60,
  fromTs,
  lastTs: fromTs + 300 * (buckets - 1),
  hourlyUntilTs: 0,
})
const present = { referenceUsd: 202, poolPriceUsd: 203, premiumBps: 12 }

const input: StockSeriesInput = {
  plan: planFrom(noon),
  references: stored([point(noon + 240, 200, 'issuer')]),
  poolPricesUsd: [202, 999],
  policy,
  present,
}

test('reference, pool price and premium at the end of each bucket; the last one is now', () => {
  expect(buildStockSeries(input)).toEqual([
    {
      ts: noon,
      referenceUsd: 200,
      poolPriceUsd: 202,
      premiumBps: expect.closeTo(100, 9),
      closed: true,
    },
    { ts: noon + 300, ...present, closed: false },
  ])
})

describe('the premium of a bucket (methodology §3)', () => {
  const weekend = planFrom(saturday)
  // The bell of Friday, 20:00 in New York: the session ends with this second.
  const friday = noon + 3 * 86_400 + 9 * 3600
  const table: readonly [string, Partial<StockSeriesInput>, number | null][] = [
    ['an issuer price of the last minute', {}, 100],
    ['one a minute older', { references: stored([point(noon + 180, 200, 'issuer')]) }, null],
    [
      'Chainlink holds for an hour',
      { references: stored([], point(noon - 3360, 200, 'chainlink')) },
      100,
    ],
    ['and no longer', { references: stored([], point(noon - 3420, 200, 'chainlink')) }, null],
    ['never against our own pools', { references: stored([point(noon, 200, 'pools')]) }, null],
    ['beyond half of the price', { poolPricesUsd: [301, 301] }, null],
    ['no pool', { poolPricesUsd: null }, null],
    ['a pool without a price', { poolPricesUsd: [null, null] }, null],
    ['nothing known', { references: stored([]) }, null],
    [
      'the weekend',
      { plan: weekend, references: stored([point(saturday + 240, 200, 'issuer')]) },
      null,
    ],
    [
      'the last minutes of the week',
      { plan: planFrom(friday - 300), references: stored([point(friday - 60, 200, 'issuer')]) },
      100,
    ],
    [
      'the first minutes after',
      { plan: planFrom(friday), references: stored([point(friday + 240, 200, 'issuer')]) },
      null,
    ],
  ]
  test.each(table)('%s', (_, rest, bps) => {
    const premiumBps = buildStockSeries({ ...input, ...rest })[0]?.premiumBps
    expect(premiumBps === null ? null : Math.round(premiumBps ?? Number.NaN)).toBe(bps)
  })
})

test('a reference is carried forward, at the weekend too', () => {
  const references = stored([], point(noon, 200, 'issuer'))
  const rows = buildStockSeries({ ...input, plan: planFrom(saturday, 3), references })
  expect(rows.map((row) => row.referenceUsd)).toEqual([200, 200, 202])
})
