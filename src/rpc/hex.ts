import type { Address, Hash, Hex } from '../domain/units.ts'

/*
 * The hexadecimal forms of Ethereum's JSON-RPC. Nodes that use capitals are understood; each reader
 * answers null for anything else. These run for every log, so the common case is one pattern.
 */

/** A number of at most 52 bits. */
export const quantityDigitsMax = 13

const quantityPattern = new RegExp(`^0x[0-9a-f]{1,${quantityDigitsMax}}$`, 'i')
const addressPattern = /^0x[0-9a-f]{40}$/
const hashPattern = /^0x[0-9a-f]{64}$/
const dataPattern = /^0x(?:[0-9a-f]{2})*$/

/** Some nodes write leading zeros, which the standard forbids. */
export const readQuantity = (value: unknown): number | null =>
  typeof value === 'string' && quantityPattern.test(value) ? Number(value) : null

const readLower = (value: unknown, pattern: RegExp): Hex | null => {
  if (typeof value !== 'string') return null
  if (pattern.test(value)) return value as Hex
  const lower = value.toLowerCase()
  return pattern.test(lower) ? (lower as Hex) : null
}

export const readAddress = (value: unknown): Address | null => readLower(value, addressPattern)
export const readHash = (value: unknown): Hash | null => readLower(value, hashPattern)
export const readData = (value: unknown): Hex | null => readLower(value, dataPattern)

export const toQuantity = (value: number): Hex => `0x${value.toString(16)}`
