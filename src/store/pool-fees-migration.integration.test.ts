import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { queryAt, startPostgres } from '../../test/setup/postgres.ts'
import { allOf, chain, day, hashOf, stateOf } from '../../test/store-contract/fixtures.ts'
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

/** A v4 pool with a price, of the columns that both stores had from the first version on. */
const poolRow = (bytes: (hex: string) => string): string => `
  INSERT INTO pools (number, id, version, venue, token0, token1, fee, tick_spacing, hooks,
    created_block, created_ts, sqrt_price_x96, tick, liquidity, revision) VALUES (1,
    ${bytes(hashOf(1).slice(2))}, 'v4', ${bytes('07'.repeat(20))}, ${bytes('01'.repeat(20))},
    ${bytes('02'.repeat(20))}, 3000, 60, ${bytes('00'.repeat(20))}, 1, ${day}, ${bytes('01')}, 0,
    ${bytes('05')}, 1);`

const prepareSqlite = (path: string): void => {
  const steps = readSqliteMigrations()
  const db = new DatabaseSync(path)
  const before = steps.slice(
    0,
    steps.findIndex(({ name }) => name.includes('pool-fees')),
  )
  expect(migrateSchema(db, before).ok).toBe(true)
  db.exec(poolRow((hex) => `x'${hex}'`))
  db.close()
}

const preparePostgres = async (url: string): Promise<void> => {
  const folder = new URL('./postgres/migrations/', import.meta.url)
  const names = readdirSync(folder)
    .filter((name) => !name.includes('in-one'))
    .toSorted()
  const before = names.slice(
    0,
    names.findIndex((name) => name.includes('pool-fees')),
  )
  await queryAt(url, 'CREATE TABLE schema_steps (number INTEGER, name TEXT, checksum TEXT)')
  for (const [at, step] of readMigrations(folder, before).entries()) {
    await queryAt(url, step.sql)
    const values = `${at + 1}, '${step.name}', '${migrationChecksum(step)}'`
    await queryAt(url, `INSERT INTO schema_steps VALUES (${values})`)
  }
  await queryAt(
    url,
    poolRow((hex) => `'\\x${hex}'`),
  )
}

test.each([
  ['SQLite', async () => join(temporaryFolder(onTestFinished), 'store.db')],
  ['PostgreSQL', () => server.createDatabase()],
])(
  'the fees of an earlier store of %s are unknown, and kept from then on',
  async (name, create) => {
    const at = await create()
    if (name === 'SQLite') prepareSqlite(at)
    else await preparePostgres(at)
    const home = name === 'SQLite' ? sqliteLocationAt(at) : postgresLocation(at)
    const store = unwrap(await home.openStore())
    onTestFinished(store.close)
    expect(await allOf(store.readPools())).toMatchObject([{ number: 1, liquidity: 5n, fees: null }])
    await store.claim(chain, day)
    const fees = { lpFee: 3000, protocolFee: 500 | (300 << 12), block: 9 }
    await store.replaceTickMap(1, stateOf(5n, { fees }), [])
    expect(await allOf(store.readPools())).toMatchObject([{ number: 1, liquidity: 5n, fees }])
  },
)
