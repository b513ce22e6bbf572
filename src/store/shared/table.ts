import type { ExportColumn, ExportValue } from '../../ports/store-export.ts'
import { type Codec, type ColumnValue, parameterOf } from './codec.ts'

export type Row = readonly ColumnValue[]

/** A record type and the table that keeps it, one column per field, in one order. */
export type Table<T> = {
  readonly name: string
  readonly columns: readonly string[]
  /** How each of them is exported. */
  readonly forms: readonly Column[]
  readonly toRow: (record: T) => ColumnValue[]
  readonly fromRow: (row: Row) => T
}

/** A table whose columns are the fields of its records. */
export type RecordTable<T> = Table<T> & {
  /**
   * `toRow` for one statement whose driver copies what it is given: the row and its bytes are good
   * until the next call. To make them anew for each row took a sixth of a backfill's commits.
   */
  readonly createParameters: () => (record: T) => ColumnValue[]
}

/** One column by itself, apart from the record that it is a part of. */
export type Column = ExportColumn & Pick<Codec<ExportValue>, 'toColumn' | 'fromColumn'>

const columnName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const column = <T>(field: string, codec: Codec<T>): Column => {
  const { form, toColumn, fromColumn } = codec as unknown as Codec<ExportValue>
  return { name: columnName(field), ...form, toColumn, fromColumn }
}

export const table = <T extends object>(
  name: string,
  codecs: { readonly [Field in keyof T]-?: Codec<T[Field]> },
): RecordTable<T> => {
  const fields = Object.keys(codecs) as (keyof T & string)[]
  const columns = fields.map((field) => ({ field, codec: codecs[field] }))
  // Copied for each row: fields that come one by one move the whole record now and then.
  const blank = Object.fromEntries(fields.map((field) => [field, null])) as Partial<T>
  return {
    name,
    columns: fields.map(columnName),
    forms: fields.map((field) => column(field, codecs[field])),
    toRow: (record) => columns.map(({ field, codec }) => codec.toColumn(record[field])),
    createParameters: () => {
      const places = columns.map(({ field, codec }) => ({ field, place: parameterOf(codec) }))
      const row: ColumnValue[] = columns.map(() => null)
      return (record) => {
        for (let at = 0; at < places.length; at++) {
          const { field, place } = places[at] as (typeof places)[number]
          row[at] = place(record[field])
        }
        return row
      }
    },
    fromRow: (row) => {
      const record: Partial<T> = { ...blank }
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at] as (typeof columns)[number]
        record[column.field] = column.codec.fromColumn(row[at])
      }
      return record as T
    },
  }
}

/** `a, b, c`, in the order that `fromRow` reads. */
export const columnList = <T>(of: Table<T>): string => of.columns.join(', ')

/**
 * `INSERT INTO t (a, b) VALUES (?, ?)`, in the order that `toRow` gives; `carried` names columns
 * after those that belong to the row and not to the record.
 */
export const insertInto = <T>(into: Table<T>, carried: readonly string[] = []): string => {
  const columns = [...into.columns, ...carried]
  const places = columns.map(() => '?').join(', ')
  return `INSERT INTO ${into.name} (${columns.join(', ')}) VALUES (${places})`
}

type Upsert = { readonly key: readonly string[]; readonly carried?: readonly string[] }

/**
 * Replaces by key what is there already, except that a record which would stay as it is keeps its
 * row as it is, the carried columns included, and counts as no change.
 */
export const replaceOnConflict = <T>(into: Table<T>, { key, carried = [] }: Upsert): string => {
  const compared = into.columns.filter((column) => !key.includes(column))
  const sets = [...compared, ...carried].map((column) => `${column} = excluded.${column}`)
  const differs = compared.map(
    (column) => `${into.name}.${column} IS DISTINCT FROM excluded.${column}`,
  )
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${sets.join(', ')}
    WHERE ${differs.join(' OR ')}`
}

export const upsertInto = <T>(into: Table<T>, upsert: Upsert): string =>
  `${insertInto(into, upsert.carried)} ${replaceOnConflict(into, upsert)}`
