import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isTick,
  sqrtPriceAtTick,
  sqrtPriceMaxX96,
  sqrtPriceMinX96,
  tickAtSqrtPrice,
  tickMax,
  tickMin,
} from './tick-math.ts'

const anyTick = fc.integer({ min: tickMin, max: tickMax })

/** The greatest integer whose square is not above x, by Newton. */
const squareRoot = (x: bigint): bigint => {
  let root = 1n << BigInt((x.toString(2).length >> 1) + 1)
  for (let next = 0n; ; root = next) {
    next = (root + x / root) >> 1n
    if (next >= root) return root
  }
}

describe('sqrtPriceAtTick', () => {
  // The figures that TickMath documents (its constants, and v3-core's and v4-core's own tests).
  it.each([
    [tickMin, sqrtPriceMinX96],
    [tickMin, 4_295_128_739n],
    [tickMin + 1, 4_295_343_490n],
    [-1, 79_224_201_403_219_477_170_569_942_574n],
    [0, 1n << 96n],
    [1, 79_232_123_823_359_799_118_286_999_568n],
    [tickMax - 1, 1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_249n],
    [tickMax, sqrtPriceMaxX96],
    [tickMax, 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n],
  ])('of tick %i is %i', (tick, expected) => {
    expect(sqrtPriceAtTick(tick)).toBe(expected)
  })

  it('of powers of two follows from the exact root, though the contract multiplies', () => {
    // 2^96 / √1.0001^n, exact: the contract's Q128.128 products lose less than a unit here.
    for (let bit = 0; bit < 17; bit++) {
      const tick = -(2 ** bit)
      const square = ((1n << 192n) * 10_000n ** BigInt(-tick)) / 10_001n ** BigInt(-tick)
      const error = sqrtPriceAtTick(tick) - squareRoot(square)
      expect(error === 0n || error === 1n).toBe(true)
    }
  })

  it('is never further than a part in 10^9 from the true root of the price', () => {
    const ticks = fc.integer({ min: -20_000, max: 20_000 })
    fc.assert(
      fc.property(ticks, (tick) => {
        const power = BigInt(Math.abs(tick))
        const [above, below] = [10_001n ** power, 10_000n ** power]
        const square = tick < 0 ? (below << 192n) / above : (above << 192n) / below
        const exact = squareRoot(square)
        const error = sqrtPriceAtTick(tick) - exact
        expect((error < 0n ? -error : error) * 1_000_000_000n).toBeLessThan(exact)
      }),
      { numRuns: 60 },
    )
  })

  it('of every tick is what v4-core TickMath computes on an EVM', () => {
    // Digest of all 1,774,545 (lines of hexadecimal), taken when each was equal to the contract's.
    const digest = createHash('sha256')
    for (let tick = tickMin; tick <= tickMax; ) {
      const lines: string[] = []
      const end = Math.min(tick + 10_000, tickMax + 1)
      for (; tick < end; tick++) lines.push(sqrtPriceAtTick(tick).toString(16))
      digest.update(`${lines.join('\n')}\n`)
    }
    expect(digest.digest('hex')).toBe(
      '90bcac1c2d988fcd06b2ce833c1f42d412396e969a86ab7222ccfc94f2017368',
    )
  })

  it.each([tickMin - 1, tickMax + 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    'of %s is a bug, because no pool has such a tick',
    (tick) => {
      expect(isTick(tick)).toBe(false)
      expect(() => sqrtPriceAtTick(tick)).toThrow(RangeError)
    },
  )
})

describe('tickAtSqrtPrice', () => {
  it.each([
    [sqrtPriceMinX96, tickMin],
    [4_295_343_489n, tickMin],
    [4_295_343_490n, tickMin + 1],
    [(1n << 96n) - 1n, -1],
    [1n << 96n, 0],
    [1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_249n, tickMax - 1],
    [1_461_373_636_630_004_318_706_518_188_784_493_106_690_254_656_248n, tickMax - 2],
    [sqrtPriceMaxX96 - 1n, tickMax - 1],
    // A recorded v4 swap of chain 4663 (transaction 0x758f37a3…f37f) names both.
    [12_140_542_621_037_734_118_838_769_743_696n, 100_644],
  ])('of %i is %i', (sqrtPriceX96, expected) => {
    expect(tickAtSqrtPrice(sqrtPriceX96)).toBe(expected)
  })

  it('leads back from every tick but the last, whose price no pool reaches', () => {
    fc.assert(
      fc.property(anyTick, (tick) => {
        fc.pre(tick < tickMax)
        expect(tickAtSqrtPrice(sqrtPriceAtTick(tick))).toBe(tick)
        if (tick > tickMin) expect(tickAtSqrtPrice(sqrtPriceAtTick(tick) - 1n)).toBe(tick - 1)
      }),
      { numRuns: 2000 },
    )
  })

  it('is the greatest tick whose price is not above', () => {
    const prices = fc.bigInt({ min: sqrtPriceMinX96, max: sqrtPriceMaxX96 - 1n })
    const smallPrices = fc.bigInt({ min: sqrtPriceMinX96, max: 1n << 64n })
    fc.assert(
      fc.property(fc.oneof(prices, smallPrices), (sqrtPriceX96) => {
        const tick = tickAtSqrtPrice(sqrtPriceX96)
        expect(sqrtPriceAtTick(tick)).toBeLessThanOrEqual(sqrtPriceX96)
        expect(sqrtPriceAtTick(tick + 1)).toBeGreaterThan(sqrtPriceX96)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([0n, -1n, sqrtPriceMinX96 - 1n, sqrtPriceMaxX96])('of %i is a bug', (sqrtPriceX96) => {
    expect(() => tickAtSqrtPrice(sqrtPriceX96)).toThrow(RangeError)
  })
})
