import type { BackupColumn, BackupValue } from '../../ports/store-backup.ts'
import { type Codec, type ColumnValue, parameterOf } from './codec.ts'

export type Row = readonly ColumnValue[]

/** A record type and its table: one column per field, in a fixed order. */
export type Table<T> = {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns as a backup describes them. */
  readonly forms: readonly Column[]
  readonly toRow: (record: T) => ColumnValue[]
  readonly fromRow: (row: Row) => T
}

/** A table whose columns are the fields of its records. */
export type RecordTable<T> = Table<T> & {
  /**
   * `toRow` for one statement whose driver copies parameters: row and bytes are valid until the
   * next call. Allocating them for each row took a sixth of a backfill's commits.
   */
  readonly createParameters: () => (record: T) => ColumnValue[]
}

/** One column without its record. */
export type Column = BackupColumn & Pick<Codec<BackupValue>, 'toColumn' | 'fromColumn'>

/** Returns the select list of these columns. */
export type ListColumns = (columns: readonly Column[]) => string

const columnName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

export const column = <T>(field: string, codec: Codec<T>): Column => {
  const { form, toColumn, fromColumn } = codec as unknown as Codec<BackupValue>
  return { name: columnName(field), ...form, toColumn, fromColumn }
}

export const table = <T extends object>(
  name: string,
  codecs: { readonly [Field in keyof T]-?: Codec<T[Field]> },
): RecordTable<T> => {
  const fields = Object.keys(codecs) as (keyof T & string)[]
  const columns = fields.map((field) => ({ field, codec: codecs[field] }))
  // Copied for each row: adding fields one by one would reallocate the record.
  const blank = Object.fromEntries(fields.map((field) => [field, null])) as Partial<T>
  return {
    name,
    columns: fields.map(columnName),
    forms: fields.map((field) => column(field, codecs[field])),
    toRow: (record) => columns.map(({ field, codec }) => codec.toColumn(record[field])),
    createParameters: () => {
      const converters = columns.map(({ field, codec }) => ({ field, convert: parameterOf(codec) }))
      const row: ColumnValue[] = columns.map(() => null)
      return (record) => {
        for (let at = 0; at < converters.length; at++) {
          const { field, convert } = converters[at] as (typeof converters)[number]
          row[at] = convert(record[field])
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

/** `carried` names columns of the row that are not part of the record; they come last. */
export const insertInto = <T>(into: Table<T>, carried: readonly string[] = []): string => {
  const columns = [...into.columns, ...carried]
  const parameters = columns.map(() => '?').join(', ')
  return `INSERT INTO ${into.name} (${columns.join(', ')}) VALUES (${parameters})`
}

type Upsert = { readonly key: readonly string[]; readonly carried?: readonly string[] }

/** Replaces rows by key. An equal record leaves its row and the carried columns unchanged. */
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
