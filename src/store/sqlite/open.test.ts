import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allOf } from '../../../test/store-contract/fixtures.ts'
import { openWriter } from './open.ts'
import { migrateSchema, readSqliteMigrations } from './schema.ts'
import { createSqliteReader, createSqliteStore } from './sqlite-store.ts'

let path = ''
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'stockpools-')), 'store.db')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true, force: true }))

/** Creates the file as another program would. */
const withDatabase = (work: (db: DatabaseSync) => void): void => {
  const db = new DatabaseSync(path)
  work(db)
  db.close()
}

const ours = (change: string) => async () => {
  const made = createSqliteStore({ path })
  if (made.ok) await made.value.close()
  withDatabase((db) => db.exec(change))
}

const unknownMigration = "INSERT INTO schema_steps VALUES (99, '0099-later.sql', 'x')"

const cases: readonly (readonly [string, () => unknown, string])[] = [
  [
    'a text',
    () => writeFileSync(path, 'not a database, but longer than its header is. '.repeat(9)),
    'is not a SQLite database',
  ],
  ['a folder', () => mkdirSync(path), 'is a folder, not a file'],
  [
    "another program's",
    () => withDatabase((db) => db.exec('CREATE TABLE theirs (x)')),
    'belongs to another program',
  ],
  [
    'marked by another program',
    () => withDatabase((db) => db.exec('PRAGMA application_id = 7')),
    'belongs to another program',
  ],
  [
    'of a newer version',
    ours(unknownMigration),
    'newer version of this program (migration 0099-later',
  ],
  [
    'of a schema that was edited',
    ours("UPDATE schema_steps SET checksum = 'x'"),
    'migration 0001-first-schema.sql was changed after it was applied',
  ],
]

