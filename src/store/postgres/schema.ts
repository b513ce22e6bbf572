import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import {
  type Migration,
  migrationChecksum,
  pendingMigrations,
  readMigrations,
} from '../shared/migrations.ts'
import { createSession, type PostgresSession } from './session.ts'

/** Whether swaps and minute rows are partitioned by day. */
export type TableLayout = 'in-days' | 'in-one'

/** Forward only: released migrations are never edited. */
const migrationNames = (layout: TableLayout): readonly string[] => [
  '0001-first-schema.sql',
  `0002-series-${layout}.sql`,
  '0003-halt-times.sql',
  '0004-pool-depth.sql',
  '0005-implausible-swaps.sql',
  '0006-last-replacement.sql',
  '0007-stock-read-times.sql',
  '0008-searches.sql',
  '0009-quote-trails.sql',
  '0010-pool-coverage.sql',
  '0011-pool-fees.sql',
  '0012-event-origins.sql',
  '0013-traders.sql',
  '0014-replacements.sql',
  '0015-swaps-kept-since.sql',
  '0016-pool-protocols.sql',
  '0017-multiplier-aliases.sql',
  '0018-coverage-pass.sql',
  '0019-pool-settings.sql',
  '0020-pool-parameters.sql',
  '0021-earnings.sql',
]

const readLayoutMigrations = (layout: TableLayout): readonly Migration[] =>
  readMigrations(new URL('./migrations/', import.meta.url), migrationNames(layout))

/**
 * What PostgreSQL supports and compatible distributed servers may not (docs/decisions). Detected by
 * name, because a rejected statement would end the transaction.
 */
export type ServerCapabilities = { readonly layout: TableLayout; readonly notifies: boolean }

export const serverCapabilities = (version: string): ServerCapabilities => {
  const isPostgres = version.startsWith('PostgreSQL') && !version.includes('-YB-')
  return { layout: isPostgres ? 'in-days' : 'in-one', notifies: isPostgres }
}

export type SchemaStatus = ServerCapabilities & {
  /** Migrations that are not applied yet. */
  readonly missing: readonly Migration[]
  readonly isHalfRestored: boolean
}

const tablesQuery = `SELECT table_name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_name IN ('schema_steps', 'header', 'lease')`
const appliedQuery = 'SELECT name, checksum FROM schema_steps ORDER BY number'

/** Fails for a database of another program. Changes nothing. */
export const readSchemaStatus = async (
  { texts }: PostgresSession,
  layoutWished?: TableLayout,
): Promise<Outcome<SchemaStatus, string>> => {
  const [version] = await texts('SELECT version()')
  const capabilities = serverCapabilities(version?.[0] ?? '')
  const tables = (await texts(tablesQuery)).map(([name]) => name)
  const isOurs = tables.includes('schema_steps')
  if (!isOurs && tables.length > 0) return failure('belongs to another program')
  const rows = isOurs ? await texts(appliedQuery) : []
  const applied = rows.map(([name, checksum]) => ({ name: `${name}`, checksum: `${checksum}` }))
  const isInOne = applied.some(({ name }) => name === migrationNames('in-one')[1])
  const wanted = isInOne ? 'in-one' : (layoutWished ?? capabilities.layout)
  const layout = applied.length > 1 && !isInOne ? 'in-days' : wanted
  const missing = pendingMigrations(applied, readLayoutMigrations(layout))
  if (!missing.ok) return missing
  const isWhole = applied.length === 0 || (await texts('SELECT 1 FROM half_import')).length === 0
  return success({
    ...capabilities,
    layout,
    missing: missing.value,
    isHalfRestored: !isWhole,
  })
}

const stepsTable = `CREATE TABLE IF NOT EXISTS schema_steps
  (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)`
const recordText = 'INSERT INTO schema_steps (number, name, checksum) VALUES (?, ?, ?)'

const apply = async (
  session: PostgresSession,
  { layout, missing }: SchemaStatus,
): Promise<void> => {
  const names = migrationNames(layout)
  await session.exec(stepsTable)
  for (const step of missing) {
    await session.exec(step.sql)
    const number = names.indexOf(step.name) + 1
    await session.run(recordText, [number, step.name, migrationChecksum(step)])
  }
}

/** SQLSTATEs of the second of two concurrent migrations. */
const raceStates = new Set(['23505', '42P07', '40001', '40P01'])
const raceTriesMax = 5
const racePauseMs = 100

const isRaced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && raceStates.has(String(error.code))

/** Applies the missing migrations in one transaction. */
export const migrateSchema = async (
  client: Client,
  layoutWished?: TableLayout,
): Promise<Outcome<SchemaStatus, string>> => {
  const session = createSession(client)
  for (let tries = 1; ; tries++) {
    const status = await readSchemaStatus(session, layoutWished)
    if (!status.ok || status.value.missing.length === 0) return status
    try {
      await client.query('BEGIN')
      await apply(session, status.value)
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      if (!isRaced(error) || tries === raceTriesMax) throw error
      await sleep(racePauseMs)
    }
  }
}
