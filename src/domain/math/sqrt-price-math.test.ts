import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amount0Delta, amount1Delta } from './sqrt-price-math.ts'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from './tick-math.ts'

const q96 = 1n << 96n

/** √(121/100) as Q64.96: 1.1. */
const elevenTenths = 87_150_978_765_690_771_352_898_345_369n

const anySqrtPrice = fc.oneof(
  fc.bigInt({ min: sqrtPriceMinX96, max: sqrtPriceMaxX96 - 1n }),
  fc.bigInt({ min: q96 - 1_000_000n, max: q96 + 1_000_000n }),
)
const anySpan = fc.record({
  sqrtPriceAX96: anySqrtPrice,
  sqrtPriceBX96: anySqrtPrice,
  liquidity: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
})

describe('amounts between the prices 1 and 1.21 for a liquidity of 10^18', () => {
  // As v3-core's and v4-core's SqrtPriceMath tests have them: 10^18 · (1 − 1/1.1) and · 0.1.
  const span = { sqrtPriceAX96: q96, sqrtPriceBX96: elevenTenths, liquidity: 10n ** 18n }
  const reversed = { ...span, sqrtPriceAX96: elevenTenths, sqrtPriceBX96: q96 }

  it.each([
    ['token0, rounded up', amount0Delta(span, 'up'), 90_909_090_909_090_910n],
    ['token0, rounded down', amount0Delta(span, 'down'), 90_909_090_909_090_909n],
    ['token1, rounded up', amount1Delta(span, 'up'), 100_000_000_000_000_000n],
    ['token1, rounded down', amount1Delta(span, 'down'), 99_999_999_999_999_999n],
    ['token0 with the prices reversed', amount0Delta(reversed, 'up'), 90_909_090_909_090_910n],
    ['token1 with the prices reversed', amount1Delta(reversed, 'up'), 100_000_000_000_000_000n],
  ])('%s', (_, amount, expected) => {
    expect(amount).toBe(expected)
  })
})

describe('amount0Delta', () => {
  it('is what the contract gets by rounding twice: by the upper √price, then the lower', () => {
    const roundUp = (numerator: bigint, denominator: bigint): bigint =>
      (numerator + denominator - 1n) / denominator
    const example = { sqrtPriceAX96: 3n, sqrtPriceBX96: 7n, liquidity: 1n }
    fc.assert(
      fc.property(anySpan, (span) => {
        const [a, b] = [span.sqrtPriceAX96, span.sqrtPriceBX96]
        const [lower, upper] = a < b ? [a, b] : [b, a]
        const numerator = (span.liquidity << 96n) * (upper - lower)
        expect(amount0Delta(span, 'down')).toBe(numerator / upper / lower)
        expect(amount0Delta(span, 'up')).toBe(roundUp(roundUp(numerator, upper), lower))
      }),
      { numRuns: 1000, examples: [[example]] },
    )
  })

  it('of no liquidity or no distance is nothing', () => {
    expect(amount0Delta({ sqrtPriceAX96: 5n, sqrtPriceBX96: 9n, liquidity: 0n }, 'up')).toBe(0n)
    expect(amount0Delta({ sqrtPriceAX96: 5n, sqrtPriceBX96: 5n, liquidity: 9n }, 'up')).toBe(0n)
  })

  it('encloses the exact quotient L·2^96·(b−a)/(a·b)', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        const [a, b] = [span.sqrtPriceAX96, span.sqrtPriceBX96]
        const numerator = (span.liquidity << 96n) * (a < b ? b - a : a - b)
        const down = amount0Delta(span, 'down')
        const up = amount0Delta(span, 'up')
        expect(down * a * b).toBeLessThanOrEqual(numerator)
        expect(up * a * b).toBeGreaterThanOrEqual(numerator)
        expect(up - down).toBeLessThanOrEqual(2n)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['a √price of zero', { sqrtPriceAX96: 0n, sqrtPriceBX96: 1n, liquidity: 1n }],
    ['a negative √price', { sqrtPriceAX96: 1n, sqrtPriceBX96: -1n, liquidity: 1n }],
    ['negative liquidity', { sqrtPriceAX96: 1n, sqrtPriceBX96: 2n, liquidity: -1n }],
  ])('of %s is a bug', (_, span) => {
    expect(() => amount0Delta(span, 'down')).toThrow(RangeError)
  })
})

describe('amount1Delta', () => {
  it('is the exact quotient L·(b−a)/2^96, rounded once', () => {
    fc.assert(
      fc.property(anySpan, (span) => {
        const [a, b] = [span.sqrtPriceAX96, span.sqrtPriceBX96]
        const numerator = span.liquidity * (a < b ? b - a : a - b)
        expect(amount1Delta(span, 'down')).toBe(numerator / q96)
        expect(amount1Delta(span, 'up')).toBe((numerator + q96 - 1n) / q96)
      }),
      { numRuns: 1000 },
    )
  })

  it('of negative liquidity is a bug', () => {
    const span = { sqrtPriceAX96: 1n, sqrtPriceBX96: 2n, liquidity: -1n }
    expect(() => amount1Delta(span, 'down')).toThrow(RangeError)
  })
})
