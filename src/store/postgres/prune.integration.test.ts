import { afterAll, beforeEach, expect, test } from 'vitest'
import { queryAt, startPostgres } from '../../../test/setup/postgres.ts'
import {
  batchOf,
  blockRefAt,
  candleAt,
  chain,
  day,
  ever,
  identityOf,
  pointAt,
  swapAt,
} from '../../../test/store-contract/fixtures.ts'
import { opened } from '../../../test/support/store/benches.ts'
import { unlimited } from '../../../test/support/store/patience.ts'
import type { Store } from '../../ports/store.ts'
import { createPostgresStore } from './postgres-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

const secondsPerDay = 86_400

let url = ''
let store: Store
beforeEach(async () => {
  url = await server.createDatabase()
  store = opened(await createPostgresStore({ url, leaseGeneration: null, limits: unlimited }))
  await store.claim(chain, day)
})

/** Writes a swap, a minute candle and a reference price for each day. */
const trade = async (days: number): Promise<void> => {
  for (let at = 0; at < days; at++) {
    const ts = day + at * secondsPerDay + 7
    const minute = ts - (ts % 60)
    const batch = batchOf(
      { before: at === 0 ? null : at - 1, to: at },
      {
        to: { ...blockRefAt(at), ts },
        pools: at === 0 ? [identityOf(1)] : [],
        swaps: [swapAt({ pool: 1, block: at }, { ts })],
        candles: [candleAt({ pool: 1, width: 60, ts: minute })],
        references: [pointAt(minute, 1)],
      },
    )
    expect(await store.commitRange(batch)).toBe('committed')
  }
}

const partitions = async (): Promise<readonly string[]> => {
  const sql = `SELECT relname FROM pg_class
    WHERE relname ~ '_day_' AND relkind = 'r' ORDER BY relname`
  return (await queryAt(url, sql)).map(({ relname }) => String(relname))
}

const daysOf = (days: readonly number[]): readonly string[] =>
  ['candles_minutes', 'reference_points_minutes', 'swaps'].flatMap((table) =>
    days.map((at) => `${table}_day_${day / secondsPerDay + at}`),
  )

const beforeDay = (at: number) => {
  const ts = day + at * secondsPerDay
  return { swapsBeforeTs: ts, minuteRowsBeforeTs: ts }
}

const swapTimes = async (): Promise<readonly number[]> => {
  const swaps = await store.snapshot((snapshot) =>
    snapshot.swaps({ pool: 1, fromTs: 0, rowsMax: 100 }),
  )
  return swaps.map(({ ts }) => ts).toSorted()
}

//   day 0 │ day 1 │ day 2 │ day 3        one partition each, created with its first row
//   ✗ dropped ✗   │       │
test('drops whole days and still accepts rows of later days', async () => {
  await trade(4)
  expect(await partitions()).toEqual(daysOf([0, 1, 2, 3]))
  // Two swaps with their blocks, minutes and references.
  expect(await store.prune(beforeDay(2))).toBe(8)
  expect(await partitions()).toEqual(daysOf([2, 3]))
  expect((await swapTimes()).length).toBe(2)
  const late = batchOf(
    { before: 3, to: 4 },
    { swaps: [swapAt({ pool: 1, block: 4 }, { ts: day + 5 })] },
  )
  expect(await store.commitRange(late)).toBe('committed')
  expect((await swapTimes())[0]).toBe(day + 5)
  await store.close()
})

test('an open snapshot keeps its days until it ends', async () => {
  await trade(3)
  const pruned: Promise<number>[] = []
  await store.snapshot(async (snapshot) => {
    await snapshot.header()
    pruned.push(store.prune(beforeDay(2)))
    // The reads alternate with the steps of pruning, among them the first attempt to drop a day.
    for (const block of [50, 51, 52, 53]) await store.recordHead(blockRefAt(block))
    expect(await snapshot.volume(ever)).toMatchObject([{ swaps: 3 }])
  })
  expect(await pruned[0]).toBe(8)
  expect(await swapTimes()).toHaveLength(1)
  await store.close()
})
