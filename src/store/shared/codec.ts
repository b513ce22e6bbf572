import { usdMicroMax } from '../../domain/pool/stored-rows.ts'
import type { Hex } from '../../domain/units.ts'
import type { BackupColumn } from '../../ports/store-backup.ts'

/** A column's value as drivers bind and return it: flags are 0 or 1. */
export type ColumnValue = number | bigint | string | Uint8Array | null

/** Returns a buffer of this length, which the caller may use until the next call. */
type Allocate = (length: number) => Buffer

const allocateNew: Allocate = (length) => Buffer.allocUnsafe(length)

/** Reuses one buffer per length: a backfill would allocate millions. */
const createReusedBuffers = (): Allocate => {
  const buffers: Buffer[] = []
  return (length) => {
    buffers[length] ??= Buffer.alloc(length)
    return buffers[length]
  }
}

/** The bytes of `0x…` text; null if the digits are not complete bytes, which `write` ignores. */
const hexBytes = (text: string, allocate: Allocate): Buffer | null => {
  const length = Math.max(0, Math.trunc(text.length / 2) - 1)
  const bytes = allocate(length)
  const written = bytes.write(text.slice(2), 'hex')
  return written * 2 + 2 === text.length ? bytes : null
}

const wordBits = 64
const wordBytes = wordBits / 8

/** Two views of the same memory. */
type Words = { readonly view: DataView; readonly bytes: Uint8Array }

const createWords = (bytes: number): Words => {
  const memory = new ArrayBuffer(bytes)
  return { view: new DataView(memory), bytes: new Uint8Array(memory) }
}

/** The byte only repeats the sign, which the next byte carries as well. */
const isRedundant = (byte: number, next: number): boolean =>
  (byte === 0 && next < 0x80) || (byte === 0xff && next >= 0x80)

/** Converts by 64-bit words instead of hex digits: a third of the time, and no text. */
const writeBigint = (words: Words, value: bigint, allocate: Allocate): Buffer => {
  const { view, bytes } = words
  const last = bytes.length - 1
  let at = bytes.length - wordBytes
  let remaining = value
  view.setBigUint64(at, BigInt.asUintN(wordBits, remaining))
  while (BigInt.asIntN(wordBits, remaining) !== remaining) {
    if (at === 0) return writeBigint(createWords(bytes.length * 2), value, allocate)
    at -= wordBytes
    remaining >>= 64n
    view.setBigUint64(at, BigInt.asUintN(wordBits, remaining))
  }
  while (at < last && isRedundant(bytes[at] as number, bytes[at + 1] as number)) at += 1
  const written = allocate(bytes.length - at)
  for (let to = 0; to < written.length; to += 1) written[to] = bytes[at + to] as number
  return written
}

/** Fits every integer of a contract and a sign. */
const contractWords = createWords(5 * wordBytes)

/** The smallest big-endian two's complement, at least one byte. */
const bigintBytes = (value: bigint, allocate: Allocate): Buffer =>
  writeBigint(contractWords, value, allocate)

/** Converts values of one kind to columns and back. Throws on a value that does not fit. */
export type Codec<T> = {
  /** How a backup describes the column. */
  readonly form: Omit<BackupColumn, 'name'>
  readonly toColumn: (value: T) => ColumnValue
  readonly fromColumn: (column: ColumnValue | undefined) => T
  /**
   * Creates a `toColumn` that reuses its bytes: they are valid until the next call, which suffices
   * for a driver that copies parameters. Missing where the codec makes no bytes.
   */
  readonly createParameter?: () => (value: T) => ColumnValue
}

const misfit = (expected: string, value: unknown): never => {
  throw new TypeError(`store: expected ${expected}, not ${typeof value} ${String(value)}`)
}

const formOf = (kind: BackupColumn['kind']): Codec<unknown>['form'] => ({
  kind,
  nullable: false,
  only: null,
})

/** Rejects numbers beyond 2^53, which could not be read back. */
export const integer: Codec<number> = {
  form: formOf('integer'),
  toColumn: (value) => (Number.isSafeInteger(value) ? value : misfit('a safe integer', value)),
  fromColumn: (column) => (typeof column === 'number' ? column : misfit('an integer', column)),
}

/** Rejects NaN, which SQLite would store as NULL. */
export const real: Codec<number> = {
  form: formOf('real'),
  toColumn: (value) => (Number.isFinite(value) ? value : misfit('a finite number', value)),
  fromColumn: (column) => (typeof column === 'number' ? column : misfit('a number', column)),
}

/**
 * Millionths of a US dollar, capped at `usdMicroMax` as the sums of the domain are: one larger row
 * must not make the rows of every other pool unreadable.
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
/** Fits hashes, addresses and amounts. */
const shortBytesMax = 32
const shortText = Buffer.concat([prefix, Buffer.alloc(shortBytesMax * 2)])

/**
 * `0x` and the digits, built as one string: concatenation takes twice the memory and the time. A
 * query may select the text itself instead of the bytes (`hexQueries`).
 */
const readHex = (column: ColumnValue | undefined): Hex => {
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

/** `toColumn` into new bytes, and `createParameter` into reused ones. */
const toBytes = <T>(write: (value: T, allocate: Allocate) => ColumnValue) => ({
  toColumn: (value: T): ColumnValue => write(value, allocateNew),
  createParameter: () => {
    const allocate = createReusedBuffers()
    return (value: T): ColumnValue => write(value, allocate)
  },
})

/** Stored as bytes, half the size of the text. */
export const hex: Codec<Hex> = {
  form: formOf('bytes'),
  ...toBytes((value, allocate) => hexBytes(value, allocate) ?? misfit('whole hex bytes', value)),
  fromColumn: readHex,
}

const wordDigits = 64
const leadingZeros = /^0x(?:00)*/

/** 32 bytes, stored without the leading zeros: most salts are small numbers, and zero is empty. */
export const word: Codec<Hex> = {
  form: formOf('bytes'),
  toColumn: (value) =>
    value.length === prefix.length + wordDigits
      ? hex.toColumn(value.replace(leadingZeros, '0x') as Hex)
      : misfit('32 bytes', value),
  fromColumn: (column) => `0x${readHex(column).slice(prefix.length).padStart(wordDigits, '0')}`,
}

/** The smallest big-endian two's complement, of any size. */
export const bigint: Codec<bigint> = {
  form: formOf('bigint'),
  ...toBytes(bigintBytes),
  fromColumn: (column) => {
    const text = readHex(column)
    return BigInt.asIntN((text.length - prefix.length) * 4, BigInt(text))
  },
}

/** Returns a converter for one parameter of a prepared statement; see `createParameter`. */
export const parameterOf = <T>({
  createParameter: createPlace,
  toColumn,
}: Codec<T>): ((value: T) => ColumnValue) => createPlace?.() ?? toColumn

export const orNull = <T>(codec: Codec<T>): Codec<T | null> => ({
  form: { ...codec.form, nullable: true },
  toColumn: (value) => (value === null ? null : codec.toColumn(value)),
  fromColumn: (column) => (column === null ? null : codec.fromColumn(column)),
  createParameter: () => {
    const toParameter = parameterOf(codec)
    return (value) => (value === null ? null : toParameter(value))
  },
})
