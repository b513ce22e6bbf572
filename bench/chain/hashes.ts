import type { Address, Hash } from '../../src/domain/units.ts'

const mixed = (value: number): number => {
  let mix = value ^ (value >>> 16)
  mix = Math.imul(mix, 0x21f0_aaad)
  mix ^= mix >>> 15
  mix = Math.imul(mix, 0x735a_2d97)
  return (mix ^ (mix >>> 15)) >>> 0
}

const wordsOfHash = 8

/** A name that no two things share and that looks like a hash; several times faster than one. */
export const hashOf = (kind: string, seed: number, number: number): Hash => {
  let state = mixed(seed + 1)
  for (const character of kind) state = mixed(state ^ (character.codePointAt(0) ?? 0))
  state = mixed(state + number)
  let digits = ''
  for (let word = 0; word < wordsOfHash; word++) {
    state = mixed(state + 0x9e37_79b9)
    // The number itself stands in it, so that two of a kind can not meet by chance.
    const part = word === wordsOfHash - 1 ? number >>> 0 : state
    digits += part.toString(16).padStart(8, '0')
  }
  return `0x${digits}`
}

export const addressOf = (kind: string, number = 0): Address =>
  `0x${hashOf(kind, 0, number).slice(-40)}`
