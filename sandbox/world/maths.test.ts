import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  amountsPerLiquidity,
  fromSqrtPriceX96,
  fullRange,
  rangeAround,
  sqrtPriceMax,
  sqrtPriceMin,
  toSqrtPriceX96,
} from './maths.ts'

const price = fc.double({ min: -30, max: 30, noNaN: true }).map((exponent) => 10 ** exponent)
const spacing = fc.constantFrom(1, 10, 60, 200, 970, 1_000)

test('a price survives a round trip through Q64.96', () => {
  fc.assert(
    fc.property(price, (value) => {
      expect(fromSqrtPriceX96(toSqrtPriceX96(value)) / value).toBeCloseTo(1, 6)
    }),
  )
})

test("prices beyond Uniswap's bounds are clamped one step inside them", () => {
  expect(toSqrtPriceX96(1e-60)).toBe(sqrtPriceMin + 1n)
  expect(toSqrtPriceX96(1e60)).toBe(sqrtPriceMax - 1n)
})

test('a range around a price is aligned, not empty and holds both tokens', () => {
  fc.assert(
    fc.property(price, spacing, (value, tickSpacing) => {
      const range = rangeAround(value, 0.9, 1.1, tickSpacing)
      expect(Math.abs(range.tickLower % tickSpacing)).toBe(0)
      expect(Math.abs(range.tickUpper % tickSpacing)).toBe(0)
      expect(range.tickLower).toBeLessThan(range.tickUpper)
      const { amount0, amount1 } = amountsPerLiquidity(value, range)
      expect(amount0).toBeGreaterThan(0)
      expect(amount1).toBeGreaterThan(0)
    }),
  )
})

test('the full range of tick spacing 60 is ±887,220', () => {
  expect(fullRange(60)).toEqual({ tickLower: -887_220, tickUpper: 887_220 })
})

test('a range beside the price holds one token only', () => {
  expect(amountsPerLiquidity(1, { tickLower: 100, tickUpper: 200 }).amount1).toBe(0)
  expect(amountsPerLiquidity(1, { tickLower: -200, tickUpper: -100 }).amount0).toBe(0)
})
