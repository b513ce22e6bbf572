/** Type of a column in every format; docs/export.md says how each format writes it. */
export type ColumnType =
  | 'text'
  | 'hex'
  | 'magnitude'
  | 'int32'
  | 'int64'
  | 'double'
  | 'flag'
  | 'timestamp'
  | 'date'

/**
 * Timestamps are Unix seconds, dates days since 1970-01-01, flags booleans. Hex is digits of either
 * case without `0x`, as databases return them; all formats write `0x` and lowercase digits. A
 * magnitude is that of an integer in such digits (digits.ts); all formats write it in decimal.
 */
export type Value = string | number | boolean | null

/**
 * Values that many rows share, such as those of a pool, one for each shared column. Rows share them
 * by reference.
 */
export type Shared = readonly Value[]

/** One value for each column that is not shared, in their order. */
export type Row = readonly Value[]

export type Column = {
  readonly name: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** Few different values: Parquet stores each of them once in a row group. */
  readonly repeats: boolean
  /** Its values come from `Shared`. */
  readonly shared: boolean
}

/** Writes the rows of one file. */
export type RowWriter = {
  /** Neither the row nor the shared values may change after the call. */
  readonly add: (row: Row, shared: Shared) => void
  /** Writes what is left; the file is then complete. */
  readonly finish: () => void
}

/** Writes bytes at the end of the file, which the caller may reuse after the call. */
export type WriteBytes = (bytes: Uint8Array) => void

const column =
  (type: ColumnType, repeats: boolean) =>
  (name: string, nullable: 'null' | 'never null' = 'never null'): Column => ({
    name,
    type,
    nullable: nullable === 'null',
    repeats,
    shared: false,
  })

/** A column that rows of the same pool share. */
export const shared = (column: Column): Column => ({ ...column, shared: true })

/** `0x` and lowercase digits. */
export const toHexText = (digits: string): string => `0x${digits.toLowerCase()}`

/** Text of few different values. */
export const label = column('text', true)
/** Text of mostly different values. */
export const text = column('text', false)
/** Bytes of few different values, such as addresses. */
export const hexLabel = column('hex', true)
/** Bytes of mostly different values, such as hashes. */
export const hex = column('hex', false)
/** An exact integer without its sign. */
export const magnitude = column('magnitude', false)
export const int32 = column('int32', false)
export const int64 = column('int64', false)
export const double = column('double', false)
export const flag = column('flag', false)
export const timestamp = column('timestamp', false)
export const date = column('date', false)
