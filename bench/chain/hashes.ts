import type { Address, Hash } from '../../src/domain/units.ts'

const mixBits = (value: number): number => {
  let mix = value ^ (value >>> 16)
  mix = Math.imul(mix, 0x21f0_aaad)
  mix ^= mix >>> 15
  mix = Math.imul(mix, 0x735a_2d97)
  return (mix ^ (mix >>> 15)) >>> 0
}

const wordsOfHash = 8

/** A unique value that looks like a hash; several times faster than hashing. */
export const syntheticHash = (kind: string, seed: number, number: number): Hash => {
  let state = mixBits(seed + 1)
  for (const character of kind) state = mixBits(state ^ (character.codePointAt(0) ?? 0))
  state = mixBits(state + number)
  let digits = ''
  for (let word = 0; word < wordsOfHash; word++) {
    state = mixBits(state + 0x9e37_79b9)
    // The number itself is the last word, so that two hashes of one kind never collide.
    const part = word === wordsOfHash - 1 ? number >>> 0 : state
    digits += part.toString(16).padStart(8, '0')
  }
  return `0x${digits}`
}

export const syntheticAddress = (kind: string, number = 0): Address =>
  `0x${syntheticHash(kind, 0, number).slice(-40)}`
