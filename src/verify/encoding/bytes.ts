import { keccak_256 } from '@noble/hashes/sha3'
import type { Hash, Hex } from '../../domain/units.ts'
import { readLowercase } from '../../net/json.ts'

export const toBytes = (data: Hex): Uint8Array => Buffer.from(data.slice('0x'.length), 'hex')

export const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

export const keccakOf = (bytes: Uint8Array): Hash => toHex(keccak_256(bytes))

/** Form of a field of the RPC: an integer, bytes of any length, or this number of bytes. */
export type FieldForm = 'quantity' | 'data' | number

/** At most 256 bits, with leading zeros, which some nodes write against the standard. */
const quantityPattern = /^0x[0-9a-f]{1,64}$/
const dataPattern = /^0x(?:[0-9a-f]{2})*$/

/** RLP's integers have no leading zero byte; zero has no byte at all. */
const readInteger = (value: unknown): Uint8Array | null => {
  const text = readLowercase(value, quantityPattern)
  if (text === null) return null
  const digits = text.slice('0x'.length).replace(/^0+/, '')
  return toBytes(`0x${digits.length % 2 === 1 ? '0' : ''}${digits}`)
}

/** Bytes of a field as RLP wants them; null if the value has another form. */
export const readField = (value: unknown, form: FieldForm): Uint8Array | null => {
  if (form === 'quantity') return readInteger(value)
  const text = readLowercase(value, dataPattern)
  if (text === null) return null
  return form === 'data' || text.length === '0x'.length + 2 * form ? toBytes(text) : null
}
