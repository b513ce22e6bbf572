import type { Hex } from './units.ts'

/**
 * Whole numbers of any size one after the other, none longer than it has to be:
 *
 *     how many bytes follow, and the sign | the magnitude, its lowest byte first
 *
 * The bytes are the characters of a text, because V8 keeps a text in one piece, one byte for each
 * of these characters and 16 for all, and no collection looks into it.
 */
export type Packed = string

export type Packer = {
  readonly number: (value: number) => void
  readonly bigint: (value: bigint) => void
  readonly hex: (text: Hex) => void
  readonly orNull: <T>(value: T | null, pack: (value: T) => void) => void
  /** All that was packed since the last time. */
  readonly take: () => Packed
}

/** Gives back what was packed, in the same order. */
export type Unpacker = {
  readonly number: () => number
  readonly bigint: () => bigint
  readonly hex: () => Hex
  readonly orNull: <T>(unpack: () => T) => T | null
}

/** No number is so long. */
const headOfNull = 127
const signBit = 128
const byteValues = 256
const wordBytes = 8
/** More than this is as exact as a number can hold it. */
const numberBytesMax = 6
/** As many as one call takes. */
const argumentsMax = 4096

const textOf = (bytes: Uint8Array): Packed => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += argumentsMax) {
    const part = bytes.subarray(at, at + argumentsMax)
    // Spread into arguments they would take ten times as long.
    parts.push(Reflect.apply(String.fromCharCode, null, part))
  }
  return parts.join('')
}

export const createPacker = (): Packer => {
  let bytes = new Uint8Array(256)
  let end = 0
  const word = new DataView(new ArrayBuffer(wordBytes))

  const byte = (value: number): void => {
    if (end === bytes.length) {
      const wider = new Uint8Array(end * 2)
      wider.set(bytes)
      bytes = wider
    }
    bytes[end++] = value
  }

  const number: Packer['number'] = (value) => {
    const head = end
    byte(0)
    for (let rest = Math.abs(value); rest > 0; rest = Math.floor(rest / byteValues)) {
      byte(rest % byteValues)
    }
    bytes[head] = end - head - 1 + (value < 0 ? signBit : 0)
  }

  const bigint: Packer['bigint'] = (value) => {
    const head = end
    byte(0)
    for (let rest = value < 0n ? -value : value; rest > 0n; rest >>= 64n) {
      word.setBigUint64(0, BigInt.asUintN(64, rest), true)
      for (let at = 0; at < wordBytes; at++) byte(word.getUint8(at))
    }
    // The highest word may begin with zeros.
    while (end > head + 1 && bytes[end - 1] === 0) end -= 1
    bytes[head] = end - head - 1 + (value < 0n ? signBit : 0)
  }

  return {
    number,
    bigint,
    hex: (text) => {
      bigint(BigInt(text))
      number(text.length)
    },
    orNull: (value, pack) => {
      if (value === null) byte(headOfNull)
      else pack(value)
    },
    take: () => {
      const text = textOf(bytes.subarray(0, end))
      end = 0
      return text
    },
  }
}

export const createUnpacker = (packed: Packed): Unpacker => {
  let at = 0

  const magnitude = (from: number, to: number): number => {
    let value = 0
    for (let byte = to - 1; byte >= from; byte--) {
      value = value * byteValues + packed.charCodeAt(byte)
    }
    return value
  }

  const number: Unpacker['number'] = () => {
    const head = packed.charCodeAt(at)
    const from = at + 1
    at = from + (head % signBit)
    const value = magnitude(from, at)
    return head < signBit ? value : -value
  }

  const bigint: Unpacker['bigint'] = () => {
    const head = packed.charCodeAt(at)
    const from = at + 1
    at = from + (head % signBit)
    let value = 0n
    for (let to = at; to > from; to -= numberBytesMax) {
      const part = Math.max(from, to - numberBytesMax)
      value = (value << BigInt((to - part) * 8)) | BigInt(magnitude(part, to))
    }
    return head < signBit ? value : -value
  }

  return {
    number,
    bigint,
    hex: () => {
      const digits = bigint().toString(16)
      return `0x${digits.padStart(number() - 2, '0')}`
    },
    orNull: (unpack) => {
      if (packed.charCodeAt(at) !== headOfNull) return unpack()
      at += 1
      return null
    },
  }
}
