import type { ChainLog } from '../chain/log.ts'
import type { Address, Hash, Hex } from '../units.ts'

/**
 * 32-byte ABI words, read at fixed offsets: the hot path of indexing.
 * Readers are total. A word that is no value of its type (dirty padding, wrong sign extension, not
 * there) is null: solc cleans every value that it emits, so such a word is no Uniswap contract's,
 * and cutting it to size would invent a number.
 */

/** A whole number of words: `0x` and 64 lowercase digits for each. */
export type Words = Hex

const digitsPerWord = 64
const prefix = '0x'
const prefixed = /^0x[0-9a-f]*$/

const isOfWords = (text: string, count: number): boolean =>
  text.length === prefix.length + count * digitsPerWord && text.startsWith(prefix)

/** Exactly so many words of `0x` text, in either case; null if it is anything else. */
export const parseWords = (text: string, count: number): Words | null => {
  if (!isOfWords(text, count)) return null
  const lowercase = text.toLowerCase()
  return prefixed.test(lowercase) ? (lowercase as Words) : null
}

/**
 * Whether a log has exactly so many indexed arguments (its topics but the first), each a word, and
 * so many words of data. That they are hexadecimal was seen at the door, where it became a log.
 */
export const hasWords = (
  { topics, data }: Pick<ChainLog, 'topics' | 'data'>,
  indexedCount: number,
  dataCount: number,
): boolean => {
  if (topics.length !== 1 + indexedCount || !isOfWords(data, dataCount)) return false
  for (let index = 1; index <= indexedCount; index++) {
    if (!isOfWords(topics[index] ?? '', 1)) return false
  }
  return true
}

type WordReader<T> = (words: Words | undefined, index: number) => T | null

const startOf = (index: number): number => prefix.length + index * digitsPerWord

const positivePadding = '0'.repeat(digitsPerWord)
const negativePadding = 'f'.repeat(digitsPerWord)
const codeOf8 = '8'.charCodeAt(0)

/** The digits of an unsigned value of so many bits; null if any bit above them is set. */
const unsignedDigits = (bits: number): WordReader<string> => {
  const paddingDigits = digitsPerWord - bits / 4
  const padding = positivePadding.slice(0, paddingDigits)
  return (words, index) => {
    const start = startOf(index)
    const middle = start + paddingDigits
    const end = start + digitsPerWord
    if (words === undefined || end > words.length) return null
    return words.slice(start, middle) === padding ? words.slice(middle, end) : null
  }
}

/** The two's complement digits of a signed value; null unless all bits above repeat its sign. */
const signedDigits = (bits: number): WordReader<string> => {
  const paddingDigits = digitsPerWord - bits / 4
  const positive = positivePadding.slice(0, paddingDigits)
  const negative = negativePadding.slice(0, paddingDigits)
  return (words, index) => {
    const start = startOf(index)
    const middle = start + paddingDigits
    const end = start + digitsPerWord
    if (words === undefined || end > words.length) return null
    const digits = words.slice(middle, end)
    const padding = isNegative(digits) ? negative : positive
    return words.slice(start, middle) === padding ? digits : null
  }
}

/** In two's complement: the first digit is 8..f. */
const isNegative = (digits: string): boolean => digits.charCodeAt(0) >= codeOf8

const unsigned = (bits: number): WordReader<bigint> => {
  const digitsAt = unsignedDigits(bits)
  return (words, index) => {
    const digits = digitsAt(words, index)
    return digits === null ? null : BigInt(prefix + digits)
  }
}

const signed = (bits: number): WordReader<bigint> => {
  const digitsAt = signedDigits(bits)
  return (words, index) => {
    const digits = digitsAt(words, index)
    if (digits === null) return null
    const value = BigInt(prefix + digits)
    return isNegative(digits) ? BigInt.asIntN(bits, value) : value
  }
}

const uint24Digits = unsignedDigits(24)
const int24Digits = signedDigits(24)
const addressDigits = unsignedDigits(160)

export const uint256At = unsigned(256)
export const uint160At = unsigned(160)
export const uint128At = unsigned(128)
export const int256At = signed(256)
export const int128At = signed(128)

export const uint24At: WordReader<number> = (words, index) => {
  const digits = uint24Digits(words, index)
  return digits === null ? null : Number.parseInt(digits, 16)
}

export const int24At: WordReader<number> = (words, index) => {
  const digits = int24Digits(words, index)
  if (digits === null) return null
  const value = Number.parseInt(digits, 16)
  return isNegative(digits) ? value - 2 ** 24 : value
}

export const addressAt: WordReader<Address> = (words, index) => {
  const digits = addressDigits(words, index)
  return digits === null ? null : `0x${digits}`
}

/** A word of its own, as an indexed argument is, is its hash: no copy is made of it. */
export const hashAt: WordReader<Hash> = (words, index) => {
  if (words === undefined || startOf(index + 1) > words.length) return null
  if (words.length === startOf(1)) return words
  return `0x${words.slice(startOf(index), startOf(index + 1))}`
}
