import { keccak_256 } from '@noble/hashes/sha3'
import type { Address, Hash, Hex } from '../../domain/units.ts'
import { toBytes } from './bytes.ts'

/*
 * The logs bloom of Ethereum (Yellow Paper §4.3.1): each address and topic sets three of 2,048
 * bits, chosen by the first three pairs of bytes of its keccak256.
 */

const bloomBytes = 256
const bitMask = 0x7ff

type Bit = { readonly at: number; readonly mask: number }

/** Bit 0 is the lowest bit of the last byte. */
const bitsOf = (value: Hex): readonly Bit[] => {
  const hash = keccak_256(toBytes(value))
  return [0, 2, 4].map((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & bitMask
    return { at: bloomBytes - 1 - (bit >> 3), mask: 1 << (bit & 7) }
  })
}

/** Bloom of logs: 256 bytes. */
export const bloomOf = (
  logs: readonly { readonly address: Address; readonly topics: readonly Hash[] }[],
): Uint8Array => {
  const bloom = new Uint8Array(bloomBytes)
  for (const value of new Set(logs.flatMap(({ address, topics }) => [address, ...topics]))) {
    for (const { at, mask } of bitsOf(value)) bloom[at] = (bloom[at] ?? 0) | mask
  }
  return bloom
}

/**
 * Whether a block with this bloom can hold a log with all of these values (address, topics). False
 * proves that it holds none; true proves nothing.
 */
export const mayHoldLog = (logsBloom: Hex, values: readonly Hex[]): boolean => {
  const bloom = toBytes(logsBloom)
  return values.every((value) =>
    bitsOf(value).every(({ at, mask }) => ((bloom[at] ?? 0) & mask) > 0),
  )
}
