import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bigint,
  flag,
  hex,
  integer,
  oneOf,
  orNull,
  parameterOf,
  real,
  text,
  usdMicro,
  word,
} from './codec.ts'

describe('bigint is the smallest big-endian two’s complement', () => {
  test.each([
    [0n, '00'],
    [1n, '01'],
    [127n, '7f'],
    [128n, '0080'],
    [255n, '00ff'],
    [256n, '0100'],
    [32_768n, '008000'],
    [-1n, 'ff'],
    [-128n, '80'],
    [-129n, 'ff7f'],
    [-256n, 'ff00'],
    [-32_768n, '8000'],
    [2n ** 128n - 1n, `00${'ff'.repeat(16)}`],
    [-(2n ** 255n), `80${'00'.repeat(31)}`],
  ])('%s', (value, bytes) => {
    const column = bigint.toColumn(value) as Uint8Array<ArrayBuffer>
    expect(Buffer.from(column).toString('hex')).toBe(bytes)
    expect(bigint.fromColumn(column)).toBe(value)
  })

  test('and decodes to the same value, whatever its size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), (value) => {
        const column = bigint.toColumn(value) as Uint8Array<ArrayBuffer>
        expect(bigint.fromColumn(column)).toBe(value)
        expect(bigint.fromColumn(hex.fromColumn(column))).toBe(value)
      }),
    )
  })
})

/** Encodes by the digits: slower, but obviously correct. */
const plainBytesOf = (value: bigint): string => {
  const digits = (value < 0n ? -value - 1n : value).toString(16)
  const bytes = Math.ceil((digits.length * 4 + 1) / 8)
  const padded = BigInt.asUintN(bytes * 8, value)
    .toString(16)
    .padStart(bytes * 2, '0')
  const isSpare = /^(00[0-7]|ff[89a-f])/.test(padded)
  return isSpare ? padded.slice(2) : padded
}

const hexOf = (column: unknown): string => Buffer.from(column as Uint8Array).toString('hex')

/** Draws single-word and longer values equally often, also at byte and word boundaries. */
const integers = fc.oneof(
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
  fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
  fc.bigInt({ min: -(2n ** 1_500n), max: 2n ** 1_500n }),
  fc
    .tuple(fc.nat(90), fc.integer({ min: -2, max: 2 }), fc.constantFrom(1n, -1n))
    .map(([bytes, off, sign]) => sign * (1n << BigInt(bytes * 4)) + BigInt(off)),
)

describe('bytes are those of the digits', () => {
  test('of integers of any size', () => {
    const place = parameterOf(bigint)
    fc.assert(
      fc.property(integers, (value) => {
        expect(hexOf(bigint.toColumn(value))).toBe(plainBytesOf(value))
        expect(hexOf(place(value))).toBe(plainBytesOf(value))
      }),
      { numRuns: 2_000 },
    )
  })

  test('of hashes and addresses', () => {
    const place = parameterOf(hex)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
        const digits = Buffer.from(bytes).toString('hex')
        expect(hexOf(hex.toColumn(`0x${digits}`))).toBe(digits)
        expect(hexOf(place(`0x${digits.toUpperCase()}`))).toBe(digits)
      }),
    )
  })

  test('and stay as they are, but in a place, where the next value takes them', () => {
    const kept = hex.toColumn('0xaa')
    const amount = bigint.toColumn(5n)
    hex.toColumn('0xbb')
    bigint.toColumn(6n)
    expect([hexOf(kept), hexOf(amount)]).toEqual(['aa', '05'])
    const place = parameterOf(orNull(hex))
    const other = parameterOf(orNull(hex))
    const placed = place('0xaa')
    expect([other('0xcc'), place(null), hexOf(placed)]).toEqual([
      Buffer.from('cc', 'hex'),
      null,
      'aa',
    ])
    place('0xbb')
    expect(hexOf(placed)).toBe('bb')
  })
})

test.each([
  [0n, ''],
  [1n, '01'],
  [70_000n, '011170'],
  [0x100n, '0100'],
  [2n ** 255n, `80${'00'.repeat(31)}`],
])('a word of %s is stored without its leading zeros', (value, bytes) => {
  const text = `0x${value.toString(16).padStart(64, '0')}` as const
  const column = word.toColumn(text)
  expect(hexOf(column)).toBe(bytes)
  // Of bytes and of the text that a query may select.
  expect(word.fromColumn(column)).toBe(text)
  expect(word.fromColumn(`0x${bytes}`)).toBe(text)
})

const misfits: readonly (readonly [string, () => unknown])[] = [
  ['a fraction', () => integer.toColumn(1.5)],
  ['an integer that could not be read again', () => integer.toColumn(2 ** 53)],
  ['NaN', () => real.toColumn(Number.NaN)],
  ['an endless number', () => real.toColumn(Number.POSITIVE_INFINITY)],
  ['volume that is no number', () => usdMicro.toColumn(Number.NaN)],
  ['a word of another size', () => word.toColumn('0x00')],
  ['half a byte', () => hex.toColumn('0xabc')],
  ['a digit that is none', () => hex.toColumn('0xzz')],
  ['no digits and no prefix', () => hex.toColumn('' as '0x')],
  ['half a byte in a place', () => parameterOf(hex)('0xabc')],
  ['a digit that is none in a place', () => parameterOf(hex)(`0x${'0'.repeat(63)}g`)],
  ['no integer', () => integer.fromColumn(null)],
  ['no number', () => real.fromColumn(null)],
  ['no flag', () => flag.fromColumn(null)],
  ['no text', () => text.fromColumn(null)],
  ['no column at all', () => text.fromColumn(undefined)],
  ['text for bytes', () => hex.fromColumn('ab')],
  ['a number for an amount', () => bigint.fromColumn(1)],
  ['an unknown name', () => oneOf(['v3', 'v4']).fromColumn('v5')],
  ['text where a number may be missing', () => orNull(integer).fromColumn('x')],
]

test.each(misfits)('%s is a bug and throws', (_, pass) => {
  expect(pass).toThrow(TypeError)
})

test('volume saturates instead of failing', () => {
  expect(usdMicro.toColumn(1e300)).toBe(Number.MAX_SAFE_INTEGER)
  expect(usdMicro.fromColumn(1e300)).toBe(Number.MAX_SAFE_INTEGER)
})
