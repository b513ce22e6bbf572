import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountText, numberText, ratioText } from './decimal-text.ts'

test.each([
  [0n, 18, '0.0'],
  [1n, 18, '0.000000000000000001'],
  [1_500_000n, 6, '1.5'],
  [100n, 2, '1.0'],
  [12n, 0, '12.0'],
])('%s smallest units of a token with %i decimals are %s', (raw, decimals, text) => {
  expect(amountText(raw, decimals)).toBe(text)
})

test('an amount can be read back from its text, digit by digit', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.nat({ max: 36 }), (raw, decimals) => {
      const text = amountText(raw, decimals)
      expect(text).toMatch(/^(0|[1-9]\d*)\.(\d*[1-9]|0)$/)
      const [whole = '', fraction = ''] = text.split('.')
      const digits = decimals === 0 ? '' : fraction.padEnd(decimals, '0')
      expect(BigInt(whole + digits)).toBe(raw)
    }),
  )
})

test('a ratio is rounded down', () => {
  expect(ratioText({ numerator: 2n, denominator: 3n }, 5)).toBe('0.66666')
  expect(ratioText({ numerator: 7n, denominator: 2n }, 5)).toBe('3.5')
  expect(ratioText({ numerator: 1n, denominator: 10n ** 6n }, 5)).toBe('0.0')
})

test('a number has no exponent, and is read back as it was', () => {
  expect([0, 1e21, 1.5e-7, 12.25].map(numberText)).toEqual([
    ...['0.0', '1000000000000000000000.0', '0.00000015', '12.25'],
  ])
  const numbers = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })
  fc.assert(fc.property(numbers, (value) => Number(numberText(value)) === value))
})
