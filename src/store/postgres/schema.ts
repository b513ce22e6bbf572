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

/** How the tables stand from which whole days are forgotten. */
export type TableLayout = 'in-days' | 'in-one'

/** Forward only: a step that has been released is never edited, a new one is added instead. */
const stepNames = (layout: TableLayout): readonly string[] => [
  '0001-first-schema.sql',
  `0002-series-${layout}.sql`,
]

const readSchemaSteps = (layout: TableLayout): readonly Migration[] =>
  readMigrations(new URL('./migrations/', import.meta.url), stepNames(layout))

/**
 * What a server can do beyond what PostgreSQL and its distributed kin share (docs/decisions). By
 * name, because a statement that is refused would end the transaction that asks.
 */
export type ServerCapabilities = { readonly layout: TableLayout; readonly notifies: boolean }

export const serverCapabilities = (version: string): ServerCapabilities => {
  const isPostgres = version.startsWith('PostgreSQL') && !version.includes('-YB-')
  return { layout: isPostgres ? 'in-days' : 'in-one', notifies: isPostgres }
}

export type SchemaStatus = ServerCapabilities & {
  /** The steps that are missing yet. */
  readonly missing: readonly Migration[]
  readonly isHalfImported: boolean
}

const tablesText = `SELECT table_name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_name IN ('schema_steps', 'header', 'lease')`
const appliedText = 'SELECT name, checksum FROM schema_steps ORDER BY number'

/** What a database is to us, or why it is not ours to use; changes nothing. */
export const readSchemaStatus = async (
  { texts }: PostgresSession,
  layoutWished?: TableLayout,
): Promise<Outcome<SchemaStatus, string>> => {
  const [version] = await texts('SELECT version()')
  const abilities = serverCapabilities(version?.[0] ?? '')
  const tables = (await texts(tablesText)).map(([name]) => name)
  const isOurs = tables.includes('schema_steps')
  if (!isOurs && tables.length > 0) return failure('belongs to another program')
  const rows = isOurs ? await texts(appliedText) : []
  const applied = rows.map(([name, checksum]) => ({ name: `${name}`, checksum: `${checksum}` }))
  const isInOne = applied.some(({ name }) => name === stepNames('in-one')[1])
  const madeAs = isInOne ? 'in-one' : (layoutWished ?? abilities.layout)
  const layout = applied.length > 1 && !isInOne ? 'in-days' : madeAs
  const missing = pendingMigrations(applied, readSchemaSteps(layout))
  if (!missing.ok) return missing
  const isWhole = applied.length === 0 || (await texts('SELECT 1 FROM half_import')).length === 0
  return success({
    ...abilities,
    layout,
    missing: missing.value,
    isHalfImported: !isWhole,
  })
}

const stepsTable = `CREATE TABLE IF NOT EXISTS schema_steps
  (number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL)`
const recordText = 'INSERT INTO schema_steps (number, name, checksum) VALUES (?, ?, ?)'

const apply = async (
  session: PostgresSession,
  { layout, missing }: SchemaStatus,
): Promise<void> => {
  const names = stepNames(layout)
  await session.exec(stepsTable)
  for (const step of missing) {
    await session.exec(step.sql)
    const number = names.indexOf(step.name) + 1
    await session.run(recordText, [number, step.name, migrationChecksum(step)])
  }
}

/** What two who create the same things at once run into: the second finds them made. */
const raced = new Set(['23505', '42P07', '40001', '40P01'])
const raceTriesMax = 5
const racePauseMs = 100

const isRaced = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && raced.has(String(error.code))

/** Brings the schema up to date in one transaction, or says why it can not be used. */
export const migrateSchema = async (
  client: Client,
  layoutWished?: TableLayout,
): Promise<Outcome<SchemaStatus, string>> => {
  const session = createSession(client)
  for (let tries = 1; ; tries++) {
    const standing = await readSchemaStatus(session, layoutWished)
    if (!standing.ok || standing.value.missing.length === 0) return standing
    try {
      await client.query('BEGIN')
      await apply(session, standing.value)
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      if (!isRaced(error) || tries === raceTriesMax) throw error
      await sleep(racePauseMs)
    }
  }
}
