import fc from 'fast-check'
import { expect, test } from 'vitest'
import { approxOfDigits, bigintOfDigits, writeMagnitude } from './digits.ts'

const bitsOf = (bytes: number): number => bytes * 8

/** As a database returns it: the fewest bytes, at least one. */
const digitsOf = (integer: bigint): string => {
  let bytes = 1
  while (BigInt.asIntN(bitsOf(bytes), integer) !== integer) bytes += 1
  return BigInt.asUintN(bitsOf(bytes), integer)
    .toString(16)
    .padStart(bytes * 2, '0')
}

const writtenMagnitude = (digits: string): string => {
  const buffer = Buffer.alloc(120, 'x')
  const length = writeMagnitude(buffer, digits, 7)
  expect(buffer.toString('latin1').replaceAll('x', '')).toHaveLength(length)
  return buffer.toString('latin1', 7, 7 + length)
}

const expectSame = (integer: bigint): void => {
  const magnitude = integer < 0n ? -integer : integer
  for (const digits of [digitsOf(integer), digitsOf(integer).toUpperCase()]) {
    expect(bigintOfDigits(digits)).toBe(integer)
    expect(approxOfDigits(digits)).toBe(Number(integer))
    expect(writtenMagnitude(digits)).toBe(magnitude.toString())
  }
}

test('digits are the same integer, nearest number and decimal text as by a bigint', () => {
  const powersOfTwo = Array.from({ length: 256 }, (_, exponent) => 1n << BigInt(exponent))
  const powersOfTen = Array.from({ length: 77 }, (_, exponent) => 10n ** BigInt(exponent))
  for (const power of [...powersOfTwo, ...powersOfTen]) {
    for (const near of [power - 1n, power, power + 1n])
      for (const sign of [1n, -1n]) expectSame(near * sign)
  }
  // Of every length, so that small integers are as frequent as large ones.
  const bits = fc.integer({ min: 1, max: 256 })
  const integers = bits.chain((n) => fc.bigInt({ min: -(1n << BigInt(n)), max: 1n << BigInt(n) }))
  fc.assert(fc.property(integers, expectSame), { numRuns: 2000, verbose: 0 })
})

test('a half between two numbers is rounded to the even one, as by a bigint', () => {
  const half = (1n << 53n) + 1n
  for (const shift of [0n, 11n, 40n, 42n, 43n]) {
    for (const step of [0n, 1n, 2n, -1n]) expectSame((half << shift) + step)
    for (const step of [0n, 1n, 2n, -1n]) expectSame(-(half << shift) + step)
  }
})

test('an integer that no contract has is refused', () => {
  expect(() => writeMagnitude(Buffer.alloc(200), '7f'.repeat(41), 0)).toThrow('82 digits')
})
