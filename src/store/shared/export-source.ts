import type { StoreExport } from '../../ports/store-export.ts'
import { integer } from './codec.ts'
import { type DumpedTable, dumpedTable, dumpedTables } from './export-tables.ts'
import { headers, headerText } from './header-table.ts'
import type { Session, Shape } from './session.ts'

const counts: Shape<number> = {
  forms: [integer.form],
  fromRow: ([rows]) => integer.fromColumn(rows),
}

/** A store as the session sees it; null if nobody claimed it. */
export const createDump = async (
  session: Session,
  pagesOf: (table: DumpedTable) => ReturnType<StoreExport['rowsOf']>,
): Promise<StoreExport | null> => {
  const header = await session.first(headers, headerText)
  if (header === null) return null
  const tables: StoreExport['tables'][number][] = []
  for (const { name, columns } of dumpedTables) {
    const rows = (await session.first(counts, `SELECT COUNT(*) FROM ${name}`)) ?? 0
    tables.push({ name, columns, rows })
  }
  return { identity: header.identity, tables, rowsOf: (name) => pagesOf(dumpedTable(name)) }
}
