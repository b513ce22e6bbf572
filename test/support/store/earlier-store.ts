import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import type { Store } from '../../../src/ports/store.ts'
import { migrationChecksum, readMigrations } from '../../../src/store/shared/migrations.ts'
import { migrateSchema, readSqliteMigrations } from '../../../src/store/sqlite/schema.ts'
import { queryAt } from '../../setup/postgres.ts'
import { day } from '../../store-contract/fixtures.ts'
import { postgresLocation, sqliteLocationAt, temporaryFolder, unwrap } from '../backup/homes.ts'

/** Rows as statements, with the literal of bytes from their digits. */
export type EarlierRows = (bytes: (hex: string) => string) => string

type Cleanup = (cleanup: () => void | Promise<void>) => void

/** Writes the rows into a store without that migration and the later ones, and opens it. */
export type OpenEarlierStore = (
  migration: string,
  rows: EarlierRows,
  onEnd: Cleanup,
) => Promise<Store>

const upTo = <T>(steps: readonly T[], nameOf: (step: T) => string, migration: string) => {
  const end = steps.findIndex((step) => nameOf(step).includes(migration))
  if (end < 0) throw new Error(`there is no migration ${migration}`)
  return steps.slice(0, end)
}

export const openEarlierSqlite: OpenEarlierStore = async (migration, rows, onEnd) => {
  const path = join(temporaryFolder(onEnd), 'store.db')
  const db = new DatabaseSync(path)
  const before = upTo(readSqliteMigrations(), ({ name }) => name, migration)
  expect(migrateSchema(db, before).ok).toBe(true)
  db.exec(rows((hex) => `x'${hex}'`))
  db.close()
  const store = unwrap(await sqliteLocationAt(path).openStore())
  onEnd(store.close)
  return store
}

/** One day of swaps, as the store makes it with the first of them. */
const dayName = `swaps_day_${day / 86_400}`
const partition = `CREATE TABLE ${dayName} (LIKE swaps_shape INCLUDING ALL);
  ALTER TABLE swaps ATTACH PARTITION ${dayName} FOR VALUES FROM (${day}) TO (${day + 86_400});`

export const openEarlierPostgres =
  (createDatabase: () => Promise<string>): OpenEarlierStore =>
  async (migration, rows, onEnd) => {
    const url = await createDatabase()
    const folder = new URL('../../../src/store/postgres/migrations/', import.meta.url)
    const names = readdirSync(folder).filter((name) => !name.includes('in-one'))
    const before = upTo(names.toSorted(), (name) => name, migration)
    await queryAt(url, 'CREATE TABLE schema_steps (number INTEGER, name TEXT, checksum TEXT)')
    for (const [at, step] of readMigrations(folder, before).entries()) {
      await queryAt(url, step.sql)
      const values = `${at + 1}, '${step.name}', '${migrationChecksum(step)}'`
      await queryAt(url, `INSERT INTO schema_steps VALUES (${values})`)
    }
    await queryAt(url, partition + rows((hex) => `'\\x${hex}'`))
    const store = unwrap(await postgresLocation(url).openStore())
    onEnd(store.close)
    return store
  }
