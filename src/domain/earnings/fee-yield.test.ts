import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount0Delta, amount1Delta } from '../math/sqrt-price-math.ts'
import { feeYieldOf, feeYieldParts, yieldOwnUsd, yieldRangeBps } from './fee-yield.ts'
import { lpFeeParts } from './lp-fee.ts'

const q96 = 2n ** 96n

/** Dollars are token1, of 6 decimals. */
const microOf = (amount1: number): number => Math.round(amount1)

/** What liquidity is worth in the range around a √price, in token1, by the contracts' amounts. */
const worthOf = (liquidity: bigint, atX96: bigint): number => {
  const width = Math.sqrt(1 + yieldRangeBps / 10_000)
  const lower = BigInt(Math.round(Number(atX96) / width))
  const upper = BigInt(Math.round(Number(atX96) * width))
  const below = amount1Delta({ sqrtPriceAX96: lower, sqrtPriceBX96: atX96, liquidity }, 'down')
  const above = amount0Delta({ sqrtPriceAX96: atX96, sqrtPriceBX96: upper, liquidity }, 'down')
  return Number(below) + Number(above) * (Number(atX96) / Number(q96)) ** 2
}

const anySwap = fc.record({
  liquidity: fc.bigInt({ min: 10n ** 12n, max: 10n ** 18n }),
  start: fc.double({ min: 0.1, max: 10, noNaN: true }),
  change: fc.double({ min: 1e-5, max: 0.02, noNaN: true }),
  wholeFee: fc.constantFrom(0.0001, 0.0005, 0.003, 0.01),
  share: fc.constantFrom(1, 0.75, 5 / 6),
})

test('is what the liquidity in range earned, by its worth and the own dollars', () => {
  fc.assert(
    fc.property(anySwap, ({ liquidity, start, change, wholeFee, share }) => {
      const beforeX96 = BigInt(Math.round(start * 2 ** 96))
      const sqrtPriceX96 = BigInt(Math.round(start * (1 + change) * 2 ** 96))
      const span = { sqrtPriceAX96: beforeX96, sqrtPriceBX96: sqrtPriceX96, liquidity }
      const paid = Number(amount1Delta(span, 'up')) / (1 - wholeFee)
      const lpFee = Math.round(wholeFee * share * lpFeeParts)
      const usdMicro = microOf(paid)
      const yielded = feeYieldOf({ beforeX96, sqrtPriceX96, wholeFee, lpFee, usdMicro })
      const middle = BigInt(Math.round(Math.sqrt(Number(beforeX96) * Number(sqrtPriceX96))))
      const fees = paid * wholeFee * share
      const expected = fees / (worthOf(liquidity, middle) + yieldOwnUsd * 1e6)
      expect(Math.abs((yielded ?? 0) / feeYieldParts - expected)).toBeLessThan(
        expected * 1e-3 + 1 / feeYieldParts,
      )
    }),
  )
})

const swap = {
  beforeX96: q96,
  sqrtPriceX96: q96 + q96 / 1000n,
  wholeFee: 0.003,
  lpFee: 0.003 * lpFeeParts,
  usdMicro: 1_000_000_000,
}

test('is the same up and down the same path', () => {
  const { beforeX96, sqrtPriceX96 } = swap
  const back = { ...swap, beforeX96: sqrtPriceX96, sqrtPriceX96: beforeX96 }
  expect(feeYieldOf(back)).toBe(feeYieldOf(swap))
})

test('of dust is no more than what the own dollars would have earned', () => {
  const dust = { ...swap, sqrtPriceX96: q96 * 1000n }
  const result = feeYieldOf(dust) ?? 0
  expect(result / feeYieldParts).toBeLessThan(3 / yieldOwnUsd)
  expect(result / feeYieldParts).toBeGreaterThan(2.9 / yieldOwnUsd)
})

test('is 0 of a swap that moved nothing, or paid nothing to liquidity providers', () => {
  expect(feeYieldOf({ ...swap, sqrtPriceX96: q96 })).toBe(0)
  expect(feeYieldOf({ ...swap, usdMicro: 0 })).toBe(0)
  expect(feeYieldOf({ ...swap, lpFee: 0 })).toBe(0)
})

test.each(['beforeX96', 'wholeFee', 'lpFee', 'usdMicro'])('is unknown without %s', (name) => {
  expect(feeYieldOf({ ...swap, [name]: null })).toBeNull()
})
