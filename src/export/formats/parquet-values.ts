import type { Statistics } from 'hyparquet'
import type { Column, ColumnType, Row, Shared } from '../columns.ts'
import { writeMagnitude } from '../digits.ts'

/** The values of one column in one row group, in Parquet's PLAIN encoding or by a dictionary. */
export type ColumnValues = {
  /** Adds the values at this place of the rows, but for null. */
  readonly add: (rows: readonly Row[], at: number) => void
  /** Ends the row group: what was added since the last call. The bytes are valid until then. */
  readonly take: () => EncodedValues
}

export type EncodedValues = {
  /** Values that are not null: all of them, or the indexes of a dictionary. */
  readonly content:
    | { readonly kind: 'plain'; readonly bytes: Uint8Array }
    | {
        readonly kind: 'dictionary'
        readonly entries: { readonly count: number; readonly bytes: Uint8Array }
        readonly indexes: Int32Array
      }
  readonly statistics: Statistics | undefined
}

/** Large enough for readers that work by row group, small enough for the memory of the export. */
export const groupRows = 65_536

/** A buffer that grows, with room for `more` bytes behind `used`. */
const withRoom = (buffer: Buffer<ArrayBuffer>, used: number, more: number): Buffer<ArrayBuffer> => {
  if (used + more <= buffer.length) return buffer
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, used + more))
  buffer.copy(larger, 0, 0, used)
  return larger
}

const lengthBytes = 4

const asciiMax = 0x7f

/** Writes a text at the place and returns the number of its bytes. */
type WriteText = (buffer: Buffer, text: string, at: number) => number

/** By character: most texts are few digits, for which a call of `write` takes longer. */
const writeUtf8: WriteText = (buffer, text, at) => {
  for (let unit = 0; unit < text.length; unit += 1) {
    const code = text.charCodeAt(unit)
    if (code > asciiMax) return buffer.write(text, at, 'utf8')
    buffer[at + unit] = code
  }
  return text.length
}

const [zero, letterX] = [0x30, 0x78]
/** Makes a letter lowercase and leaves a digit as it is. */
const lowercase = 0x20

/** By character: a fifth of the time of a text in lowercase that is then written. */
const writeHex: WriteText = (buffer, digits, at) => {
  buffer[at] = zero
  buffer[at + 1] = letterX
  const start = at + 2
  for (let digit = 0; digit < digits.length; digit += 1) {
    buffer[start + digit] = digits.charCodeAt(digit) | lowercase
  }
  return digits.length + 2
}

const textWriters = { text: writeUtf8, hex: writeHex, magnitude: writeMagnitude }

type Text = keyof typeof textWriters

const isText = (type: ColumnType): type is Text => type in textWriters

/** UTF-8 takes at most three bytes for each unit of a JavaScript string. */
const bytesPerUnitMax = 3

/** Length and bytes of each text. */
const createTexts = (write: WriteText) => {
  let buffer = Buffer.allocUnsafe(groupRows)
  let used = 0
  return {
    add: (text: string): void => {
      buffer = withRoom(buffer, used, lengthBytes + 2 + text.length * bytesPerUnitMax)
      const written = write(buffer, text, used + lengthBytes)
      buffer.writeUInt32LE(written, used)
      used += lengthBytes + written
    },
    take: (): Uint8Array => {
      const bytes = buffer.subarray(0, used)
      used = 0
      return bytes
    },
  }
}

const createPlainTexts = (write: WriteText): ColumnValues => {
  const texts = createTexts(write)
  return {
    add: (rows, at) => {
      for (const row of rows) {
        const value = row[at] as string | null
        if (value !== null) texts.add(value)
      }
    },
    take: () => ({ content: { kind: 'plain', bytes: texts.take() }, statistics: undefined }),
  }
}

const createRepeatedTexts = (write: WriteText): ColumnValues => {
  const entries = createTexts(write)
  const known = new Map<string, number>()
  const indexes = new Int32Array(groupRows)
  let count = 0
  return {
    add: (rows, at) => {
      for (const row of rows) {
        const value = row[at] as string | null
        if (value === null) continue
        let index = known.get(value)
        if (index === undefined) {
          index = known.size
          known.set(value, index)
          entries.add(value)
        }
        indexes[count++] = index
      }
    },
    take: () => {
      const taken = { count: known.size, bytes: entries.take() }
      const used = indexes.subarray(0, count)
      known.clear()
      count = 0
      return {
        content: { kind: 'dictionary', entries: taken, indexes: used },
        statistics: undefined,
      }
    },
  }
}

type Fixed = {
  /** Bytes of a value: an element of the array, or two. */
  readonly array: Int32ArrayConstructor | Float64ArrayConstructor
  readonly elements: 1 | 2
  /** What the column stores of a value. */
  readonly factor: number
}

