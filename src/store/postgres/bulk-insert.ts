import type { ColumnKind } from '../../ports/store-backup.ts'
import type { ColumnValue } from '../shared/codec.ts'
import type { Parameter, Session } from '../shared/session.ts'
import { replaceOnConflict, type Table } from '../shared/table.ts'
import { arrayType, encodeArray } from './parameters.ts'

/** A column of the row that is not part of the record. */
type Carried<T> = {
  readonly name: string
  readonly kind: ColumnKind
  readonly of: (record: T, revision: number) => ColumnValue
}

/** Writes records with few statements; returns the number of changed rows. */
export type RowsWriter<T> = (
  session: Session,
  records: readonly T[],
  revision?: number,
) => Promise<number>

/** Keeps a statement's arrays below some megabytes of server memory. */
const rowsMax = 10_000

type Columns = readonly { readonly name: string; readonly kind: ColumnKind }[]

/** `unnest(...)` of one array per column. */
export const unnestColumns = (columns: Columns): string =>
  `unnest(${columns.map(({ kind }) => `?::${arrayType(kind)}`).join(', ')})`

/** Rows as one array per column. */
const toArrays = (columns: Columns, rows: readonly (readonly ColumnValue[])[]): Parameter[] =>
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
    const chunk = rows.length <= rowsMax ? rows : rows.slice(from, from + rowsMax)
    changed += await session.run(sql, toArrays(columns, chunk))
  }
  return changed
}

/**
 * Inserts many records with one statement. With `conflict` a key may occur only once per statement:
 * the caller merges records of one key first.
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

/** The last record of each key: the result of writing them one after the other. */
export const lastPerKey = <T>(
  records: readonly T[],
  keyOf: (record: T) => string | number,
): readonly T[] => [...new Map(records.map((record) => [keyOf(record), record])).values()]

/** Bytes as hex digits: as text, different invalid UTF-8 would become equal. */
const keyText = (value: ColumnValue): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)

/** Inserts or replaces by key; an equal record counts as no change. */
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
