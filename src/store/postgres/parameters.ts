import type { ColumnKind } from '../../ports/store-export.ts'
import type { ColumnValue } from '../shared/codec.ts'
import type { Row } from '../shared/table.ts'

/** A row as the driver gives it: every value in its text form. */
export type TextRow = readonly (string | null)[]

/** Places are written as `?` in what all stores share, and as `$1` on the wire. */
export const numberParameters = (sql: string): string => {
  let place = 0
  return sql.replaceAll('?', () => `$${++place}`)
}

type Written = Exclude<ColumnValue, null>

/** How values of one kind go to the server, binary, and come back, as text. */
type Wire = {
  readonly type: string
  /** pg_type.dat: what an array's header says of its elements. */
  readonly oid: number
  readonly bytesOf: (value: Written) => number
  readonly write: (value: Written, into: Buffer, at: number) => void
  readonly read: (text: string) => Written
}

/**
 * PostgreSQL's texts hold no NUL, and a token may call itself by one: it stands as `\0`, and a
 * backslash as two. Everything else stands as it is.
 */
const escapeText = (text: string): string =>
  /[\\\0]/.test(text) ? text.replaceAll('\\', '\\\\').replaceAll('\0', '\\0') : text

const unescapeText = (text: string): string =>
  text.includes('\\') ? text.replace(/\\([\\0])/g, (_, mark) => (mark === '0' ? '\0' : '\\')) : text

const bytes: Wire = {
  type: 'BYTEA',
  oid: 17,
  bytesOf: (value) => (value as Uint8Array).length,
  write: (value, into, at) => into.set(value as Uint8Array, at),
  read: (text) => Buffer.from(text.slice(2), 'hex'),
}

const wires: Readonly<Record<ColumnKind, Wire>> = {
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
    // The embedded store knows no negative zero, and both answer alike.
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

export const arrayType = (kind: ColumnKind): string => `${wires[kind].type}[]`

/** Dimensions, whether a NULL is in it, the elements' type, their number, and the first's index. */
const headerBytes = 20

/** An array in the server's binary form: half the bytes of its text, and nothing to escape. */
export const encodeArray = (kind: ColumnKind, values: readonly ColumnValue[]): Buffer => {
  const { oid, bytesOf, write } = wires[kind]
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

/** A row with its values as the codecs know them. */
export const parseRow = (kinds: readonly ColumnKind[], row: TextRow): Row =>
  kinds.map((kind, at) => {
    const text = row[at]
    return text === null || text === undefined ? null : wires[kind].read(text)
  })