const millisPerSecond = 1000
const fixed: Readonly<Record<Exclude<ColumnType, Text | 'flag'>, Fixed>> = {
  int32: { array: Int32Array, elements: 1, factor: 1 },
  date: { array: Int32Array, elements: 1, factor: 1 },
  int64: { array: Int32Array, elements: 2, factor: 1 },
  timestamp: { array: Int32Array, elements: 2, factor: millisPerSecond },
  double: { array: Float64Array, elements: 1, factor: 1 },
}

const wordSize = 2 ** 32

/** Little-endian, as all machines are that Node runs on. */
const createFixed = ({ array, elements, factor }: Fixed): ColumnValues => {
  const values = new array(groupRows * elements)
  let used = 0
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const toStatistic = (value: number) => (elements === 2 ? BigInt(value) : value)
  return {
    add: (rows, at) => {
      for (const row of rows) {
        const given = row[at] as number | null
        if (given === null) continue
        const value = given * factor
        if (elements === 1) values[used] = value
        else {
          // Two words instead of a bigint: a fifth of the time.
          const high = Math.floor(value / wordSize)
          values[used] = value - high * wordSize
          values[used + 1] = high
        }
        used += elements
        if (value < least) least = value
        if (value > most) most = value
      }
    },
    take: () => {
      const statistics =
        least > most ? undefined : { min_value: toStatistic(least), max_value: toStatistic(most) }
      const bytes = new Uint8Array(values.buffer, 0, used * values.BYTES_PER_ELEMENT)
      used = 0
      least = Number.POSITIVE_INFINITY
      most = Number.NEGATIVE_INFINITY
      return { content: { kind: 'plain', bytes }, statistics }
    },
  }
}

/** One bit for each flag, the first one lowest. */
const createFlags = (): ColumnValues => {
  const buffer = new Uint8Array(groupRows >> 3)
  let count = 0
  return {
    add: (rows, at) => {
      for (const row of rows) {
        const value = row[at] as boolean | null
        if (value === null) continue
        const byte = count >> 3
        const before = (count & 7) === 0 ? 0 : (buffer[byte] as number)
        buffer[byte] = value ? before | (1 << (count & 7)) : before
        count += 1
      }
    },
    take: () => {
      const bytes = buffer.subarray(0, (count + 7) >> 3)
      count = 0
      return { content: { kind: 'plain', bytes }, statistics: undefined }
    },
  }
}

/** Collects the values of a column that are not null. */
export const createColumnValues = ({ type, repeats }: Column): ColumnValues => {
  if (type === 'flag') return createFlags()
  if (!isText(type)) return createFixed(fixed[type])
  const write = textWriters[type]
  return repeats ? createRepeatedTexts(write) : createPlainTexts(write)
}

/** The indexes of shared values, by their place in each row's `Shared`. */
export type SharedValues = {
  readonly add: (rows: readonly Shared[]) => void
  /** The values of one shared column, and which rows have one. */
  readonly column: (
    column: Column,
    at: number,
  ) => {
    readonly encoded: EncodedValues
    /** One byte for each row; null: all have one. */
    readonly present: Uint8Array | null
    readonly rows: number
  }
  readonly clear: () => void
}

const none = -1

/** Numbers the shared values of a row group, so that a row costs one look-up for all of them. */
export const createSharedValues = (): SharedValues => {
  const numbers = new Map<Shared, number>()
  const rows = new Int32Array(groupRows)
  let count = 0
  return {
    add: (given) => {
      for (const shared of given) {
        let number = numbers.get(shared)
        if (number === undefined) {
          number = numbers.size
          numbers.set(shared, number)
        }
        rows[count++] = number
      }
    },
    column: (column, at) => {
      const texts = createTexts(isText(column.type) ? textWriters[column.type] : writeUtf8)
      const known = new Map<string, number>()
      const entries = Int32Array.from(numbers.keys(), (shared) => {
        const value = shared[at]
        if (typeof value !== 'string') return none
        const entry = known.get(value)
        if (entry !== undefined) return entry
        texts.add(value)
        known.set(value, known.size)
        return known.size - 1
      })
      // A loop: `filter` and `from` would call a function for each row.
      const indexes = new Int32Array(count)
      const present = entries.includes(none) ? new Uint8Array(count) : null
      let used = 0
      for (let row = 0; row < count; row += 1) {
        const entry = entries[rows[row] as number] as number
        if (entry === none) continue
        indexes[used++] = entry
        if (present !== null) present[row] = 1
      }
      const dictionary = { count: known.size, bytes: texts.take() }
      const content = {
        kind: 'dictionary' as const,
        entries: dictionary,
        indexes: indexes.subarray(0, used),
      }
      return { encoded: { content, statistics: undefined }, rows: count, present }
    },
    clear: () => {
      numbers.clear()
      count = 0
    },
  }
}
