import type { ChainLog } from '../chain/log.ts'
import type { Address, Hash, Hex } from '../units.ts'

/**
 * Reads 32-byte ABI words at fixed offsets, the hot path of indexing. Readers never throw. A
 * missing word, or one with dirty padding or a wrong sign extension, is null: solc cleans every
 * value that it emits, so no Uniswap contract wrote such a word.
 */

/** `0x` and 64 lowercase digits per word. */
export type Words = Hex

const digitsPerWord = 64
const prefix = '0x'
const prefixed = /^0x[0-9a-f]*$/

const isOfWords = (text: string, count: number): boolean =>
  text.length === prefix.length + count * digitsPerWord && text.startsWith(prefix)

/** Parses exactly `count` words of hexadecimal text in either case; null for anything else. */
export const parseWords = (text: string, count: number): Words | null => {
  if (!isOfWords(text, count)) return null
  const lowercase = text.toLowerCase()
  return prefixed.test(lowercase) ? (lowercase as Words) : null
}

/**
 * Whether a log has exactly `indexedCount` indexed arguments (topics after the first), each one
 * word, and `dataCount` data words. `parseLog` has already checked that they are hexadecimal.
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

/** Digits of an unsigned value of `bits` bits; null if a higher bit is set. */
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

/** Two's complement digits of a signed value; null unless all higher bits repeat its sign. */
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

const int24Digits = signedDigits(24)
const addressDigits = unsignedDigits(160)

export const uint256At = unsigned(256)
export const uint160At = unsigned(160)
export const uint128At = unsigned(128)
export const int256At = signed(256)
export const int128At = signed(128)

const unsignedNumber =
  (digitsAt: WordReader<string>): WordReader<number> =>
  (words, index) => {
    const digits = digitsAt(words, index)
    return digits === null ? null : Number.parseInt(digits, 16)
  }

export const uint8At = unsignedNumber(unsignedDigits(8))
export const uint16At = unsignedNumber(unsignedDigits(16))
export const uint24At = unsignedNumber(unsignedDigits(24))

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

/** Returns a single word, such as an indexed argument, without a copy. */
export const hashAt: WordReader<Hash> = (words, index) => {
  if (words === undefined || startOf(index + 1) > words.length) return null
  if (words.length === startOf(1)) return words
  return `0x${words.slice(startOf(index), startOf(index + 1))}`
}
