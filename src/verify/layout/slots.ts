import type { Hash, Hex } from '../../domain/units.ts'
import { keccakOf, toBytes } from '../encoding/bytes.ts'

const wordDigits = 64

export const slotAt = (index: bigint): Hash => `0x${index.toString(16).padStart(wordDigits, '0')}`

export const slotAfter = (slot: Hash, words: bigint): Hash => slotAt(BigInt(slot) + words)

/** Left-padded to a word. */
const padded = (value: Hex): string => value.slice('0x'.length).padStart(wordDigits, '0')

/** keccak256(key . slot): "Layout of State Variables in Storage" of Solidity's documentation. */
export const mappingSlot = (key: Hex, mapping: Hash): Hash =>
  keccakOf(toBytes(`0x${padded(key)}${padded(mapping)}`))

/** Unsigned value of some bits of a word, counted from its lowest. */
export const bitsOf = (word: Hash, from: number, bits: number): bigint =>
  BigInt.asUintN(bits, BigInt(word) >> BigInt(from))
