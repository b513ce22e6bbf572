import type { ColumnKind } from '../../ports/store-export.ts'
import type { ColumnValue } from '../shared/codec.ts'
import type { Parameter, Session } from '../shared/session.ts'
import { replaceOnConflict, type Table } from '../shared/table.ts'
import { arrayType, encodeArray } from './parameters.ts'

/** A column that belongs to the row and not to the record. */
type Carried<T> = {
  readonly name: string
  readonly kind: ColumnKind
  readonly of: (record: T, revision: number) => ColumnValue
}

/** Writes records with as few statements as possible; answers how many rows that changed. */
export type RowsWriter<T> = (
  session: Session,
  records: readonly T[],
  revision?: number,
) => Promise<number>

/** A statement's arrays stay well below the megabytes at which a server's memory is felt. */
const rowsMax = 10_000

type Columns = readonly { readonly name: string; readonly kind: ColumnKind }[]

/** `unnest(...)` of one array per column. */
export const unnestColumns = (columns: Columns): string =>
  `unnest(${columns.map(({ kind }) => `?::${arrayType(kind)}`).join(', ')})`

/** Rows as one array per column. */
const arraysOf = (columns: Columns, rows: readonly (readonly ColumnValue[])[]): Parameter[] =>
  columns.map(({ kind }, at) =>
    encodeArray(
      kind,
      rows.map((row) => row[at] ?? null),
    ),
  )

/** Runs a statement over `unnestOf(columns)` as often as the number of rows asks for. */
export const runInChunks = async (
  session: Session,
  sql: string,
  columns: Columns,
  rows: readonly (readonly ColumnValue[])[],
): Promise<number> => {
  let changed = 0
  for (let from = 0; from < rows.length; from += rowsMax) {
    const piece = rows.length <= rowsMax ? rows : rows.slice(from, from + rowsMax)
    changed += await session.run(sql, arraysOf(columns, piece))
  }
  return changed
}

/**
 * Insertion of many records by one statement. `conflict` may not meet one key twice in a statement:
 * records of one key are to be merged before.
 */
export const createInsert = <T>(
  into: Table<T>,
  {
    conflict = '',
    carried = [],
  }: { readonly conflict?: string; readonly carried?: readonly Carried<T>[] } = {},
): RowsWriter<T> => {
  const columns = [...into.forms, ...carried]
  const names = columns.map(({ name }) => name).join(', ')
  const sql = `INSERT INTO ${into.name} (${names})
    SELECT * FROM ${unnestColumns(columns)} ${conflict}`
  return (session, records, revision = 0) => {
    const rows = records.map((record) => [
      ...into.toRow(record),
      ...carried.map(({ of }) => of(record, revision)),
    ])
    return runInChunks(session, sql, columns, rows)
  }
}

/** The last of each key: what would be left if the records were written one after the other. */
export const lastPerKey = <T>(
  records: readonly T[],
  keyOf: (record: T) => string | number,
): readonly T[] => [...new Map(records.map((record) => [keyOf(record), record])).values()]

/** Bytes as hex digits: as text, those that are no UTF-8 would all be one. */
const keyText = (value: ColumnValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

/** Inserts or replaces by key; a record that would stay as it is counts as no change. */
export const createUpsert = <T>(
  into: Table<T>,
  key: readonly string[],
  carried: readonly Carried<T>[] = [],
): RowsWriter<T> => {
  const names = carried.map(({ name }) => name)
  const conflict = replaceOnConflict(into, { key, carried: names })
  const write = createInsert(into, { conflict, carried })
  const places = key.map((name) => into.columns.indexOf(name))
  const keyOf = (record: T): string => {
    const row = into.toRow(record)
    return places.map((at) => keyText(row[at] ?? null)).join(' ')
  }
  return (session, records, revision) => write(session, lastPerKey(records, keyOf), revision)
}
