import { type Outcome, success } from '../../domain/outcome.ts'
import type { RestoreSink } from '../../ports/store-backup.ts'
import {
  backupTables,
  restoreColumns,
  type StoredTable,
  toRestoreRow,
} from '../shared/backup-tables.ts'
import { createRestoreSink } from '../shared/restore-sink.ts'
import type { Connection } from './connection.ts'
import { describeFileError, openRestore } from './open.ts'

const prepareInsert = (connection: Connection, table: StoredTable) => {
  const columns = restoreColumns(table)
  const parameters = columns.map(() => '?').join(', ')
  return connection.prepare(
    `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${parameters})`,
  )
}

const createSink = (path: string, connection: Connection): RestoreSink => {
  const inserts = new Map(
    backupTables.map((table) => [table.name, prepareInsert(connection, table)]),
  )
  return createRestoreSink({
    session: connection,
    name: path,
    rowLock: '',
    transaction: connection.write,
    clear: () => {
      for (const { name } of backupTables) connection.run(`DELETE FROM ${name}`)
    },
    insert: (table, rows) => {
      const statement = inserts.get(table.name)
      for (const row of rows) statement?.run(toRestoreRow(table, row))
    },
    describeError: (error) => `store ${path} ${describeFileError(error)}`,
    close: async () => connection.close(),
  })
}

/** Opens or creates the store that a backup is restored into. */
export const openSqliteRestore = ({
  path,
}: {
  readonly path: string
}): Outcome<RestoreSink, string> => {
  const opened = openRestore(path)
  return opened.ok ? success(createSink(path, opened.value)) : opened
}
