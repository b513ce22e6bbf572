import type { Hash, Hex } from '../domain/units.ts'
import { readLowercase } from '../net/json.ts'

/*
 * The hexadecimal forms of Ethereum's JSON-RPC. Nodes that use capitals are understood; each reader
 * answers null for anything else. These run for every log, so the common case is one pattern.
 */

/** A number of at most 52 bits. */
export const quantityDigitsMax = 13

const quantityPattern = new RegExp(`^0x[0-9a-f]{1,${quantityDigitsMax}}$`, 'i')
const hashPattern = /^0x[0-9a-f]{64}$/
const dataPattern = /^0x(?:[0-9a-f]{2})*$/

/** Some nodes write leading zeros, which the standard forbids. */
export const readQuantity = (value: unknown): number | null =>
  typeof value === 'string' && quantityPattern.test(value) ? Number(value) : null

export const readHash = (value: unknown): Hash | null => readLowercase(value, hashPattern)
export const readData = (value: unknown): Hex | null => readLowercase(value, dataPattern)

export const toQuantity = (value: number): Hex => `0x${value.toString(16)}`

/*
 * Lowercase hexadecimal digits as bytes of JSON. Every digit of every log passes here: one look-up
 * in a table for each takes half of what patterns take on text.
 */

const noDigit = 255

/** What a byte is worth as a digit; `noDigit` for all others, capitals among them. */
const worths = Uint8Array.from({ length: 256 }, (_, code) => {
  const worth = '0123456789abcdef'.indexOf(String.fromCharCode(code))
  return worth === -1 ? noDigit : worth
})

/** What the byte at a place is worth as a digit; more than 15 if it is none, or not there. */
export const digitAt = (bytes: Uint8Array, at: number): number => worths[bytes[at] ?? 0] ?? noDigit

/** The place of the first byte that is no digit. */
export const digitsEnd = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (digitAt(bytes, at) !== noDigit) at += 1
  return at
}

/** The text of digits that were looked at, and of the `0x` before them. */
export const hexOf = (bytes: Buffer, from: number, to: number): Hex =>
  bytes.toString('latin1', from - '0x'.length, to) as Hex

/** Reads so many digits that stand behind `0x`; null if one of them is none. */
export type ReadWord = (bytes: Buffer, from: number, digits: number) => Hex | null

const wordDigitsMax = 64
/** Numbers of one block or owner differ at their end; addresses may end in zeros. */
const digitsOfSlot = 12

/** Spreads them over the upper bits (Knuth, The Art of Computer Programming §6.4). */
const slotOf = (bytes: Uint8Array, to: number, slotsBits: number): number => {
  let sum = 0
  for (let at = to - digitsOfSlot; at < to; at++) sum = Math.imul(sum, 31) + (bytes[at] ?? 0)
  return Math.imul(sum, 0x9e3779b1) >>> (32 - slotsBits)
}

/**
 * Addresses, topics and hashes of blocks repeat from log to log. Where the digits are those that
 * stood here before, the text is the same one: nothing is made, what is kept of many logs is kept
 * once, and who looks it up later compares no letters. A slot costs about 160 bytes.
 */
export const createReadWord = (slotsBits: number): ReadWord => {
  const known = new Uint8Array(2 ** slotsBits * wordDigitsMax)
  const texts = new Array<Hex | null>(2 ** slotsBits).fill(null)

  return (bytes, from, digits) => {
    const slot = slotOf(bytes, from + digits, slotsBits)
    const start = slot * wordDigitsMax
    const text = texts[slot] ?? null
    if (text !== null && text.length === '0x'.length + digits) {
      let same = 0
      while (same < digits && known[start + same] === bytes[from + same]) same += 1
      if (same === digits) return text
    }
    let worth = 0
    for (let i = 0; i < digits; i++) {
      const byte = bytes[from + i] ?? 0
      known[start + i] = byte
      worth |= worths[byte] ?? noDigit
    }
    const made = worth < 16 ? hexOf(bytes, from, from + digits) : null
    texts[slot] = made
    return made
  }
}
