import { describe, expect, test } from 'vitest'
import type { PoolKind } from '../view/pool-view.ts'
import { liquidityUsdOf, type SideValues, trustedSideUsdOf } from './liquidity-usd.ts'

const sidesOf = (values: readonly (number | null)[]): SideValues => {
  const [stockReserve = null, stockRefUsd = null, otherReserve = null, otherPriceUsd = null] =
    values
  return { stockReserve, stockRefUsd, otherReserve, otherPriceUsd }
}

describe('dollars in a pool (methodology §4)', () => {
  const table: readonly [string, PoolKind, readonly (number | null)[], number | null][] = [
    ['both sides by their references', 'canonical', [10, 200, 1000, 1], 3000],
    ['two stocks', 'stock-stock', [10, 200, 5, 400], 4000],
    ['a meme counts as much as the stock at most', 'meme', [10, 200, 1e9, 1], 4000],
    ['and less if it is less', 'meme', [10, 200, 1e3, 0.5], 2500],
    ['a launch of a billion memes against nothing', 'meme', [0, 200, 1e9, 1], 0],
    ['even if nobody knows a price', 'meme', [0, null, 1e9, null], 0],
    ['stock alone, all memes sold', 'meme', [10, 200, 0, 1], 2000],
    ['a needed reference is missing', 'canonical', [10, null, 1000, 1], null],
    ['the other price is missing', 'canonical', [10, 200, 1000, null], null],
    ['the meme has no price', 'meme', [10, 200, 1000, null], null],
    ['a reserve is unknown', 'canonical', [null, 200, 1000, 1], null],
    ['the other reserve is unknown', 'canonical', [10, 200, null, 1], null],
    ['an empty pool', 'canonical', [0, 200, 0, 1], 0],
    ['an empty pool without prices', 'canonical', [0, null, 0, null], 0],
    ['an empty side needs no price', 'canonical', [0, null, 500, 1], 500],
    ['more than numbers hold', 'canonical', [1e200, 1e200, 1, 1], null],
  ]
  test.each(table)('%s', (_, kind, values, usd) => {
    expect(liquidityUsdOf(kind, sidesOf(values))).toBe(usd)
  })
})

test('the trusted side is what a thief would have to bring', () => {
  expect(trustedSideUsdOf(sidesOf([10, 200, 1000, 1.5]))).toBe(1500)
  expect(trustedSideUsdOf(sidesOf([10, 200, 1000, null]))).toBeNull()
  expect(trustedSideUsdOf(sidesOf([10, 200, 0, null]))).toBe(0)
})
