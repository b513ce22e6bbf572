import { keccak_256 } from '@noble/hashes/sha3'

const isCapital = (hashDigit: string | undefined): boolean =>
  Number.parseInt(hashDigit ?? '0', 16) >= 8

/**
 * Whether the capitals of an address (`0x` and 40 digits) are those that EIP-55 asks for: a letter
 * is one where the hash of the lowercase address has a digit from 8 on.
 */
export const hasAddressChecksum = (address: string): boolean => {
  const digits = address.slice(2)
  const hash = Buffer.from(keccak_256(digits.toLowerCase())).toString('hex')
  return [...digits].every((digit, place) =>
    isCapital(hash[place]) ? digit === digit.toUpperCase() : digit === digit.toLowerCase(),
  )
}
