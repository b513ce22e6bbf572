import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketStart, planSeries, rangeNames, seriesRowsMax } from './series-range.ts'

const day = 86_400
const now = Date.parse('2026-09-23T18:43:40Z') / 1000
const rowsOf = ({ fromTs, lastTs, bucketSeconds }: ReturnType<typeof planSeries>): number =>
  Math.max(0, (lastTs - fromTs) / bucketSeconds + 1)

describe('the buckets of a range', () => {
  it.each([
    ['1h', 60, 60, 60],
    ['6h', 60, 360, 60],
    ['24h', 300, 288, 60],
    ['7d', 1_800, 336, 60],
    ['30d', 7_200, 360, 3_600],
    ['90d', 14_400, 540, 3_600],
  ] as const)('%s: of %i s, %i of them, made of candles of %i s', (range, bucket, rows, width) => {
    const plan = planSeries(range, { createdTs: 0, now })
    expect(plan).toMatchObject({ bucketSeconds: bucket, candleWidth: width })
    expect(rowsOf(plan)).toBe(rows)
    expect(plan.lastTs).toBe(bucketStart(now, bucket))
  })

  const atMidnight = bucketStart(now, day)
  it.each([
    ['an hour', 3_600, 3_600, 3_600, 2],
    ['25 days', 25 * day - 3_600, 3_600, 3_600, 600],
    ['25 days and an hour', 25 * day, 7_200, 3_600, 301],
    ['60 days', 60 * day, 14_400, 3_600, 361],
    ['120 days', 120 * day, 21_600, 3_600, 481],
    ['200 days', 200 * day, 43_200, 3_600, 401],
    ['a year', 365 * day, day, day, 366],
    ['four years', 4 * 365 * day, 3 * day, day, 488],
    ['ten years', 3_650 * day, 7 * day, day, 522],
    ['forty years', 40 * 365 * day, 7 * day, day, 600],
  ])('all, of a pool created %s ago', (_, age, bucket, width, rows) => {
    const plan = planSeries('all', { createdTs: atMidnight - age, now: atMidnight })
    expect(plan).toMatchObject({ bucketSeconds: bucket, candleWidth: width })
    expect(rowsOf(plan)).toBe(rows)
  })

  it.each([
    ['this second', now, 1],
    ['in the open bucket', bucketStart(now, 60), 1],
    ['in the one before', bucketStart(now, 60) - 1, 2],
    ['in the future', now + 60, 0],
  ])('begin with the creation: %s', (_, createdTs, rows) => {
    expect(rowsOf(planSeries('1h', { createdTs, now }))).toBe(rows)
  })

  it('are aligned, end with now, hold the creation or fill the range, never too many', () => {
    const time = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(fc.constantFrom(...rangeNames), time, time, (range, one, other) => {
        const [createdTs, head] = [Math.min(one, other), Math.max(one, other)]
        const plan = planSeries(range, { createdTs, now: head })
        const { bucketSeconds, candleWidth, fromTs, lastTs } = plan
        expect([fromTs % bucketSeconds, lastTs % bucketSeconds]).toEqual([0, 0])
        expect(bucketSeconds % candleWidth).toBe(0)
        expect(rowsOf(plan)).toBeLessThanOrEqual(seriesRowsMax)
        expect(lastTs <= head && head < lastTs + bucketSeconds).toBe(true)
        expect(fromTs + bucketSeconds).toBeGreaterThan(createdTs)
        if (range === 'all' && bucketSeconds < 7 * day)
          expect(fromTs).toBeLessThanOrEqual(createdTs)
      }),
    )
  })
})
