import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { queryAt, startPostgres, startReplica } from '../../../test/setup/postgres.ts'
import { allOf, batchOf, blockRefAt, chain, day } from '../../../test/store-contract/fixtures.ts'
import { opened } from '../../../test/support/store/benches.ts'
import { migrationChecksum, readMigrations } from '../shared/migrations.ts'
import { createPostgresReader, createPostgresStore, migratePostgres } from './postgres-store.ts'
import { serverCapabilities } from './schema.ts'

const server = await startPostgres()
afterAll(server.dispose)

let url = ''
beforeEach(async () => {
  url = await server.createDatabase()
})

const faultsOf = async (at: string): Promise<readonly string[]> => {
  const writer = await createPostgresStore({ url: at, leaseGeneration: null })
  const reader = await createPostgresReader({ url: at })
  return [writer, reader].map((outcome) => (outcome.ok ? '' : outcome.fault))
}

const changed = (sql: string) => async () => {
  expect(await migratePostgres({ url })).toEqual({ ok: true, value: undefined })
  await queryAt(url, sql)
}

describe('a database that cannot be used is refused with one line that names it', () => {
  test.each([
    ["another program's", () => queryAt(url, 'CREATE TABLE header (x TEXT)'), 'another program'],
    [
      'of a newer version',
      changed("INSERT INTO schema_steps VALUES (99, '0099-later.sql', 'x')"),
      'newer version of this program (migration 0099-later.sql)',
    ],
    [
      'of a schema that was edited',
      changed("UPDATE schema_steps SET checksum = 'x' WHERE number = 1"),
      'migration 0001-first-schema.sql was changed after it was applied',
    ],
    [
      'half restored',
      changed("INSERT INTO half_import VALUES (1, 'x')"),
      'contains an incomplete restore: run "stockpools restore" again',
    ],
  ])('%s', async (_, make, reason) => {
    await make()
    for (const fault of await faultsOf(url)) {
      expect(fault).toContain(`store postgres://127.0.0.1:${server.port}/d`)
      expect(fault).toContain(reason)
    }
  })

  test.each([
    ['whose server is away', (at: URL) => (at.port = '1'), 'cannot be reached'],
    ['that is not there', (at: URL) => (at.pathname = '/nowhere'), 'has no such database'],
    ['with another password', (at: URL) => (at.password = 'canary'), 'this password'],
  ])('%s, without its password', async (_, change, reason) => {
    const at = new URL(url)
    change(at)
    for (const fault of await faultsOf(at.href)) {
      expect(fault).toContain(reason)
      expect(fault).toContain(`${at.host}${at.pathname}`)
      expect(fault).not.toContain(at.password)
      expect(fault).not.toContain('\n')
    }
  })

  test('a reader of one that no indexer has prepared', async () => {
    const refused = await createPostgresReader({ url })
    expect(refused.ok ? '' : refused.fault).toContain('start its indexer first')
  })
})

test('two that open an empty database at once both find it whole', async () => {
  const stores = await Promise.all(
    [1, 2, 3].map(() => createPostgresStore({ url, leaseGeneration: null })),
  )
  for (const store of stores) await opened(store).close()
  const steps = await queryAt(url, 'SELECT number FROM schema_steps ORDER BY number')
  expect(steps.length).toBeGreaterThan(1)
  expect(steps).toEqual(steps.map((_, at) => ({ number: at + 1 })))
})

/** The database as the version before 1.1 left it. */
const prepareFirstSchema = async (): Promise<void> => {
  const folder = new URL('./migrations/', import.meta.url)
  const steps = readMigrations(folder, ['0001-first-schema.sql', '0002-series-in-days.sql'])
  await queryAt(url, 'CREATE TABLE schema_steps (number INTEGER, name TEXT, checksum TEXT)')
  for (const [at, step] of steps.entries()) {
    await queryAt(url, step.sql)
    const values = `${at + 1}, '${step.name}', '${migrationChecksum(step)}'`
    await queryAt(url, `INSERT INTO schema_steps VALUES (${values})`)
  }
}

