import { quoteSourceIds, referenceRankOf } from '../../domain/price/quote.ts'
import type { BackupRow, StoreBackup } from '../../ports/store-backup.ts'
import { type ColumnValue, integer, orNull } from './codec.ts'
import { headerQuery, headers } from './header-table.ts'
import { poolIdentities, poolStates } from './pool-table.ts'
import { replacements } from './replacement-table.ts'
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
export type StoredTable = {
  readonly name: string
  readonly columns: readonly Column[]
  /**
   * The columns that order the rows, the same in every store: equal contents make equal files.
   * Swaps and liquidity changes are ordered by time, the fastest order to read.
   */
  readonly order: readonly string[]
  /** Stored columns that a backup omits, computed from the others. */
  readonly derived: Readonly<Record<string, (row: BackupRow) => ColumnValue>>
}

const constantId = { id: () => 1 }

const revision = column('revision', integer)
const lastHotTs = column('lastHotTs', orNull(integer))
const poolColumns = [...poolIdentities.forms, ...poolStates.forms, lastHotTs, revision]

const sourceAt = referencePoints.columns.indexOf('source')
const rankOf = (row: BackupRow): number | null => {
  const source = quoteSourceIds.find((id) => id === row[sourceAt])
  return source === undefined ? null : referenceRankOf(source)
}
const ranked = { rank: rankOf }

const storedTable = (
  name: string,
  columns: readonly Column[],
  order: readonly string[],
  derived: StoredTable['derived'] = {},
): StoredTable => ({ name, columns, order, derived })

/** In the order of the backup. */
export const backupTables: readonly StoredTable[] = [
  storedTable('header', headers.forms, [], constantId),
  storedTable('blocks', blocks.forms, ['block']),
  storedTable('replacements', replacements.forms, ['epoch']),
  storedTable('pools', poolColumns, ['number']),
  storedTable('ticks', ticks.forms, ['pool', 'tick']),
  storedTable('swaps', swaps.forms, ['ts', 'block', 'log_index', 'pool']),
  storedTable('liquidity_changes', liquidityChanges.forms, ['block', 'log_index', 'pool']),
  storedTable('candles', candles.forms, ['pool', 'width', 'ts']),
  storedTable('reference_points', referencePoints.forms, ['address', 'width', 'ts'], ranked),
  storedTable('quotes', quotes.forms, ['address', 'source']),
  storedTable('reserves', reserves.forms, ['pool', 'source']),
  storedTable('tokens', [...tokens.forms, revision], ['address']),
  storedTable('stocks', [...stocks.forms, revision], ['address']),
  storedTable('searched', searches.forms, ['address']),
  storedTable('sources', sources.forms, ['source']),
  storedTable('first_reading', bootstrapTable.forms, [], constantId),
  storedTable('first_maps', tickMapCursors.forms, ['pool']),
]

export const backupTable = (name: string): StoredTable => {
  const found = backupTables.find((table) => table.name === name)
  if (found === undefined) throw new Error(`store: no table ${name} is part of a backup`)
  return found
}

/** All rows, in the backup's order. */
export const backupQuery = ({ name, columns, order }: StoredTable): string => {
  const ordered = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`
  return `SELECT ${columns.map((each) => each.name).join(', ')} FROM ${name}${ordered}`
}

/** The columns of a backup, then the derived ones. */
export const restoreColumns = ({ columns, derived }: StoredTable): readonly string[] => [
  ...columns.map(({ name }) => name),
  ...Object.keys(derived),
]

export const toRestoreRow = ({ columns, derived }: StoredTable, row: BackupRow): ColumnValue[] => [
  ...columns.map((each, at) => each.toColumn(row[at] ?? null)),
  ...Object.values(derived).map((derive) => derive(row)),
]

export const toBackupRow = ({ columns }: StoredTable, row: Row): BackupRow =>
  columns.map((each, at) => each.fromColumn(row[at]))

const rowCount: Shape<number> = {
  forms: [integer.form],
  fromRow: ([rows]) => integer.fromColumn(rows),
}

/** The store as the session sees it; null if no indexer has claimed it. */
export const createStoreBackup = async (
  session: Session,
  pagesOf: (table: StoredTable) => ReturnType<StoreBackup['readTable']>,
): Promise<StoreBackup | null> => {
  const header = await session.first(headers, headerQuery)
  if (header === null) return null
  const tables: StoreBackup['tables'][number][] = []
  for (const { name, columns } of backupTables) {
    const rows = (await session.first(rowCount, `SELECT COUNT(*) FROM ${name}`)) ?? 0
    tables.push({ name, columns, rows })
  }
  return { identity: header.identity, tables, readTable: (name) => pagesOf(backupTable(name)) }
}
