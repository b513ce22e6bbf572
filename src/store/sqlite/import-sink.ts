import { type Outcome, success } from '../../domain/outcome.ts'
import type { ImportSink } from '../../ports/store-export.ts'
import {
  type ExportedTable,
  exportedTables,
  importColumns,
  toImportRow,
} from '../shared/export-tables.ts'
import { createImportSink } from '../shared/import-sink.ts'
import type { Connection } from './connection.ts'
import { describeFileError, openImport } from './open.ts'

const prepareInsert = (connection: Connection, table: ExportedTable) => {
  const columns = importColumns(table)
  const parameters = columns.map(() => '?').join(', ')
  return connection.prepare(
    `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${parameters})`,
  )
}

const createSink = (path: string, connection: Connection): ImportSink => {
  const inserts = new Map(
    exportedTables.map((table) => [table.name, prepareInsert(connection, table)]),
  )
  return createImportSink({
    session: connection,
    name: path,
    rowLock: '',
    transaction: connection.write,
    clear: () => {
      for (const { name } of exportedTables) connection.run(`DELETE FROM ${name}`)
    },
    insert: (table, rows) => {
      const statement = inserts.get(table.name)
      for (const row of rows) statement?.run(toImportRow(table, row))
    },
    describeError: (error) => `store ${path} ${describeFileError(error)}`,
    close: async () => connection.close(),
  })
}

/** Opens or creates the store that an export is imported into. */
export const openSqliteImport = ({
  path,
}: {
  readonly path: string
}): Outcome<ImportSink, string> => {
  const opened = openImport(path)
  return opened.ok ? success(createSink(path, opened.value)) : opened
}
