import { expect, it } from 'vitest'
import { quotedPoolOf } from '../../../test/support/domain/quoted-pool.ts'
import { addressOf, identityOf } from '../../../test/support/domain/sample-inputs.ts'
import { depthOfStock } from './stock-depth.ts'

const liquidity = 10n ** 24n
const poolOf = (id: number, parts: Parameters<typeof quotedPoolOf>[0] = {}) =>
  quotedPoolOf({ ...parts, pool: identityOf({ id: addressOf(id) }) })

const depthOf = (...pools: readonly ReturnType<typeof poolOf>[]) => {
  const { depth } = depthOfStock({ pools, bestPoolId: addressOf(1), excluded: [] })
  if (depth === null) throw new Error('no depth')
  return depth
}

/** Dollars that move a pool of this liquidity from a price of 1 dollar. */
const usdUntil = (price: number) => (Number(liquidity) / 1e18) * Math.abs(Math.sqrt(price) - 1)

it('adds what moves each pool from its own price to those around the mid price', () => {
  const { midPriceUsd, bands } = depthOf(poolOf(1), poolOf(2))
  expect(midPriceUsd).toBe(1)
  expect(bands.map(({ bps }) => bps)).toEqual([100, 200, 500])
  for (const { bps, buy, sell } of bands) {
    const move = bps / 10_000
    expect(buy.usd / (2 * usdUntil(1 + move))).toBeCloseTo(1, 9)
    expect(sell.usd / (2 * usdUntil(1 - move))).toBeCloseTo(1, 9)
    expect(buy.usd / buy.stockAmount / Math.sqrt(1 + move)).toBeCloseTo(1, 9)
  }
})

it('turns a pool around whose stock is token1', () => {
  const classification = { kind: 'canonical', stockIsToken0: false } as const
  const turned = depthOf(poolOf(1, { classification }))
  const { bands, ...rest } = depthOf(poolOf(1))
  expect(turned.bands[0]?.buy.usd).toBeCloseTo(bands[0]?.buy.usd ?? 0, 6)
  expect(turned.bands[2]?.sell.stockAmount).toBeCloseTo(bands[2]?.sell.stockAmount ?? 0, 6)
  expect(turned.usdToMove1Pct).toBeCloseTo(rest.usdToMove1Pct, 6)
})

it('counts nothing of a pool that stands beyond the band', () => {
  const dear = poolOf(2, { tick: 300, prices: { stockPriceUsd: 1.03, otherPriceUsd: 1 } })
  const { bands, usdToMove1Pct, ...top } = depthOf(poolOf(1), dear)
  expect((bands[0]?.buy.usd ?? 0) / usdUntil(1.01)).toBeCloseTo(1, 9)
  // Sold to 0.99 from 1.03 in one pool and from 1 in the other.
  expect(bands[0]?.sell.usd).toBeGreaterThan(4 * usdUntil(0.99))
  expect(usdToMove1Pct).toBe(bands[0]?.buy.usd)
  expect(top.topPoolId).toBe(addressOf(2))
})

it('names the pool with the most dollars near the price', () => {
  const small = poolOf(2, { positions: [[-60_000, 60_000, liquidity / 3n]] })
  const { topPoolId, topPoolShare } = depthOf(poolOf(1), small)
  expect(topPoolId).toBe(addressOf(1))
  expect(topPoolShare).toBeCloseTo(0.75, 6)
})

it('is zero without liquidity near the price, and unknown without a pool', () => {
  const far = poolOf(1, { positions: [[6000, 12_000, liquidity]] })
  expect(depthOf(far)).toMatchObject({ usdToMove1Pct: 0, topPoolId: null, topPoolShare: null })
  const none = { pools: [], bestPoolId: null, excluded: [] }
  expect(depthOfStock(none)).toEqual({
    depth: null,
    reasons: ['no_usable_pool'],
    assumptions: [],
    excluded: [],
  })
})
