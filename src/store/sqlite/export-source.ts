import { setImmediate } from 'node:timers/promises'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { ExportRow, ExportSource } from '../../ports/store-export.ts'
import {
  createStoreExport,
  type ExportedTable,
  exportQuery,
  toExportRow,
} from '../shared/export-tables.ts'
import type { Connection } from './connection.ts'
import { openReader } from './open.ts'

/** A few milliseconds of work, so that a stop signal is handled. */
const pageRows = 500

/** Block times never decrease, so that swaps in the order of their key are in that of time. */
const swapsOrder = ['block', 'log_index', 'pool']

export const sqliteExportQuery = (table: ExportedTable): string =>
  exportQuery(table.name === 'swaps' ? { ...table, order: swapsOrder } : table)

async function* pagesOf(
  connection: Connection,
  table: ExportedTable,
): AsyncGenerator<readonly ExportRow[]> {
  let page: ExportRow[] = []
  for (const row of connection.prepare(sqliteExportQuery(table)).iterate([])) {
    page.push(toExportRow(table, row))
    if (page.length < pageRows) continue
    yield page
    page = []
    await setImmediate()
  }
  if (page.length > 0) yield page
}

/**
 * Opens the store for an export while another process may write it. Until the one read transaction
 * ends, SQLite cannot checkpoint the WAL, which grows with every write.
 */
export const openSqliteExport = ({
  path,
}: {
  readonly path: string
}): Outcome<ExportSource, string> => {
  const opened = openReader(path)
  if (!opened.ok) return opened
  const connection = opened.value
  return success({
    read: (use) =>
      connection.read(async () =>
        use(await createStoreExport(connection, (table) => pagesOf(connection, table))),
      ),
    close: async () => connection.close(),
  })
}
