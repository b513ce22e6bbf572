import { describe, expect, test } from 'vitest'
import type { CandleWidth } from '../../domain/pool/stored-rows.ts'
import { lostMinutesUntil, toStoredRows } from '../../domain/series/kept-rows.ts'
import { type SeriesPlan, withHoursUntil } from '../../domain/series/series-range.ts'
import { readKeptRows } from './series.ts'

type Row = { readonly ts: number; readonly width: CandleWidth; readonly swaps: number }

const hour = 3600
const day = 86_400
const start = 10 * day + 5 * hour

/** Half hours from 05:30 to 08:30, made of minutes. */
const plan: SeriesPlan = {
  bucketSeconds: 1800,
  candleWidth: 60,
  fromTs: start + 1800,
  lastTs: start + 3 * hour,
  hourlyUntilTs: 0,
}

const at = (width: CandleWidth, ts: number, swaps = 1): Row => ({ width, ts, swaps })

const readFrom = async (all: readonly Row[]) => {
  const kept = await readKeptRows<Row>(
    plan,
    async ({ width, fromTs, toTs }) => {
      const rows = all.filter((row) => row.width === width)
      return {
        before: rows.findLast((row) => row.ts < fromTs) ?? null,
        rows: rows.filter((row) => row.ts >= fromTs && row.ts <= toTs),
      }
    },
    ({ swaps }) => swaps,
  )
  const hourly = withHoursUntil(plan, lostMinutesUntil(kept))
  return { plan: hourly, stored: toStoredRows(kept, hourly, []) }
}

/*
 *   00:00            04:00    05:00            06:00            07:00
 *   |---- a day ------------------------------------------------------ ...
 *   ...              |- hour -|- hour ---------|- hour ---------|- ...
 *                             | minutes  [05:30 the series begins
 */
describe('the row before a series', () => {
  const early = [at(day, 9 * day), at(hour, start - 9 * hour)]
  const table: readonly [string, readonly Row[], Row | null][] = [
    ['its own last row', [...early, at(60, start - 60)], at(60, start - 60)],
    ['a minute of the same hour', [at(60, start), at(hour, start)], at(60, start)],
    ['else the hour before', [at(day, 9 * day), at(hour, start - hour)], at(hour, start - hour)],
    ['else the day before', [at(day, 9 * day)], at(day, 9 * day)],
    ['not the hour that it begins in', [at(hour, start)], null],
    ['nothing', [], null],
  ]
  test.each(table)('%s', async (_, rows, before) => {
    expect((await readFrom(rows)).stored.before).toEqual(before)
  })
})

describe('whole hours where minutes are missing', () => {
  const [five, six, seven] = [start, start + hour, start + 2 * hour]
  const table: readonly [string, readonly Row[], number][] = [
    ['no hour', [], 0],
    ['no hour that is whole', [at(hour, six, 2), at(60, six), at(60, six + 600)], 0],
    ['one without minutes', [at(hour, six), at(hour, seven), at(60, seven)], seven],
    ['one with half of its minutes', [at(hour, six, 2), at(60, six + 600)], seven],
    ['the one that the series begins in', [at(hour, five)], six],
    ['one without swaps', [at(hour, six, 0)], seven],
    ['none before the series', [at(hour, five - hour)], 0],
  ]
  test.each(table)('%s', async (_, rows, untilTs) => {
    const read = await readFrom(rows)
    expect(read.plan.hourlyUntilTs).toBe(untilTs)
    expect(read.plan.fromTs).toBe(untilTs === 0 ? plan.fromTs : five)
  })

  test('are all of the series if the open hour lacks some', async () => {
    const last = start + 3 * hour
    const { plan: hourly } = await readFrom([at(hour, last)])
    expect(hourly).toMatchObject({ bucketSeconds: hour, candleWidth: hour, lastTs: last })
  })

  test('give the hours, and the minutes after them', async () => {
    const rows = [at(hour, six, 2), at(60, six + 600), at(hour, seven), at(60, seven + 60)]
    expect((await readFrom(rows)).stored.rows).toEqual([rows[0], rows[3]])
  })
})

test('hours of which nothing is kept are gaps', async () => {
  const [six, seven] = [start + hour, start + 2 * hour]
  const rows = [at(day, 10 * day, 5), at(hour, six, 3), at(60, six, 3)]
  const { gaps } = (await readFrom(rows)).stored
  expect(gaps).toHaveLength(23)
  expect(gaps).toContainEqual({ fromTs: seven, toTs: seven + hour })
  const whole = [at(day, 10 * day, 3), ...rows.slice(1)]
  expect((await readFrom(whole)).stored.gaps).toEqual([])
})

test('reads the last bucket to its end', async () => {
  const end = plan.lastTs + plan.bucketSeconds
  const rows = [at(60, end - 60), at(60, end)]
  expect((await readFrom(rows)).stored.rows).toEqual([rows[0]])
})