test('a database of the version before keeps its rows and their ages', async () => {
  await prepareFirstSchema()
  await queryAt(
    url,
    `INSERT INTO quotes
      (address, source, per, bid, ask, last, published_ts, fetched_ts, halted, lapse) VALUES
      ('\\x01', 'issuer', 'share', 1, 1, NULL, 500, 900, 1, NULL),
      ('\\x01', 'chainlink', 'token', NULL, NULL, 1, 600, 900, 0, NULL)`,
  )
  await queryAt(
    url,
    `INSERT INTO stocks (address, symbol, name, decimals, verdict, read_ts, revision) VALUES
      ('\\x01', 'NVDA', 'NVIDIA', 18, 'verified', 700, 1)`,
  )
  const store = opened(await createPostgresStore({ url, leaseGeneration: null }))
  const [quotes, stocks] = await store.snapshot(async (snapshot) => [
    await snapshot.quotes(),
    await snapshot.stocksChangedAfter(-1),
  ])
  await store.close()
  expect(stocks).toMatchObject([
    { symbol: 'NVDA', readTs: 700, readFailed: false, multiplierAlias: false },
  ])
  expect(quotes).toMatchObject([
    { source: 'chainlink', halted: false, haltTs: null },
    {
      source: 'issuer',
      halted: true,
      haltTs: 500,
      publishedTs: 500,
      acceptedUsd: null,
      pools: null,
    },
  ])
})

const oldPools = `INSERT INTO pools (number, id, version, venue, token0, token1, fee, tick_spacing,
    created_block, created_ts, liquidity, reserve0, reserve1, map_fault, revision) VALUES
  (1, '\\x01', 'v3', '\\x0a', '\\x0b', '\\x0c', 500, 10, 1, 1, '\\x00', '\\x00', '\\x00', NULL, 1),
  (2, '\\x02', 'v3', '\\x0a', '\\x0b', '\\x0c', 500, 10, 1, 1, '\\x05', '\\x07', '\\x00', NULL, 1),
  (3, '\\x03', 'v3', '\\x0a', '\\x0b', '\\x0c', 500, 10, 1, 1, '\\x05', NULL, NULL,
    'index_gap', 1)`

test('a database of the version without depths knows only of empty pools', async () => {
  await prepareFirstSchema()
  await queryAt(url, oldPools)
  const store = opened(await createPostgresStore({ url, leaseGeneration: null }))
  const pools = await allOf(store.readPools())
  await store.close()
  expect(pools.map(({ reserves, depth }) => [reserves, depth])).toEqual([
    [
      { amount0: 0n, amount1: 0n },
      { amount0: 0n, amount1: 0n },
    ],
    [{ amount0: 7n, amount1: 0n }, null],
    [null, null],
  ])
})

test('a schema that is up to date stays as it is, partitions or not', async () => {
  for (const layout of ['in-days', 'in-one'] as const) {
    const at = await server.createDatabase()
    const sql = `SELECT relkind::text FROM pg_class WHERE relname = 'swaps'`
    await opened(await createPostgresStore({ url: at, leaseGeneration: null, layout })).close()
    const made = await queryAt(at, sql)
    expect(made).toEqual([{ relkind: layout === 'in-days' ? 'p' : 'r' }])
    await opened(await createPostgresStore({ url: at, leaseGeneration: null })).close()
    expect(await queryAt(at, sql)).toEqual(made)
  }
})

test.each([
  ['PostgreSQL 18.4 on x86_64-pc-linux-gnu', 'in-days', true],
  ['PostgreSQL 15.2-YB-2.25.2.0-b0 on x86_64', 'in-one', false],
  ['CockroachDB CCL v24.3.0 (x86_64-pc-linux-gnu)', 'in-one', false],
] as const)('what %s can do', (version, layout, notifies) => {
  expect(serverCapabilities(version)).toEqual({ layout, notifies })
})

test('a standby answers readers, and refuses to be written', async () => {
  const store = opened(await createPostgresStore({ url, leaseGeneration: null }))
  await store.claim(chain, day)
  const replica = await startReplica(server)
  try {
    const at = new URL(url)
    at.port = String(replica.port)
    const refused = await createPostgresStore({ url: at.href, leaseGeneration: null })
    expect(refused.ok ? '' : refused.fault).toContain('is a read-only replica')
    const reader = opened(await createPostgresReader({ url: at.href }))
    await store.commitRange(batchOf({ before: null, to: 7 }))
    const indexed = () =>
      reader.snapshot(async (snapshot) => (await snapshot.header())?.cursor ?? null)
    await expect.poll(indexed).toEqual(blockRefAt(7))
    await reader.close()
  } finally {
    await replica.dispose()
    await store.close()
  }
})
