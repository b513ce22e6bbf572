/*
 * Integers as databases return them: hexadecimal digits of either case, of a big-endian two's
 * complement in whole bytes. What a file needs of them is computed from the digits: in less than
 * half the time of a bigint and its text.
 */

const bitsPerDigit = 4

/** Exact. */
export const bigintOfDigits = (digits: string): bigint =>
  BigInt.asIntN(digits.length * bitsPerDigit, BigInt(`0x${digits}`))

/** So few digits that what is computed with a word stays below 2^53. */
const wordDigits = 6
const wordSize = 16 ** wordDigits

/** By the number of digits: what they are modulo. */
const powers = Array.from({ length: 2 * wordDigits + 1 }, (_, digits) => 16 ** digits)

/** The low four bits of a letter count from 1. */
const letterOffset = 9

const wordOf = (digits: string, from: number, to: number): number => {
  let word = 0
  for (let at = from; at < to; at += 1) {
    const code = digits.charCodeAt(at)
    word = (word << bitsPerDigit) | ((code & 0xf) + (code >> 6) * letterOffset)
  }
  return word
}

const isNegative = (digits: string): boolean => wordOf(digits, 0, 1) >= 8

/** Exact: of up to two words. */
const unsignedOf = (digits: string, from: number, to: number): number => {
  const middle = to - wordDigits
  if (middle <= from) return wordOf(digits, from, to)
  return wordOf(digits, from, middle) * wordSize + wordOf(digits, middle, to)
}

/**
 * The nearest number, as `Number` has it of a bigint. Both halves of up to 96 bits are exact, so
 * that only their sum is rounded; more bits take the way by a bigint.
 */
export const approxOfDigits = (digits: string): number => {
  const { length } = digits
  if (length > 4 * wordDigits) return Number(bigintOfDigits(digits))
  const split = Math.max(0, length - 2 * wordDigits)
  const low = unsignedOf(digits, split, length)
  const sign = isNegative(digits) ? (powers[split === 0 ? length : split] as number) : 0
  if (split === 0) return low - sign
  return (unsignedOf(digits, 0, split) - sign) * wordSize * wordSize + low
}

const limbDigits = 8
const limbSize = 10 ** limbDigits
/** For the largest integer of a contract, and more. */
const limbs = new Float64Array(16)
const digitsMax = 80

/** Sets `limbs` to the magnitude, the lowest first, and returns how many it takes. */
const setLimbs = (digits: string): number => {
  const { length } = digits
  if (length > digitsMax) throw new RangeError(`export: an integer of ${length} digits`)
  const negative = isNegative(digits)
  let used = 0
  for (let from = 0, to = length % wordDigits || wordDigits; from < length; to += wordDigits) {
    const word = wordOf(digits, from, to)
    // The magnitude of a negative integer is 1 more than its inverted bits.
    const inverted = (powers[to - from] as number) - 1 - word + (to === length ? 1 : 0)
    let carry = negative ? inverted : word
    for (let at = 0; at < used; at += 1) {
      const sum = (limbs[at] as number) * wordSize + carry
      carry = Math.floor(sum / limbSize)
      limbs[at] = sum - carry * limbSize
    }
    if (carry > 0) limbs[used++] = carry
    from = to
  }
  return used
}

const zero = 0x30

/** Writes the last `width` decimal digits of an integer below 2^31. */
const writeLimb = (buffer: Uint8Array, limb: number, at: number, width: number): void => {
  let rest = limb
  for (let place = at + width - 1; place >= at; place -= 1) {
    const tenth = (rest / 10) | 0
    buffer[place] = zero + rest - tenth * 10
    rest = tenth
  }
}

const widthOf = (limb: number): number => {
  let width = 1
  for (let power = 10; limb >= power; power *= 10) width += 1
  return width
}

/** Writes the decimal digits of the magnitude and returns their number. */
export const writeMagnitude = (buffer: Uint8Array, digits: string, at: number): number => {
  const used = setLimbs(digits)
  const highest = used === 0 ? 0 : (limbs[used - 1] as number)
  let end = at + widthOf(highest)
  writeLimb(buffer, highest, at, end - at)
  for (let limb = used - 2; limb >= 0; limb -= 1) {
    writeLimb(buffer, limbs[limb] as number, end, limbDigits)
    end += limbDigits
  }
  return end - at
}
