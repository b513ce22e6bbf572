import type { Hex } from './units.ts'

/**
 * A sequence of integers of any size, each with as few bytes as possible:
 *
 *     number of bytes that follow, and the sign | magnitude, lowest byte first
 *
 * The bytes are the characters of a string: V8 stores one byte per character plus 16, and garbage
 * collection does not scan it.
 */
export type Packed = string

export type Packer = {
  readonly number: (value: number) => void
  readonly bigint: (value: bigint) => void
  readonly hex: (text: Hex) => void
  readonly orNull: <T>(value: T | null, pack: (value: T) => void) => void
  /** Returns everything packed since the last call. */
  readonly take: () => Packed
}

/** Reads the values in the order in which they were packed. */
export type Unpacker = {
  readonly number: () => number
  readonly bigint: () => bigint
  readonly hex: () => Hex
  readonly orNull: <T>(unpack: () => T) => T | null
}

/** Marks null: no number has so many bytes. */
const headOfNull = 127
const signBit = 128
const byteValues = 256
const wordBytes = 8
/** Six bytes fit into the 53 bits of a safe integer. */
const numberBytesMax = 6
/** Arguments of one call. */
const argumentsMax = 4096

const toText = (bytes: Uint8Array): Packed => {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += argumentsMax) {
    const part = bytes.subarray(at, at + argumentsMax)
    // Spreading the arguments takes ten times as long.
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
    // Drops leading zeros of the highest word.
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
      const text = toText(bytes.subarray(0, end))
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
