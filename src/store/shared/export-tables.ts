import type { ExportRow, StoreExport } from '../../ports/store-export.ts'
import { type ColumnValue, hex, integer, orNull } from './codec.ts'
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
  referenceRank,
  reserves,
  sources,
  stocks,
  swaps,
  tickMapCursors,
  ticks,
  tokens,
} from './tables.ts'

/** What every store has in common, column by column, as an export knows it. */
export type ExportedTable = {
  readonly name: string
  readonly columns: readonly Column[]
  /**
   * The columns that put the rows in order: the same in every store, so that one chain makes one
   * file. Swaps and changes of liquidity go by time, as they came and as they are read fastest.
   */
  readonly order: readonly string[]
  /** Columns of the table that follow from the others, or from nothing. */
  readonly derived: Readonly<Record<string, (row: ExportRow) => ColumnValue>>
}

const one = { id: () => 1 }
const none = {}

const revision = column('revision', integer)
const lastHotTs = column('lastHotTs', orNull(integer))
const poolColumns = [...poolIdentities.forms, ...poolStates.forms, lastHotTs, revision]

const sourceAt = referencePoints.columns.indexOf('source')
const ranks: Readonly<Record<string, number>> = referenceRank
const ranked = { rank: (row: ExportRow) => ranks[String(row[sourceAt])] ?? null }

const tableOf = (
  name: string,
  columns: readonly Column[],
  order: readonly string[],
  derived: ExportedTable['derived'] = none,
): ExportedTable => ({ name, columns, order, derived })

/** In the order of the export. */
export const exportedTables: readonly ExportedTable[] = [
  tableOf('header', headers.forms, [], one),
  tableOf('blocks', blocks.forms, ['block']),
  tableOf('pools', poolColumns, ['number']),
  tableOf('ticks', ticks.forms, ['pool', 'tick']),
  tableOf('swaps', swaps.forms, ['ts', 'pool', 'block', 'log_index']),
  tableOf('liquidity_changes', liquidityChanges.forms, ['block', 'log_index', 'pool']),
  tableOf('candles', candles.forms, ['pool', 'width', 'ts']),
  tableOf('reference_points', referencePoints.forms, ['address', 'width', 'ts'], ranked),
  tableOf('quotes', quotes.forms, ['address', 'source']),
  tableOf('reserves', reserves.forms, ['pool', 'source']),
  tableOf('tokens', [...tokens.forms, revision], ['address']),
  tableOf('stocks', [...stocks.forms, revision], ['address']),
  tableOf('searched', [column('address', hex)], ['address']),
  tableOf('sources', sources.forms, ['source']),
  tableOf('first_reading', bootstrapTable.forms, [], one),
  tableOf('first_maps', tickMapCursors.forms, ['pool']),
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

/** Of the columns, and after them of those that are derived. */
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
