import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { queryAt, startPostgres } from '../../test/setup/postgres.ts'
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
  postgresLocation,
  sqliteLocationAt,
  temporaryFolder,
  unwrap,
} from '../../test/support/backup/homes.ts'
import { migrationChecksum, readMigrations } from './shared/migrations.ts'
import { migrateSchema, readSqliteMigrations } from './sqlite/schema.ts'

const server = await startPostgres()
afterAll(server.dispose)

/** One swap and its hour, of the columns that both stores had from the first version on. */
const rowsOf = (bytes: (hex: string) => string): string => `
  INSERT INTO swaps (pool, block, log_index, ts, tx_hash, amount0, amount1, sqrt_price_x96,
    liquidity, tick, sender, usd_micro, estimated) VALUES (1, 1, 0, ${day + 1},
    ${bytes('00'.repeat(32))}, ${bytes('01')}, ${bytes('ff')}, ${bytes('01')}, ${bytes('01')}, 0,
    ${bytes('00'.repeat(20))}, 5, 0);
  INSERT INTO candles (pool, width, ts, open, high, low, close, usd_micro, swaps, unpriced,
    estimated) VALUES (1, 3600, ${day}, 1, 1, 1, 1, 5, 1, 0, 0);`

const prepareSqlite = (path: string): void => {
  const steps = readSqliteMigrations()
  const db = new DatabaseSync(path)
  const before = steps.slice(
    0,
    steps.findIndex(({ name }) => name.includes('implausible')),
  )
  expect(migrateSchema(db, before).ok).toBe(true)
  db.exec(rowsOf((hex) => `x'${hex}'`))
  db.close()
}

const partition = `CREATE TABLE swaps_day_1 (LIKE swaps_shape INCLUDING ALL);
  ALTER TABLE swaps ATTACH PARTITION swaps_day_1 FOR VALUES FROM (0) TO (${day + 86_400});`

const preparePostgres = async (url: string): Promise<void> => {
  const folder = new URL('./postgres/migrations/', import.meta.url)
  const steps = readMigrations(folder, ['0001-first-schema.sql', '0002-series-in-days.sql'])
  await queryAt(url, 'CREATE TABLE schema_steps (number INTEGER, name TEXT, checksum TEXT)')
  for (const [at, step] of steps.entries()) {
    await queryAt(url, step.sql)
    const values = `${at + 1}, '${step.name}', '${migrationChecksum(step)}'`
    await queryAt(url, `INSERT INTO schema_steps VALUES (${values})`)
  }
  await queryAt(url, partition + rowsOf((hex) => `'\\x${hex}'`))
}

const tomorrow = day + 86_400

test.each([
  ['SQLite', async () => join(temporaryFolder(onTestFinished), 'store.db')],
  ['PostgreSQL', () => server.createDatabase()],
])('an earlier store of %s counts none of its swaps as implausible', async (name, create) => {
  const at = await create()
  if (name === 'SQLite') prepareSqlite(at)
  else await preparePostgres(at)
  const home = name === 'SQLite' ? sqliteLocationAt(at) : postgresLocation(at)
  const store = unwrap(await home.openStore())
  onTestFinished(store.close)
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
