import { quoteSourceIds, referenceRankOf } from '../../domain/price/quote.ts'
import type {
  BackupDefault,
  BackupRow,
  BackupTable,
  StoreBackup,
} from '../../ports/store-backup.ts'
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
export type StoredTable = Omit<BackupTable, 'columns'> & {
  readonly columns: readonly Column[]
  /**
   * The columns that order the rows, the same in every store: equal contents make equal files.
   * Swaps and liquidity changes are ordered by time, the fastest order to read.
   */
  readonly order: readonly string[]
  /** Stored columns that a backup omits, computed from the others. */
  readonly derived: Readonly<Record<string, (row: BackupRow) => ColumnValue>>
}

const constantId = { derived: { id: () => 1 } }

const revision = column('revision', integer)
const lastHotTs = column('lastHotTs', orNull(integer))
const poolColumns = [...poolIdentities.forms, ...poolStates.forms, lastHotTs, revision]

const sourceAt = referencePoints.columns.indexOf('source')
const rankOf = (row: BackupRow): number | null => {
  const source = quoteSourceIds.find((id) => id === row[sourceAt])
  return source === undefined ? null : referenceRankOf(source)
}
const ranked = { derived: { rank: rankOf } }

const storedTable = (
  name: string,
  columns: readonly Column[],
  order: readonly string[],
  more: Partial<Pick<StoredTable, 'derived' | 'defaults' | 'isOptional'>> = {},
): StoredTable => ({ name, columns, order, derived: {}, defaults: {}, isOptional: false, ...more })

/** A pool that holds nothing has no depth; the next start computes the others. */
const emptyDepth: BackupDefault = (valueIn) =>
  valueIn('reserve0') === 0n && valueIn('reserve1') === 0n ? 0n : null

/** Earlier versions read the two protocols of Uniswap. */
const uniswapOf: BackupDefault = (valueIn) => `uniswap-${valueIn('version')}`
const poolDefaults = { depth0: emptyDepth, depth1: emptyDepth, protocol: uniswapOf }

/** Publishers of prices per share said whether the stock is halted. */
const haltTs: BackupDefault = (valueIn) =>
  valueIn('per') === 'share' ? valueIn('published_ts') : null

/** Earlier versions searched for the pools of stocks only, and kept complete searches only. */
const completeSearch = { kind: 'stock', from_block: 0, done: 0, total: 0 }

/** In the order of the backup. */
export const backupTables: readonly StoredTable[] = [
  storedTable('header', headers.forms, [], constantId),
  storedTable('blocks', blocks.forms, ['block']),
  storedTable('replacements', replacements.forms, ['epoch'], { isOptional: true }),
  storedTable('pools', poolColumns, ['number'], { defaults: poolDefaults }),
  storedTable('ticks', ticks.forms, ['pool', 'tick']),
  storedTable('swaps', swaps.forms, ['ts', 'block', 'log_index', 'pool'], {
    defaults: { implausible: false },
  }),
  storedTable('liquidity_changes', liquidityChanges.forms, ['block', 'log_index', 'pool']),
  storedTable('candles', candles.forms, ['pool', 'width', 'ts'], {
    defaults: { implausible: 0, fee_yield: 0, yielded: 0 },
  }),
  storedTable('reference_points', referencePoints.forms, ['address', 'width', 'ts'], ranked),
  storedTable('quotes', quotes.forms, ['address', 'source'], { defaults: { halt_ts: haltTs } }),
  storedTable('reserves', reserves.forms, ['pool', 'source']),
  storedTable('tokens', [...tokens.forms, revision], ['address']),
  storedTable('stocks', [...stocks.forms, revision], ['address'], {
    defaults: { read_failed: false, multiplier_alias: false },
  }),
  storedTable('searched', searches.forms, ['address'], { defaults: completeSearch }),
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
  for (const table of backupTables) {
    const { name } = table
    const rows = (await session.first(rowCount, `SELECT COUNT(*) FROM ${name}`)) ?? 0
    tables.push({ ...table, rows })
  }
  return { identity: header.identity, tables, readTable: (name) => pagesOf(backupTable(name)) }
}
