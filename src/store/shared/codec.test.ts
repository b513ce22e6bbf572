import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bigint, flag, hex, integer, oneOf, orNull, real, text, usdMicro } from './codec.ts'

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

  test('and comes back, whatever its size', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }), (value) => {
        expect(bigint.fromColumn(bigint.toColumn(value) as Uint8Array<ArrayBuffer>)).toBe(value)
      }),
    )
  })
})

const misfits: readonly (readonly [string, () => unknown])[] = [
  ['a fraction', () => integer.toColumn(1.5)],
  ['an integer that could not be read again', () => integer.toColumn(2 ** 53)],
  ['NaN', () => real.toColumn(Number.NaN)],
  ['an endless number', () => real.toColumn(Number.POSITIVE_INFINITY)],
  ['volume that is no number', () => usdMicro.toColumn(Number.NaN)],
  ['half a byte', () => hex.toColumn('0xabc')],
  ['a digit that is none', () => hex.toColumn('0xzz')],
  ['no integer', () => integer.fromColumn(null)],
  ['no number', () => real.fromColumn(null)],
  ['no flag', () => flag.fromColumn(null)],
  ['no text', () => text.fromColumn(null)],
  ['no column at all', () => text.fromColumn(undefined)],
  ['text for bytes', () => hex.fromColumn('0xab')],
  ['a number for an amount', () => bigint.fromColumn(1)],
  ['a name that nobody knows', () => oneOf(['v3', 'v4']).fromColumn('v5')],
  ['text where a number may be missing', () => orNull(integer).fromColumn('x')],
]

test.each(misfits)('%s is a bug and throws', (_, pass) => {
  expect(pass).toThrow(TypeError)
})

test('volume saturates instead of failing', () => {
  expect(usdMicro.toColumn(1e300)).toBe(Number.MAX_SAFE_INTEGER)
  expect(usdMicro.fromColumn(1e300)).toBe(Number.MAX_SAFE_INTEGER)
})
