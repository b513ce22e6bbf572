import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { ExportRow, ImportSink } from '../../ports/store-export.ts'
import {
  type ExportedTable,
  exportedTable,
  exportedTables,
  importColumns,
  toImportRow,
} from '../shared/export-tables.ts'
import { runInChunks, unnestColumns } from './bulk-insert.ts'
import { connectionOptions, describeConnectError, displayUrl } from './connection-pool.ts'
import { createLease, type LeaseTimer } from './lease.ts'
import { createPartitions, type DailyTable, noPartitions, type Partitions } from './partitions.ts'
import { migratePostgres } from './postgres-store.ts'
import { readSchemaStatus } from './schema.ts'
import { createSession, type PostgresSession } from './session.ts'

/** What an export does not tell, because each store has its own. */
const ownColumns: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  header: { name: 'write_id', text: 'import' },
}

/** Which days' partitions rows of the table need. */
const dailyTables: Readonly<Record<string, DailyTable>> = {
  swaps: 'swaps',
  candles: 'candles_minutes',
  reference_points: 'reference_points_minutes',
}

const ensureDays = async (
  session: PostgresSession,
  partitions: Partitions,
  { name, columns }: ExportedTable,
  rows: readonly ExportRow[],
): Promise<void> => {
  const daily = dailyTables[name]
  if (daily === undefined) return
  const tsAt = columns.findIndex((column) => column.name === 'ts')
  const widthAt = columns.findIndex((column) => column.name === 'width')
  const daysRows = rows.filter((row) => widthAt < 0 || row[widthAt] === secondsPerMinute)
  const times = daysRows.map((row) => Number(row[tsAt]))
  await partitions.ensure(session, daily, times)
}

const insertOf = (table: ExportedTable) => {
  const own = ownColumns[table.name]
  const extra = own === undefined ? [] : [{ name: own.name, kind: 'text' as const }]
  const derived = Object.keys(table.derived).map((name) => ({ name, kind: 'integer' as const }))
  const columns = [...table.columns, ...derived, ...extra]
  const names = [...importColumns(table), ...extra.map(({ name }) => name)].join(', ')
  const sql = `INSERT INTO ${table.name} (${names}) SELECT * FROM ${unnestColumns(columns)}`
  const end = own === undefined ? [] : [own.text]
  return (session: PostgresSession, rows: readonly ExportRow[]) =>
    runInChunks(
      session,
      sql,
      columns,
      rows.map((row) => [...toImportRow(table, row), ...end]),
    )
}

const inserts = new Map(exportedTables.map((table) => [table.name, insertOf(table)]))

const allNames = exportedTables.map(({ name }) => name)
const clearText = `TRUNCATE ${allNames.join(', ')}`
const lookText = `SELECT ${allNames.map((name) => `EXISTS (SELECT 1 FROM ${name})`).join(' OR ')}`

type Open = {
  readonly generation: number
  readonly client: Client
  readonly session: PostgresSession
  readonly partitions: Partitions
  readonly url: string
}

const markText = 'SELECT import FROM half_import FOR UPDATE'
const fenceText = 'SELECT 1 FROM lease WHERE id = 1 AND generation = ? FOR SHARE'
const takenOver = 'was taken over by another writer'

/** By SQLSTATE or its class (postgresql.org/docs, appendix A). */
const faultTexts: Readonly<Record<string, string>> = {
  '22': 'can not hold a value of the file',
  '23': 'can not hold rows that contradict each other',
  '53100': 'has no room left on its disk',
}

const writeFaultOf = (url: string, error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = faultTexts[code] ?? faultTexts[code.slice(0, 2)]
  return known === undefined
    ? describeConnectError(url, error)
    : `store ${displayUrl(url)} ${known}`
}

const createSink = ({ client, session, partitions, generation, url }: Open): ImportSink => {
  const own = randomUUID()
  /** One transaction; the fault of `work`, or of the database, is one line that names the store. */
  const attempt = async (work: () => Promise<string | null>): Promise<Outcome<void, string>> => {
    try {
      await client.query('BEGIN')
      const fault = await work()
      await client.query(fault === null ? 'COMMIT' : 'ROLLBACK')
      return fault === null ? success(undefined) : failure(`store ${displayUrl(url)} ${fault}`)
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      partitions.clearCache()
      return failure(writeFaultOf(url, error))
    }
  }
  const whileOurs = (work: () => Promise<unknown>) =>
    attempt(async () => {
      const marks = await session.texts(markText)
      if (marks[0]?.[0] !== own) return takenOver
      await work()
      // At the end, because the lease can not be renewed while it is looked at.
      const fences = await session.texts(fenceText, [generation])
      return fences.length === 0 ? takenOver : null
    })
  const put = async (table: ExportedTable, rows: readonly ExportRow[]): Promise<void> => {
    await ensureDays(session, partitions, table, rows)
    await inserts.get(table.name)?.(session, rows)
  }
  const unmark = () => session.run('DELETE FROM half_import')
  return {
    tables: exportedTables,
    begin: () =>
      attempt(async () => {
        const marks = await session.texts(markText)
        if (marks.length > 0) await client.query(clearText)
        else if ((await session.texts(lookText))[0]?.[0] === 't') {
          return 'is not empty: an import needs a store of its own'
        }
        await unmark()
        await session.run('INSERT INTO half_import (id, import) VALUES (1, ?)', [own])
        return null
      }),
    write: (table, rows) => whileOurs(() => put(exportedTable(table), rows)),
    finish: (header) =>
      whileOurs(async () => {
        await put(exportedTable('header'), [header])
        await unmark()
      }),
    rollback: () =>
      whileOurs(async () => {
        await client.query(clearText)
        await unmark()
      }),
    close: () => client.end().catch(() => undefined),
  }
}

/** Longer than the lease of a writer lives that was killed. */
const leaseWaitMsMax = 8_000

const connected = async (url: string): Promise<Client> => {
  const client = new Client(connectionOptions(url, 'stockpools import'))
  // What breaks it is told by the next question.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Opens the store that an export goes into, its schema brought up to date, as its one writer: no
 * indexer becomes active meanwhile.
 */
export const openPostgresImport = async ({
  url,
  timer,
  signal,
}: {
  readonly url: string
  readonly timer: LeaseTimer
  /** Ends the wait for the lease. */
  readonly signal: AbortSignal
}): Promise<Outcome<ImportSink, string>> => {
  const migrated = await migratePostgres({ url })
  if (!migrated.ok) return migrated
  const lease = createLease({ url, holder: 'an import', timer })
  let other = ''
  try {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(leaseWaitMsMax)])
    const held = await lease.acquire(waiting, ({ holder }) => {
      other = holder ?? ''
    })
    if (held === null) {
      lease.close()
      return failure(`store ${displayUrl(url)} is being written by ${other}: stop it first`)
    }
    const client = await connected(url)
    const session = createSession(client)
    const standing = await readSchemaStatus(session)
    const isInDays = standing.ok && standing.value.layout === 'in-days'
    const partitions = isInDays ? createPartitions() : noPartitions
    const { generation, release } = held
    const sink = createSink({ client, session, partitions, generation, url })
    return success({
      ...sink,
      close: async () => {
        await sink.close()
        await release()
        lease.close()
      },
    })
  } catch (error) {
    lease.close()
    return failure(describeConnectError(url, error))
  }
}
