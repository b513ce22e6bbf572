import type { Hex } from '../units.ts'

/*
 * The values of a record, without a head for each as in `packing.ts`:
 *
 *     integer   seven bits per byte, the lowest first; the eighth bit says that more follow
 *     signed    0, -1, 1, -2 .. as 0, 1, 2, 3 ..
 *     hex       number of digits | two digits per byte, the last one padded with 0
 */

const moreBit = 128
const nibbleBits = 4
const lowNibble = 15
/** What precedes the digits. */
const prefixLength = '0x'.length
const codeOf = (text: string): number => text.charCodeAt(0)
const digitCodes = Uint8Array.from('0123456789abcdef', codeOf)
const prefixCodes = [...'0x'].map(codeOf)

/** The value of the digit at a place of a lowercase text; 0 behind its end. */
const digitAt = (text: string, place: number): number => {
  const code = place < text.length ? text.charCodeAt(place) : 0
  return (code & lowNibble) + (code >> 6) * 9
}

export const countHexBytes = (text: Hex): number => Math.ceil((text.length - prefixLength) / 2)

/** Two digits of a text as they are in a record. */
export const hexByteAt = (text: Hex, index: number): number => {
  const place = prefixLength + 2 * index
  return (digitAt(text, place) << nibbleBits) | digitAt(text, place + 1)
}

export type RecordWriter = {
  readonly integer: (value: number) => void
  readonly signed: (value: number) => void
  readonly hex: (text: Hex) => void
  /** What was written since the last call; valid until the next value is written. */
  readonly take: () => Uint8Array
}

export const createRecordWriter = (bytesMax: number): RecordWriter => {
  const bytes = new Uint8Array(bytesMax)
  let end = 0

  const integer = (value: number): void => {
    let rest = value
    for (; rest >= moreBit; rest = Math.floor(rest / moreBit)) {
      bytes[end++] = (rest % moreBit) + moreBit
    }
    bytes[end++] = rest
  }

  return {
    integer,
    signed: (value) => integer(value < 0 ? -2 * value - 1 : 2 * value),
    hex: (text) => {
      const length = countHexBytes(text)
      bytes[end++] = text.length - prefixLength
      for (let index = 0; index < length; index++) bytes[end++] = hexByteAt(text, index)
    },
    take: () => {
      const record = bytes.subarray(0, end)
      end = 0
      return record
    },
  }
}

export type RecordReader = {
  readonly integer: () => number
  readonly signed: () => number
  readonly hex: () => Hex
}

/** Reads the values in the order in which they were written. */
export const createRecordReader = (bytes: Uint8Array, from: number): RecordReader => {
  let at = from
  const next = (): number => bytes[at++] ?? 0

  const integer = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= moreBit) {
      const byte = next()
      value += (byte % moreBit) * scale
      if (byte < moreBit) return value
    }
  }

  return {
    integer,
    signed: () => {
      const value = integer()
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    hex: () => {
      const digits = next()
      // A list of numbers: applying a typed array takes five times as long.
      const codes = [...prefixCodes]
      for (let digit = 0; digit < digits; digit += 2) {
        const byte = next()
        codes.push(digitCodes[byte >> nibbleBits] ?? 0)
        if (digit + 1 < digits) codes.push(digitCodes[byte & lowNibble] ?? 0)
      }
      return Reflect.apply(String.fromCharCode, null, codes) as Hex
    },
  }
}
