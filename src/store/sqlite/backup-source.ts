import { setImmediate } from 'node:timers/promises'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BackupRow, BackupSource } from '../../ports/store-backup.ts'
import {
  backupQuery,
  createStoreBackup,
  type StoredTable,
  toBackupRow,
} from '../shared/backup-tables.ts'
import type { Connection } from './connection.ts'
import { openReader } from './open.ts'

/** A few milliseconds of work, so that a stop signal is handled. */
const pageRows = 500

/** Block times never decrease, so that swaps in the order of their key are in that of time. */
const swapsOrder = ['block', 'log_index', 'pool']

export const sqliteBackupQuery = (table: StoredTable): string =>
  backupQuery(table.name === 'swaps' ? { ...table, order: swapsOrder } : table)

async function* pagesOf(
  connection: Connection,
  table: StoredTable,
): AsyncGenerator<readonly BackupRow[]> {
  let page: BackupRow[] = []
  for (const row of connection.prepare(sqliteBackupQuery(table)).iterate([])) {
    page.push(toBackupRow(table, row))
    if (page.length < pageRows) continue
    yield page
    page = []
    await setImmediate()
  }
  if (page.length > 0) yield page
}

/**
 * Opens the store for a backup while another process may write it. Until the one read transaction
 * ends, SQLite cannot checkpoint the WAL, which grows with every write.
 */
export const openSqliteBackup = ({
  path,
}: {
  readonly path: string
}): Outcome<BackupSource, string> => {
  const opened = openReader(path)
  if (!opened.ok) return opened
  const connection = opened.value
  return success({
    read: (use) =>
      connection.read(async () =>
        use(await createStoreBackup(connection, (table) => pagesOf(connection, table))),
      ),
    close: async () => connection.close(),
  })
}
