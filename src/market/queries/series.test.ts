import { describe, expect, test } from 'vitest'
import type { CandleWidth } from '../../domain/pool/stored-rows.ts'
import type { SeriesPlan } from '../../domain/series/series-range.ts'
import { readStoredRows } from './series.ts'

type Row = { readonly ts: number; readonly width: CandleWidth }

const hour = 3600
const day = 86_400
const start = 10 * day + 5 * hour

/** Minutes are wanted from 05:00 on. */
const plan: SeriesPlan = { bucketSeconds: 300, candleWidth: 60, fromTs: start, lastTs: start + 900 }

const at = (width: CandleWidth, ts: number): Row => ({ width, ts })

const readFrom = (all: readonly Row[]) =>
  readStoredRows(plan, async ({ width, fromTs, toTs }) => {
    const rows = all.filter((row) => row.width === width)
    return {
      before: rows.findLast((row) => row.ts < fromTs) ?? null,
      rows: rows.filter((row) => row.ts >= fromTs && row.ts <= toTs),
    }
  })

/*
 *   00:00            04:00   05:00           06:00
 *   |---- a day ------------------------------------...
 *   ...              |- hour -|- hour --------|
 *                             | minutes ...
 */
describe('the row before a series whose minutes were deleted', () => {
  const minute = at(60, start + 120)
  const table: readonly [string, readonly Row[], Row | null][] = [
    ['its own last row', [at(day, 10 * day), at(60, start - 60), minute], at(60, start - 60)],
    ['else the hour before', [at(hour, start - hour), minute], at(hour, start - hour)],
    ['not the hour that the first row lies in', [at(hour, start), minute], null],
    ['that hour too, if no row lies in it', [at(hour, start)], at(hour, start)],
    ['else the day before', [at(day, 9 * day), minute], at(day, 9 * day)],
    ['not the day that the first row lies in', [at(day, 10 * day), minute], null],
    ['that day too, if no row lies in it', [at(day, 10 * day)], at(day, 10 * day)],
    [
      'an hour before a day',
      [at(hour, start - 9 * hour), at(day, 9 * day)],
      at(hour, start - 9 * hour),
    ],
    ['nothing', [minute], null],
  ]
  test.each(table)('%s', async (_, rows, before) => {
    const stored = await readFrom(rows)
    expect(stored.before).toEqual(before)
    expect(stored.rows).toEqual(rows.includes(minute) ? [minute] : [])
  })
})

test('reads the last bucket to its end', async () => {
  const rows = [at(60, start + 1140), at(60, start + 1200)]
  expect((await readFrom(rows)).rows).toEqual([rows[0]])
})
