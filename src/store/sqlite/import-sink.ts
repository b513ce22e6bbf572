import { randomUUID } from 'node:crypto'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { ExportRow, ImportSink } from '../../ports/store-export.ts'
import {
  type ExportedTable,
  exportedTables,
  importColumns,
  toImportRow,
} from '../shared/export-tables.ts'
import type { Connection } from './connection.ts'
import { describeFileError, openImport } from './open.ts'

const createInsert = (connection: Connection, table: ExportedTable) => {
  const columns = importColumns(table)
  const places = columns.map(() => '?').join(', ')
  const statement = connection.prepare(
    `INSERT INTO ${table.name} (${columns.join(', ')}) VALUES (${places})`,
  )
  return (row: ExportRow): void => {
    statement.run(toImportRow(table, row))
  }
}

/** The mark of a store that is being filled, and by which import. */
const createMark = (connection: Connection) => {
  const read = connection.prepare('SELECT import FROM half_import')
  const insert = connection.prepare('INSERT INTO half_import (id, import) VALUES (1, ?)')
  const remove = connection.prepare('DELETE FROM half_import')
  const holder = () => read.get([])?.[0]
  return {
    isSet: () => holder() !== undefined,
    isOf: (name: string) => holder() === name,
    set: (name: string): void => {
      remove.run([])
      insert.run([name])
    },
    remove: () => remove.run([]),
  }
}

const takenOver = 'was taken over by another import'

const createSink = (path: string, connection: Connection): ImportSink => {
  const name = randomUUID()
  const mark = createMark(connection)
  const inserts = new Map(
    exportedTables.map((table) => [table.name, createInsert(connection, table)]),
  )
  const insertOf = (table: string) => {
    const insert = inserts.get(table)
    if (insert === undefined) throw new Error(`store: no table ${table} is imported`)
    return insert
  }
  const clearings = exportedTables.map((table) => connection.prepare(`DELETE FROM ${table.name}`))
  const looks = exportedTables.map((table) =>
    connection.prepare(`SELECT 1 FROM ${table.name} LIMIT 1`),
  )
  const clear = (): void => {
    for (const clearing of clearings) clearing.run([])
  }
  /** One transaction; the fault of `work`, or of the disk, is one line that names the store. */
  const attempt = async (work: () => string | null): Promise<Outcome<void, string>> => {
    try {
      const fault = await connection.write(work)
      return fault === null ? success(undefined) : failure(`store ${path} ${fault}`)
    } catch (error) {
      return failure(`store ${path} ${describeFileError(error)}`)
    }
  }
  const whileOurs = (work: () => void) =>
    attempt(() => {
      if (!mark.isOf(name)) return takenOver
      work()
      return null
    })
  return {
    tables: exportedTables,
    begin: () =>
      attempt(() => {
        if (mark.isSet()) clear()
        else if (looks.some((look) => look.get([]) !== undefined)) {
          return 'is not empty: an import needs a store of its own'
        }
        mark.set(name)
        return null
      }),
    write: (table, rows) => whileOurs(() => rows.forEach(insertOf(table))),
    finish: (header) =>
      whileOurs(() => {
        insertOf('header')(header)
        mark.remove()
      }),
    rollback: () =>
      whileOurs(() => {
        clear()
        mark.remove()
      }),
    close: async () => connection.close(),
  }
}

/** Opens or creates the store that an export goes into. */
export const openSqliteImport = ({
  path,
}: {
  readonly path: string
}): Outcome<ImportSink, string> => {
  const opened = openImport(path)
  return opened.ok ? success(createSink(path, opened.value)) : opened
}
