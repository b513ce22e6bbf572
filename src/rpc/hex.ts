import type { Hash, Hex } from '../domain/units.ts'
import { readLowercase } from '../net/json.ts'

/*
 * Hexadecimal values of the Ethereum JSON-RPC. The readers accept uppercase digits, and return null
 * for anything else.
 */

/** At most 52 bits. */
export const quantityDigitsMax = 13

const quantityPattern = new RegExp(`^0x[0-9a-f]{1,${quantityDigitsMax}}$`, 'i')
const hashPattern = /^0x[0-9a-f]{64}$/
const dataPattern = /^0x(?:[0-9a-f]{2})*$/

/** Accepts leading zeros, which some nodes write against the standard. */
export const readQuantity = (value: unknown): number | null =>
  typeof value === 'string' && quantityPattern.test(value) ? Number(value) : null

export const readHash = (value: unknown): Hash | null => readLowercase(value, hashPattern)
export const readData = (value: unknown): Hex | null => readLowercase(value, dataPattern)

export const toQuantity = (value: number): Hex => `0x${value.toString(16)}`

/*
 * Lowercase hexadecimal digits as bytes of JSON. Every digit of every log is read here; a table
 * look-up for each needs half the time of regular expressions on text.
 */

const noDigit = 255

/** Digit value of each byte; `noDigit` for all others, including uppercase. */
const digitValues = Uint8Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code))
  return value === -1 ? noDigit : value
})

/** Value of the digit at an offset; more than 15 if there is none. */
export const digitAt = (bytes: Uint8Array, at: number): number =>
  digitValues[bytes[at] ?? 0] ?? noDigit

/** Offset of the first byte that is not a digit. */
export const digitsEnd = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (digitAt(bytes, at) !== noDigit) at += 1
  return at
}

/** Text of checked digits with the `0x` before them. */
export const hexText = (bytes: Buffer, from: number, to: number): Hex =>
  bytes.toString('latin1', from - '0x'.length, to) as Hex

/** Reads this many digits after `0x`; null if one of them is not a digit. */
export type ReadWord = (bytes: Buffer, from: number, digits: number) => Hex | null

const wordDigitsMax = 64
/** Last digits that select a slot; addresses may end in zeros. */
const slotDigits = 12

/** Multiplicative hashing (Knuth, The Art of Computer Programming §6.4). */
const slotOf = (bytes: Uint8Array, to: number, slotsBits: number): number => {
  let sum = 0
  for (let at = to - slotDigits; at < to; at++) sum = Math.imul(sum, 31) + (bytes[at] ?? 0)
  return Math.imul(sum, 0x9e3779b1) >>> (32 - slotsBits)
}

/**
 * Addresses, topics and block hashes repeat from log to log, so equal digits return the same
 * string: it is allocated and stored once, and comparing it is cheap. A slot costs about 160 bytes.
 */
export const createReadWord = (slotsBits: number): ReadWord => {
  const digitsBySlot = new Uint8Array(2 ** slotsBits * wordDigitsMax)
  const texts = new Array<Hex | null>(2 ** slotsBits).fill(null)

  return (bytes, from, digits) => {
    const slot = slotOf(bytes, from + digits, slotsBits)
    const start = slot * wordDigitsMax
    const text = texts[slot] ?? null
    if (text !== null && text.length === '0x'.length + digits) {
      let same = 0
      while (same < digits && digitsBySlot[start + same] === bytes[from + same]) same += 1
      if (same === digits) return text
    }
    let bits = 0
    for (let i = 0; i < digits; i++) {
      const byte = bytes[from + i] ?? 0
      digitsBySlot[start + i] = byte
      bits |= digitValues[byte] ?? noDigit
    }
    const read = bits < 16 ? hexText(bytes, from, from + digits) : null
    texts[slot] = read
    return read
  }
}
