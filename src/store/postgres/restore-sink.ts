import { Client } from 'pg'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { secondsPerMinute } from '../../domain/time.ts'
import type { BackupRow, RestoreSink } from '../../ports/store-backup.ts'
import {
  backupTables,
  restoreColumns,
  type StoredTable,
  toRestoreRow,
} from '../shared/backup-tables.ts'
import { createRestoreSink } from '../shared/restore-sink.ts'
import { runInChunks, unnestColumns } from './bulk-insert.ts'
import { connectionOptions, describeConnectError, displayUrl } from './connection-pool.ts'
import { createLease, type LeaseTimer } from './lease.ts'
import { createPartitions, type DailyTable, noPartitions, type Partitions } from './partitions.ts'
import { migratePostgres } from './postgres-store.ts'
import { readSchemaStatus } from './schema.ts'
import { createSession, type PostgresSession } from './session.ts'

/** Columns that a backup omits, because each store has its own. */
const ownColumns: Readonly<Record<string, { readonly name: string; readonly text: string }>> = {
  header: { name: 'write_id', text: 'restore' },
}

/** Tables whose rows need a partition per day. */
const dailyTables: Readonly<Record<string, DailyTable>> = {
  swaps: 'swaps',
  candles: 'candles_minutes',
  reference_points: 'reference_points_minutes',
}

const ensureDays = async (
  session: PostgresSession,
  partitions: Partitions,
  { name, columns }: StoredTable,
  rows: readonly BackupRow[],
): Promise<void> => {
  const daily = dailyTables[name]
  if (daily === undefined) return
  const tsAt = columns.findIndex((column) => column.name === 'ts')
  const widthAt = columns.findIndex((column) => column.name === 'width')
  const daysRows = rows.filter((row) => widthAt < 0 || row[widthAt] === secondsPerMinute)
  const times = daysRows.map((row) => Number(row[tsAt]))
  await partitions.ensure(session, daily, times)
}

const createTableInsert = (table: StoredTable) => {
  const own = ownColumns[table.name]
  const extra = own === undefined ? [] : [{ name: own.name, kind: 'text' as const }]
  const derived = Object.keys(table.derived).map((name) => ({ name, kind: 'integer' as const }))
  const columns = [...table.columns, ...derived, ...extra]
  const names = [...restoreColumns(table), ...extra.map(({ name }) => name)].join(', ')
  const sql = `INSERT INTO ${table.name} (${names}) SELECT * FROM ${unnestColumns(columns)}`
  const end = own === undefined ? [] : [own.text]
  return (session: PostgresSession, rows: readonly BackupRow[]) =>
    runInChunks(
      session,
      sql,
      columns,
      rows.map((row) => [...toRestoreRow(table, row), ...end]),
    )
}

const inserts = new Map(backupTables.map((table) => [table.name, createTableInsert(table)]))
const clearSql = `TRUNCATE ${backupTables.map(({ name }) => name).join(', ')}`
const leaseSql = 'SELECT 1 FROM lease WHERE id = 1 AND generation = ? FOR SHARE'

/** By SQLSTATE or its class (postgresql.org/docs, appendix A). */
const faultTexts: Readonly<Record<string, string>> = {
  '22': 'cannot hold a value of the file',
  '23': 'cannot hold rows that contradict each other',
  '53100': 'has no room left on its disk',
}

const describeWriteError = (url: string, error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = faultTexts[code] ?? faultTexts[code.slice(0, 2)]
  return known === undefined
    ? describeConnectError(url, error)
    : `store ${displayUrl(url)} ${known}`
}

type SinkDeps = {
  readonly generation: number
  readonly client: Client
  readonly session: PostgresSession
  readonly partitions: Partitions
  readonly url: string
}

const createSink = ({ client, session, partitions, generation, url }: SinkDeps): RestoreSink =>
  createRestoreSink({
    session,
    name: displayUrl(url),
    rowLock: ' FOR UPDATE',
    transaction: async (work) => {
      try {
        await client.query('BEGIN')
        const fault = await work()
        await client.query(fault === null ? 'COMMIT' : 'ROLLBACK')
        return fault
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined)
        partitions.clearCache()
        throw error
      }
    },
    clear: () => client.query(clearSql),
    insert: async (table, rows) => {
      await ensureDays(session, partitions, table, rows)
      await inserts.get(table.name)?.(session, rows)
    },
    // At the end of a transaction: the lease cannot be renewed while this locks its row.
    checkLease: async () =>
      (await session.texts(leaseSql, [generation])).length === 0
        ? 'was taken over by another writer'
        : null,
    describeError: (error) => describeWriteError(url, error),
    close: () => client.end().catch(() => undefined),
  })

/** Longer than the lease of a killed writer lasts. */
const leaseWaitMsMax = 8_000

const connect = async (url: string): Promise<Client> => {
  const client = new Client(connectionOptions(url, 'stockpools restore'))
  // The next query rejects after the connection breaks.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Opens and migrates the store that a backup is restored into. Holds the lease, so that
 * no indexer becomes leader until the sink is closed.
 */
export const openPostgresRestore = async ({
  url,
  timer,
  signal,
}: {
  readonly url: string
  readonly timer: LeaseTimer
  /** Ends the wait for the lease. */
  readonly signal: AbortSignal
}): Promise<Outcome<RestoreSink, string>> => {
  const migrated = await migratePostgres({ url })
  if (!migrated.ok) return migrated
  const lease = createLease({ url, holder: 'a restore', timer })
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
    const client = await connect(url)
    const session = createSession(client)
    const status = await readSchemaStatus(session)
    const isInDays = status.ok && status.value.layout === 'in-days'
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
