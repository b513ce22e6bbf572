import { usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { Hex } from '../../domain/units.ts'
import type { ExportColumn } from '../../ports/store-export.ts'
import { type Allocate, allocateNew, bigintBytes, createReusedBuffers, hexBytes } from './bytes.ts'

/** What a driver is given for a column, and what it gives back: flags are 0 or 1. */
export type ColumnValue = number | bigint | string | Uint8Array | null

/** How one kind of value stands in a column. A value that does not fit is a bug and throws. */
export type Codec<T> = {
  /** What an export says of it. */
  readonly form: Omit<ExportColumn, 'name'>
  readonly toColumn: (value: T) => ColumnValue
  readonly fromColumn: (column: ColumnValue | undefined) => T
  /**
   * `toColumn` for one place of a statement whose driver copies what it is given: bytes are good
   * until the next call. Left out where no bytes are made.
   */
  readonly createParameter?: () => (value: T) => ColumnValue
}

const misfit = (expected: string, value: unknown): never => {
  throw new TypeError(`store: expected ${expected}, not ${typeof value} ${String(value)}`)
}

const formOf = (kind: ExportColumn['kind']): Codec<unknown>['form'] => ({
  kind,
  nullable: false,
  only: null,
})

/** Beyond 2^53 a number written could never be read again: refused before it is stored. */
export const integer: Codec<number> = {
  form: formOf('integer'),
  toColumn: (value) => (Number.isSafeInteger(value) ? value : misfit('a safe integer', value)),
  fromColumn: (column) => (typeof column === 'number' ? column : misfit('an integer', column)),
}

/** SQLite would turn NaN into NULL without a word, hence the check. */
export const real: Codec<number> = {
  form: formOf('real'),
  toColumn: (value) => (Number.isFinite(value) ? value : misfit('a finite number', value)),
  fromColumn: (column) => (typeof column === 'number' ? column : misfit('a number', column)),
}

/**
 * Millionths of a dollar, saturating at `usdMicroMax` as the domain's sums do: a row beyond it must
 * not make every other pool's rows unreadable.
 */
export const usdMicro: Codec<number> = {
  form: formOf('integer'),
  toColumn: (value) => integer.toColumn(Math.min(value, usdMicroMax)),
  fromColumn: (column) => Math.min(integer.fromColumn(column), usdMicroMax),
}

export const flag: Codec<boolean> = {
  form: formOf('flag'),
  toColumn: (value) => (value ? 1 : 0),
  fromColumn: (column) => integer.fromColumn(column) === 1,
}

export const text: Codec<string> = {
  form: formOf('text'),
  toColumn: (value) => value,
  fromColumn: (column) => (typeof column === 'string' ? column : misfit('text', column)),
}

export const oneOf = <const T extends string>(values: readonly T[]): Codec<T> => ({
  form: { ...formOf('text'), only: values },
  toColumn: (value) => value,
  fromColumn: (column) => values.find((value) => value === column) ?? misfit('a name', column),
})

const hexDigits = Buffer.from('0123456789abcdef')
const prefix = Buffer.from('0x')
/** For a hash, an address, an amount: all but a few values. */
const shortBytesMax = 32
const shortText = Buffer.concat([prefix, Buffer.alloc(shortBytesMax * 2)])

/**
 * `0x` and the digits, written as one text: one that is joined together takes twice the memory and
 * the time. A query may ask for them in the place of the bytes.
 */
const hexTextOf = (column: ColumnValue | undefined): Hex => {
  if (typeof column === 'string' && column.startsWith('0x')) return column as Hex
  if (!(column instanceof Uint8Array)) return misfit('bytes', column)
  if (column.length > shortBytesMax) return `0x${Buffer.from(column).toString('hex')}`
  let end = prefix.length
  for (const byte of column) {
    shortText[end++] = hexDigits[byte >> 4] as number
    shortText[end++] = hexDigits[byte & 15] as number
  }
  return shortText.toString('latin1', 0, end) as Hex
}

/** How a value is written into bytes, be they new or used again. */
const written = <T>(write: (value: T, room: Allocate) => ColumnValue) => ({
  toColumn: (value: T): ColumnValue => write(value, allocateNew),
  createParameter: () => {
    const room = createReusedBuffers()
    return (value: T): ColumnValue => write(value, room)
  },
})

/** Half the size of its text. */
export const hex: Codec<Hex> = {
  form: formOf('bytes'),
  ...written((value, room) => hexBytes(value, room) ?? misfit('whole hex bytes', value)),
  fromColumn: hexTextOf,
}

/** Any size, no engine's limit. */
export const bigint: Codec<bigint> = {
  form: formOf('bigint'),
  ...written(bigintBytes),
  fromColumn: (column) => {
    const text = hexTextOf(column)
    return BigInt.asIntN((text.length - prefix.length) * 4, BigInt(text))
  },
}

/** For one place of a statement, as `createPlace` says. */
export const parameterOf = <T>({
  createParameter: createPlace,
  toColumn,
}: Codec<T>): ((value: T) => ColumnValue) => createPlace?.() ?? toColumn

export const orNull = <T>(codec: Codec<T>): Codec<T | null> => ({
  form: { ...codec.form, nullable: true },
  toColumn: (value) => (value === null ? null : codec.toColumn(value)),
  fromColumn: (column) => (column === null ? null : codec.fromColumn(column)),
  createParameter: () => {
    const place = parameterOf(codec)
    return (value) => (value === null ? null : place(value))
  },
})
