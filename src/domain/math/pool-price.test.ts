import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { known, unknown } from '../reading.ts'
import {
  amountToApprox,
  invertRatio,
  isAtBound,
  priceRatio,
  stockPriceInOther,
  toApprox,
} from './pool-price.ts'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from './tick-math.ts'

const q96 = 1n << 96n
const anySqrtPrice = fc.bigInt({ min: sqrtPriceMinX96, max: sqrtPriceMaxX96 - 1n })
const anyDecimals = fc.integer({ min: 0, max: 36 })

/** 31 significant digits of an exact quotient, computed without floating point. */
const digitsOf = (numerator: bigint, denominator: bigint): string => {
  let exponent = 0
  let [n, d] = [numerator, denominator]
  for (; n >= d * 10n; d *= 10n) exponent++
  for (; n < d; n *= 10n) exponent--
  return `${(n * 10n ** 30n) / d}e${exponent}`
}

describe('priceOf', () => {
  it.each([
    ['one to one', q96, 18, 18, 1],
    ['twice the root is four times the price', 2n * q96, 18, 18, 4],
    ['18 against 6 decimals: 10^12 raw units more', q96, 18, 6, 1e12],
    ['6 against 18 decimals', q96, 6, 18, 1e-12],
    ['the widest decimals', q96, 36, 0, 1e36],
    ['the narrowest decimals', q96, 0, 36, 1e-36],
  ])('%s', (_, sqrtPriceX96, decimals0, decimals1, expected) => {
    expect(toApprox(priceRatio(sqrtPriceX96, decimals0, decimals1))).toBe(expected)
  })

  it('is exact: the ratio itself, without rounding', () => {
    expect(priceRatio(3n, 2, 1)).toEqual({ numerator: 900n, denominator: 10n << 192n })
  })

  it.each([-1, 37, 1.5])('with %s decimals is a bug', (decimals) => {
    expect(() => priceRatio(q96, decimals, 18)).toThrow(RangeError)
    expect(() => priceRatio(q96, 18, decimals)).toThrow(RangeError)
  })
})

describe('toApprox', () => {
  it('is right to 15 digits, positive and finite for every price and its inverse', () => {
    fc.assert(
      fc.property(anySqrtPrice, anyDecimals, anyDecimals, (sqrtPriceX96, d0, d1) => {
        const price = priceRatio(sqrtPriceX96, d0, d1)
        for (const ratio of [price, invertRatio(price)]) {
          const value = toApprox(ratio)
          expect(value).toBeGreaterThan(0)
          expect(value).toBeLessThan(Number.POSITIVE_INFINITY)
          const [digits = '', exponent = ''] = digitsOf(ratio.numerator, ratio.denominator).split(
            'e',
          )
          const truth = Number(`${digits}e${Number(exponent) - 30}`)
          expect(Math.abs(value / truth - 1)).toBeLessThan(5e-16)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('of zero is zero', () => {
    expect(toApprox({ numerator: 0n, denominator: 5n })).toBe(0)
  })

  it.each([
    ['a denominator of zero', { numerator: 1n, denominator: 0n }],
    ['nothing of nothing', { numerator: 0n, denominator: 0n }],
    ['operands beyond the numbers', { numerator: 1n << 2000n, denominator: 1n << 2000n }],
  ])('of %s is a bug, never NaN or Infinity', (_, ratio) => {
    expect(() => toApprox(ratio)).toThrow(RangeError)
  })
})

describe('amountToApprox', () => {
  it.each([
    [1_234_567n, 6, 1.234567],
    [-1_234_567n, 6, -1.234567],
    [0n, 18, 0],
    [1n, 18, 1e-18],
    [177_326_663_821_782_340n, 18, 0.17732666382178233],
    [1n, 36, 1e-36],
    [5n, 0, 5],
  ])('%i with %i decimals is %d', (raw, decimals, expected) => {
    expect(amountToApprox(raw, decimals)).toBe(expected)
  })

  it('is within 15 digits of the truth and finite for every int256', () => {
    const raws = fc.bigInt({ min: -(1n << 255n), max: (1n << 255n) - 1n })
    fc.assert(
      fc.property(raws, anyDecimals, (raw, decimals) => {
        const truth = Number(`${raw}e-${decimals}`)
        expect(Math.abs(amountToApprox(raw, decimals) - truth)).toBeLessThanOrEqual(
          Math.abs(truth) * 5e-16,
        )
      }),
      { numRuns: 2000 },
    )
  })
})

describe('stockPriceInOther', () => {
  const one = { sqrtPriceX96: 2n * q96 }
  const eighteen = known(18)
  const none = unknown('decimals-reverted')

  it.each([
    ['the stock is token0: the price itself', one, true, eighteen, eighteen, known(4)],
    ['the stock is token1: its inverse', one, false, eighteen, eighteen, known(0.25)],
    ['not initialised', null, true, eighteen, eighteen, unknown('price_missing')],
    ['√price zero', { sqrtPriceX96: 0n }, true, eighteen, eighteen, unknown('price_missing')],
    [
      'at the upper bound',
      { sqrtPriceX96: sqrtPriceMaxX96 - 1n },
      true,
      eighteen,
      eighteen,
      unknown('price_at_bound'),
    ],
    ['decimals of token0 unknown', one, true, none, eighteen, unknown('decimals_unknown')],
    ['decimals of token1 unknown', one, true, eighteen, none, unknown('decimals_unknown')],
  ])('%s', (_, price, stockIsToken0, decimals0, decimals1, expected) => {
    expect(stockPriceInOther(price, stockIsToken0, decimals0, decimals1)).toEqual(expected)
  })
})

describe('isAtBound', () => {
  it.each([
    [sqrtPriceMinX96, true],
    [sqrtPriceMinX96 + 1n, true],
    [sqrtPriceMinX96 + 2n, false],
    [q96, false],
    [sqrtPriceMaxX96 - 2n, false],
    [sqrtPriceMaxX96 - 1n, true],
    [sqrtPriceMaxX96, true],
  ])('%i: %s', (sqrtPriceX96, expected) => {
    expect(isAtBound(sqrtPriceX96)).toBe(expected)
  })
})
