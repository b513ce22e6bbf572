import { quoteSourceIds, referenceRankOf } from '../../domain/price/quote.ts'
import type { ExportRow, StoreExport } from '../../ports/store-export.ts'
import { type ColumnValue, integer, orNull } from './codec.ts'
import { headerQuery, headers } from './header-table.ts'
import { poolIdentities, poolStates } from './pool-table.ts'
import type { Session, Shape } from './session.ts'
import { type Column, column, type Row } from './table.ts'
import {
  blocks,
  bootstrapTable,
  candles,
  liquidityChanges,
  quotes,
  referencePoints,
  reserves,
  searches,
  sources,
  stocks,
  swaps,
  tickMapCursors,
  ticks,
  tokens,
} from './tables.ts'

/** A table with the columns that all stores share. */
export type ExportedTable = {
  readonly name: string
  readonly columns: readonly Column[]
  /**
   * The columns that order the rows, the same in every store: equal contents make equal files.
   * Swaps and liquidity changes are ordered by time, the fastest order to read.
   */
  readonly order: readonly string[]
  /** Stored columns that an export omits, computed from the others. */
  readonly derived: Readonly<Record<string, (row: ExportRow) => ColumnValue>>
}

const constantId = { id: () => 1 }

const revision = column('revision', integer)
const lastHotTs = column('lastHotTs', orNull(integer))
const poolColumns = [...poolIdentities.forms, ...poolStates.forms, lastHotTs, revision]

const sourceAt = referencePoints.columns.indexOf('source')
const rankOf = (row: ExportRow): number | null => {
  const source = quoteSourceIds.find((id) => id === row[sourceAt])
  return source === undefined ? null : referenceRankOf(source)
}
const ranked = { rank: rankOf }

const exportTable = (
  name: string,
  columns: readonly Column[],
  order: readonly string[],
  derived: ExportedTable['derived'] = {},
): ExportedTable => ({ name, columns, order, derived })

/** In the order of the export. */
export const exportedTables: readonly ExportedTable[] = [
  exportTable('header', headers.forms, [], constantId),
  exportTable('blocks', blocks.forms, ['block']),
  exportTable('pools', poolColumns, ['number']),
  exportTable('ticks', ticks.forms, ['pool', 'tick']),
  exportTable('swaps', swaps.forms, ['ts', 'block', 'log_index', 'pool']),
  exportTable('liquidity_changes', liquidityChanges.forms, ['block', 'log_index', 'pool']),
  exportTable('candles', candles.forms, ['pool', 'width', 'ts']),
  exportTable('reference_points', referencePoints.forms, ['address', 'width', 'ts'], ranked),
  exportTable('quotes', quotes.forms, ['address', 'source']),
  exportTable('reserves', reserves.forms, ['pool', 'source']),
  exportTable('tokens', [...tokens.forms, revision], ['address']),
  exportTable('stocks', [...stocks.forms, revision], ['address']),
  exportTable('searched', searches.forms, ['address']),
  exportTable('sources', sources.forms, ['source']),
  exportTable('first_reading', bootstrapTable.forms, [], constantId),
  exportTable('first_maps', tickMapCursors.forms, ['pool']),
]

export const exportedTable = (name: string): ExportedTable => {
  const found = exportedTables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`store: no table ${name} is exported`)
  return found
}

/** All rows, in the export's order. */
export const exportQuery = ({ name, columns, order }: ExportedTable): string => {
  const ordered = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`
  return `SELECT ${columns.map((each) => each.name).join(', ')} FROM ${name}${ordered}`
}

/** The exported columns, then the derived ones. */
export const importColumns = ({ columns, derived }: ExportedTable): readonly string[] => [
  ...columns.map(({ name }) => name),
  ...Object.keys(derived),
]

export const toImportRow = ({ columns, derived }: ExportedTable, row: ExportRow): ColumnValue[] => [
  ...columns.map((each, at) => each.toColumn(row[at] ?? null)),
  ...Object.values(derived).map((derive) => derive(row)),
]

export const toExportRow = ({ columns }: ExportedTable, row: Row): ExportRow =>
  columns.map((each, at) => each.fromColumn(row[at]))

const rowCount: Shape<number> = {
  forms: [integer.form],
  fromRow: ([rows]) => integer.fromColumn(rows),
}

/** The store as the session sees it; null if no indexer has claimed it. */
export const createStoreExport = async (
  session: Session,
  pagesOf: (table: ExportedTable) => ReturnType<StoreExport['readTable']>,
): Promise<StoreExport | null> => {
  const header = await session.first(headers, headerQuery)
  if (header === null) return null
  const tables: StoreExport['tables'][number][] = []
  for (const { name, columns } of exportedTables) {
    const rows = (await session.first(rowCount, `SELECT COUNT(*) FROM ${name}`)) ?? 0
    tables.push({ name, columns, rows })
  }
  return { identity: header.identity, tables, readTable: (name) => pagesOf(exportedTable(name)) }
}
