import type { StoreExport } from '../../ports/store-export.ts'
import { integer } from './codec.ts'
import { type ExportedTable, exportedTable, exportedTables } from './export-tables.ts'
import { headerQuery, headers } from './header-table.ts'
import type { Session, Shape } from './session.ts'

const counts: Shape<number> = {
  forms: [integer.form],
  fromRow: ([rows]) => integer.fromColumn(rows),
}

/** A store as the session sees it; null if nobody claimed it. */
export const createStoreExport = async (
  session: Session,
  pagesOf: (table: ExportedTable) => ReturnType<StoreExport['readTable']>,
): Promise<StoreExport | null> => {
  const header = await session.first(headers, headerQuery)
  if (header === null) return null
  const tables: StoreExport['tables'][number][] = []
  for (const { name, columns } of exportedTables) {
    const rows = (await session.first(counts, `SELECT COUNT(*) FROM ${name}`)) ?? 0
    tables.push({ name, columns, rows })
  }
  return { identity: header.identity, tables, readTable: (name) => pagesOf(exportedTable(name)) }
}
