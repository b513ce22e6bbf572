import { describe, expect, it } from 'vitest'
import { usdMicroMax } from '../pool/stored-rows.ts'
import { computeSwapUsd, type LegUsd } from './swap-usd.ts'

type Leg = { readonly raw: bigint; readonly value: () => LegUsd | null }

const leg = (amount: number | null, usd: number | null, ofItsTime = true): Leg => ({
  raw: amount === 0 ? 0n : 1n,
  value: () =>
    amount === null || usd === null ? null : { usd: amount * usd, estimated: !ofItsTime },
})
const never: Leg = {
  raw: 5n,
  value: () => {
    throw new Error('this leg does not count')
  },
}

const exact = (usdMicro: number) => ({ usdMicro, estimated: false })
const guessed = (usdMicro: number) => ({ usdMicro, estimated: true })
const unpriced = { usdMicro: null, estimated: false }

describe("a swap's dollars", () => {
  it.each([
    ['canonical: the other side alone', 'canonical', never, leg(2, 3), exact(6e6)],
    ['canonical: an estimate stays one', 'canonical', never, leg(2, 3, false), guessed(6e6)],
    ['canonical: no price', 'canonical', never, leg(2, null), unpriced],
    ['canonical: no decimals', 'canonical', never, leg(null, 3), unpriced],
    ['meme: the stock alone', 'meme', leg(2, 3), never, exact(6e6)],
    ['meme: no price', 'meme', leg(2, null), leg(2, 3), unpriced],
    ['stock-stock: the mean', 'stock-stock', leg(2, 3), leg(1, 7), exact(6.5e6)],
    [
      'stock-stock: half an estimate is one',
      'stock-stock',
      leg(2, 3),
      leg(1, 7, false),
      guessed(6.5e6),
    ],
    ['stock-stock: one stands in', 'stock-stock', leg(2, null), leg(1, 7), guessed(7e6)],
    ['stock-stock: the other stands in', 'stock-stock', leg(2, 3), leg(null, 7), guessed(6e6)],
    ['stock-stock: neither', 'stock-stock', leg(2, null), leg(null, 7), unpriced],
    ['two trusted tokens: the mean', 'reference', leg(2, 3), leg(1, 7), exact(6.5e6)],
    ['nothing moved', 'canonical', leg(0, null), leg(0, null), exact(0)],
    ['nothing moved on the side that counts', 'canonical', never, leg(0, 3), exact(0)],
    ['millionths, rounded', 'meme', leg(1, 0.0000015), never, exact(2)],
    ['dust', 'meme', leg(1e-18, 1), never, exact(0)],
    ['the most that is counted', 'meme', leg(9_007_199_254, 1), never, exact(9_007_199_254e6)],
    ['more than is counted, clamped', 'meme', leg(1e10, 1), never, exact(usdMicroMax)],
    ['an estimate stays one', 'canonical', never, leg(1e40, 1, false), guessed(usdMicroMax)],
    ['beyond the numbers, clamped', 'meme', leg(1e300, 1e300), never, exact(usdMicroMax)],
    ['no number', 'meme', leg(Number.NaN, 1), never, unpriced],
  ] as const)('%s', (_, kind, stock, other, usd) => {
    expect(computeSwapUsd(kind, { stock, other }, ({ value }: Leg) => value())).toEqual(usd)
  })
})
