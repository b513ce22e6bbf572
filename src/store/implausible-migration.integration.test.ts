import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../test/setup/postgres.ts'
import {
  batchOf,
  candleAt,
  chain,
  day,
  ever,
  identityOf,
  swapAt,
} from '../../test/store-contract/fixtures.ts'
import {
  type EarlierRows,
  openEarlierPostgres,
  openEarlierSqlite,
} from '../../test/support/store/earlier-store.ts'

const server = await startPostgres()
afterAll(server.dispose)

/** One swap and its hour, of the columns that both stores had from the first version on. */
const rowsOf: EarlierRows = (bytes) => `
  INSERT INTO swaps (pool, block, log_index, ts, tx_hash, amount0, amount1, sqrt_price_x96,
    liquidity, tick, sender, usd_micro, estimated) VALUES (1, 1, 0, ${day + 1},
    ${bytes('00'.repeat(32))}, ${bytes('01')}, ${bytes('ff')}, ${bytes('01')}, ${bytes('01')}, 0,
    ${bytes('00'.repeat(20))}, 5, 0);
  INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
    estimated) VALUES (1, 3600, ${day}, 1, 1, 1, 1, 5, 1, 0, 0);`

const tomorrow = day + 86_400

test.each([
  ['SQLite', openEarlierSqlite],
  ['PostgreSQL', openEarlierPostgres(server.createDatabase)],
])('an earlier store of %s counts none of its swaps as implausible', async (_, open) => {
  const store = await open('implausible', rowsOf, onTestFinished)
  await store.claim(chain, day)
  const marked = { implausible: true, ts: tomorrow }
  const hour = candleAt({ pool: 1, width: 3600, ts: day }, { swaps: 1, implausible: 1 })
  await store.commitRange(
    batchOf(
      { before: null, to: 2 },
      { pools: [identityOf(1)], swaps: [swapAt({ pool: 1, block: 2 }, marked)], candles: [hour] },
    ),
  )
  const hours = { fromTs: day, toTs: day + 3600 }
  const read = await store.snapshot(async (snapshot) => ({
    swaps: await snapshot.swaps({ pool: 1, fromTs: 0, rowsMax: 9 }),
    sums: [...(await snapshot.volume(ever)), ...(await snapshot.hourlyVolume(hours))],
  }))
  expect(read.swaps.map(({ implausible }) => implausible)).toEqual([true, false])
  expect(read.sums).toMatchObject([
    { swaps: 2, implausible: 1 },
    { swaps: 2, implausible: 1 },
  ])
})
