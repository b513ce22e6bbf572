import type { DatabaseSync } from 'node:sqlite'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import {
  type Migration,
  migrationChecksum,
  pendingMigrations,
  readMigrations,
} from '../shared/migrations.ts'
import type { Row } from '../shared/table.ts'

/** Forward only: released migrations are never edited. */
const migrationNames = [
  '0001-first-schema.sql',
  '0002-lapsed-quotes.sql',
  '0003-screener-figures.sql',
  '0004-first-reading.sql',
  '0005-half-imports.sql',
  '0006-halt-times.sql',
  '0007-pool-depth.sql',
  '0008-implausible-swaps.sql',
  '0009-last-replacement.sql',
  '0010-stock-read-times.sql',
  '0011-searches.sql',
  '0012-quote-trails.sql',
  '0013-pool-coverage.sql',
  '0014-pool-fees.sql',
  '0015-swaps-by-block.sql',
  '0016-event-origins.sql',
  '0017-traders.sql',
  '0018-replacements.sql',
  '0019-swaps-kept-since.sql',
  '0020-pool-protocols.sql',
  '0021-multiplier-aliases.sql',
  '0022-coverage-pass.sql',
  '0023-pool-settings.sql',
  '0024-pool-parameters.sql',
  '0025-earnings.sql',
]

export const readSqliteMigrations = (): readonly Migration[] =>
  readMigrations(new URL('./migrations/', import.meta.url), migrationNames)

/** "SPOL" in the file's header marks files of this program. */
const applicationId = 0x53504f4c

const rowsOf = (db: DatabaseSync, sql: string): readonly Row[] => {
  const statement = db.prepare(sql)
  statement.setReturnArrays(true)
  return statement.all() as unknown as readonly Row[]
}

/** The migrations that the file lacks; fails for a file of another program. Changes nothing. */
export const findPendingMigrations = (
  db: DatabaseSync,
  steps: readonly Migration[],
): Outcome<readonly Migration[], string> => {
  const id = rowsOf(db, 'PRAGMA application_id')[0]?.[0]
  if (id !== applicationId) {
    const objects = rowsOf(db, 'SELECT COUNT(*) FROM sqlite_schema')[0]?.[0]
    return id === 0 && objects === 0 ? success(steps) : failure('belongs to another program')
  }
  const applied = rowsOf(db, 'SELECT name, checksum FROM schema_steps ORDER BY number')
  return pendingMigrations(
    applied.map(([name, checksum]) => ({ name: String(name), checksum: String(checksum) })),
    steps,
  )
}

/** Requires an up-to-date schema. */
export const isHalfRestored = (db: DatabaseSync): boolean =>
  rowsOf(db, 'SELECT 1 FROM half_import').length > 0

const apply = (db: DatabaseSync, steps: readonly Migration[], missing: readonly Migration[]) => {
  db.exec(`PRAGMA application_id = ${applicationId}`)
  db.exec(`CREATE TABLE IF NOT EXISTS schema_steps
    (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL) STRICT`)
  const record = db.prepare('INSERT INTO schema_steps (number, name, checksum) VALUES (?, ?, ?)')
  for (const step of missing) {
    db.exec(step.sql)
    record.run(steps.indexOf(step) + 1, step.name, migrationChecksum(step))
  }
}

/** Applies the missing migrations in one transaction. */
export const migrateSchema = (
  db: DatabaseSync,
  steps: readonly Migration[],
): Outcome<void, string> => {
  // Checked inside the transaction: two processes may open a new file at the same moment.
  db.exec('BEGIN IMMEDIATE')
  try {
    const missing = findPendingMigrations(db, steps)
    if (missing.ok && missing.value.length > 0) apply(db, steps, missing.value)
    db.exec('COMMIT')
    return missing.ok ? success(undefined) : missing
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