describe('rejects an unusable file with one line that names it', () => {
  test.each(cases)('%s', async (_, make, reason) => {
    await make()
    const before = statSync(path).isFile() ? readFileSync(path) : null
    for (const create of [createSqliteStore, createSqliteReader]) {
      const refused = create({ path })
      const fault = refused.ok ? null : refused.fault
      expect(fault).toContain(`store ${path} `)
      expect(fault).toContain(reason)
      expect(fault).not.toContain('\n')
    }
    if (before !== null) expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('locked by another program', () => {
    const holder = new DatabaseSync(path)
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE theirs (x)')
    const refused = openWriter(path, 20)
    holder.close()
    expect(refused).toEqual({ ok: false, fault: `store ${path} is locked by another program` })
  })

  test('a folder that cannot be created', () => {
    writeFileSync(path, '')
    const refused = createSqliteStore({ path: join(path, 'store.db') })
    expect(refused.ok ? null : refused.fault).toMatch(/cannot be created \(E(EXIST|NOTDIR)\)$/)
  })

  test.each([
    ['that is missing', () => undefined, 'cannot be opened'],
    ['that is empty', () => writeFileSync(path, ''), 'start its indexer first'],
  ])('a reader of a file %s', (_, make, reason) => {
    make()
    const refused = createSqliteReader({ path })
    expect(refused.ok ? null : refused.fault).toContain(reason)
  })
})

const oldPools = `INSERT INTO pools (number, id, version, venue, token0, token1, fee, tick_spacing,
    created_block, created_ts, liquidity, reserve0, reserve1, map_fault, revision) VALUES
  (1, X'01', 'v3', X'0a', X'0b', X'0c', 500, 10, 1, 1, X'00', X'00', X'00', NULL, 1),
  (2, X'02', 'v3', X'0a', X'0b', X'0c', 500, 10, 1, 1, X'05', X'07', X'00', NULL, 1),
  (3, X'03', 'v3', X'0a', X'0b', X'0c', 500, 10, 1, 1, X'05', NULL, NULL, 'index_gap', 1)`

/** A file as the version before that migration left it. */
const createOlderFile = (migration: string, rows: string): void =>
  withDatabase((db) => {
    const steps = readSqliteMigrations()
    const end = steps.findIndex(({ name }) => name.endsWith(migration))
    expect(migrateSchema(db, steps.slice(0, end)).ok).toBe(true)
    db.exec(rows)
  })

test('a file of the version that remembered stocks only keeps them as searched', async () => {
  createOlderFile('-searches.sql', `INSERT INTO searched (address) VALUES (X'${'0a'.repeat(20)}')`)
  const store = createSqliteStore({ path })
  if (!store.ok) throw new Error(store.fault)
  const searches = await store.value.snapshot((snapshot) => snapshot.searches())
  await store.value.close()
  const address = `0x${'0a'.repeat(20)}`
  expect(searches).toEqual([{ address, kind: 'stock', fromBlock: 0, done: 0, total: 0 }])
})

test('a file of the version without depths knows only that an empty pool has none', async () => {
  createOlderFile('-pool-depth.sql', oldPools)
  const store = createSqliteStore({ path })
  if (!store.ok) throw new Error(store.fault)
  const pools = await allOf(store.value.readPools())
  await store.value.close()
  expect(pools.map(({ reserves, depth }) => [reserves, depth])).toEqual([
    [
      { amount0: 0n, amount1: 0n },
      { amount0: 0n, amount1: 0n },
    ],
    [{ amount0: 7n, amount1: 0n }, null],
    [null, null],
  ])
})

describe('the schema', () => {
  const later = { name: '0099-later.sql', sql: 'ALTER TABLE blocks ADD COLUMN parent BLOB;' }
  const broken = { name: '0100-broken.sql', sql: 'CREATE TABLE half (x); NONSENSE;' }
  const tablesOf = (db: DatabaseSync) =>
    db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'blocks' OR name = 'half'").all()

  test('applies each migration once, in order', () => {
    withDatabase((db) => {
      const steps = readSqliteMigrations()
      expect(migrateSchema(db, steps)).toEqual({ ok: true, value: undefined })
      for (const _ of [1, 2]) expect(migrateSchema(db, [...steps, later]).ok).toBe(true)
      expect(JSON.stringify(tablesOf(db))).toContain('parent')
      const names = [...steps, later].map(({ name }, index) => ({ number: index + 1, name }))
      expect(db.prepare('SELECT number, name FROM schema_steps').all()).toEqual(names)
      expect(migrateSchema(db, steps)).toMatchObject({ ok: false })
    })
  })

  test('stays unchanged when a migration fails', () => {
    withDatabase((db) => {
      const steps = readSqliteMigrations()
      migrateSchema(db, steps)
      const before = tablesOf(db)
      expect(() => migrateSchema(db, [...steps, later, broken])).toThrow()
      expect(tablesOf(db)).toEqual(before)
      expect(migrateSchema(db, steps).ok).toBe(true)
    })
  })

  test('is the same with other line endings', () => {
    withDatabase((db) => {
      const steps = readSqliteMigrations()
      migrateSchema(db, steps)
      const windows = steps.map((step) => ({ ...step, sql: step.sql.replaceAll('\n', '\r\n') }))
      expect(migrateSchema(db, windows).ok).toBe(true)
    })
  })

  test('of the version before keeps its rows and their ages', async () => {
    withDatabase((db) => {
      migrateSchema(db, readSqliteMigrations().slice(0, 5))
      db.exec(`INSERT INTO quotes
        (address, source, per, bid, ask, last, published_ts, fetched_ts, halted) VALUES
        (zeroblob(20), 'issuer', 'share', 1, 1, NULL, 500, 900, 1),
        (zeroblob(20), 'chainlink', 'token', NULL, NULL, 1, 600, 900, 0)`)
      db.exec(`INSERT INTO stocks
        (address, symbol, name, decimals, verdict, read_ts, revision) VALUES
        (zeroblob(20), 'NVDA', 'NVIDIA', 18, 'verified', 700, 1)`)
    })
    const made = createSqliteStore({ path })
    if (!made.ok) throw new Error(made.fault)
    const [quotes, stocks] = await made.value.snapshot(async (snapshot) => [
      await snapshot.quotes(),
      await snapshot.stocksChangedAfter(-1),
    ])
    await made.value.close()
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
})
