import type { ColumnKind } from '../../ports/store-backup.ts'
import type { ColumnValue } from '../shared/codec.ts'
import type { Row } from '../shared/table.ts'

/** A row with every value as text. */
export type TextRow = readonly (string | null)[]

/** Shared queries write parameters as `?`, PostgreSQL as `$1`. */
export const numberParameters = (sql: string): string => {
  let number = 0
  return sql.replaceAll('?', () => `$${++number}`)
}

type NonNullValue = Exclude<ColumnValue, null>

/** Encodes one kind of value in binary for the server, and decodes its text. */
type WireFormat = {
  readonly type: string
  /** The element type of an array's header (pg_type.dat). */
  readonly oid: number
  readonly bytesOf: (value: NonNullValue) => number
  readonly write: (value: NonNullValue, into: Buffer, at: number) => void
  readonly read: (text: string) => NonNullValue
}

/** Escapes NUL, which PostgreSQL's TEXT cannot hold and a token's name may have, and backslash. */
const escapeText = (text: string): string =>
  /[\\\0]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0') : text

const unescapeText = (text: string): string =>
  text.includes('\\') ? text.replace(/\\([\\0])/g, (_, mark) => (mark === '0' ? '\0' : '\\')) : text

const bytes: WireFormat = {
  type: 'BYTEA',
  oid: 17,
  bytesOf: (value) => (value as Uint8Array).length,
  write: (value, into, at) => into.set(value as Uint8Array, at),
  read: (text) => Buffer.from(text.slice(2), 'hex'),
}

const wireFormats: Readonly<Record<ColumnKind, WireFormat>> = {
  integer: {
    type: 'BIGINT',
    oid: 20,
    bytesOf: () => 8,
    write: (value, into, at) => into.writeBigInt64BE(BigInt(value as number), at),
    read: Number,
  },
  flag: {
    type: 'SMALLINT',
    oid: 21,
    bytesOf: () => 2,
    write: (value, into, at) => into.writeInt16BE(value as number, at),
    read: Number,
  },
  real: {
    type: 'DOUBLE PRECISION',
    oid: 701,
    bytesOf: () => 8,
    // SQLite stores -0 as 0; both stores must return the same.
    write: (value, into, at) => into.writeDoubleBE((value as number) + 0, at),
    read: Number,
  },
  text: {
    type: 'TEXT',
    oid: 25,
    bytesOf: (value) => Buffer.byteLength(escapeText(value as string)),
    write: (value, into, at) => into.write(escapeText(value as string), at),
    read: unescapeText,
  },
  bytes,
  bigint: bytes,
}

export const arrayType = (kind: ColumnKind): string => `${wireFormats[kind].type}[]`

/** Dimensions, null flag, element type, length and lower bound. */
const headerBytes = 20

/** An array in binary format: half the size of its text, without escapes. */
export const encodeArray = (kind: ColumnKind, values: readonly ColumnValue[]): Buffer => {
  const { oid, bytesOf, write } = wireFormats[kind]
  const lengths = values.map((value) => (value === null ? -1 : bytesOf(value)))
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), headerBytes)
  const buffer = Buffer.allocUnsafe(size)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(lengths.includes(-1) ? 1 : 0, 4)
  buffer.writeInt32BE(oid, 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  let at = headerBytes
  for (const [index, value] of values.entries()) {
    const length = lengths[index] ?? -1
    at = buffer.writeInt32BE(length, at)
    if (value === null) continue
    write(value, buffer, at)
    at += length
  }
  return buffer
}

/** Decodes a row for the columns' codecs. */
export const parseRow = (kinds: readonly ColumnKind[], row: TextRow): Row =>
  kinds.map((kind, at) => {
    const text = row[at]
    return text === null || text === undefined ? null : wireFormats[kind].read(text)
  })
