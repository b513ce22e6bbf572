import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createDeepPools,
  type DeepPoolSpec,
  deepPoolOf,
} from '../../../test/support/domain/deep-pools.ts'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { dynamicFee } from '../dex/uniswap-v4/hook-flags.ts'
import type { Address } from '../units.ts'
import { stockMedianUsd, trustedMeanUsd } from './pool-quotes.ts'
import { createPricingPools } from './pricing-pools.ts'

const { usdg, apple, weth, native } = tokens
const ts = 100_000
const prices = new Map<Address, number>([
  [usdg, 1],
  [weth, 2500],
])
const usdOf = (address: Address) => prices.get(address) ?? null

/** Apple in USDG: 200 dollars, $25,000 of depth. */
const honest: DeepPoolSpec = { token: apple, other: usdg, price: 200, depth: 25_000 }
const median = (...specs: readonly DeepPoolSpec[]) =>
  stockMedianUsd(createDeepPools(...specs).pricingPools, apple, { usdOf, ts })
const rounded = (price: ReturnType<typeof median>) =>
  price && { usd: Math.round(price.usd), pools: price.pools }
const hook = (digits: string): Address => `0x${digits.padStart(40, '0')}`

describe('the median over the deep pools of a stock (methodology §3)', () => {
  it.each<[string, readonly DeepPoolSpec[], ReturnType<typeof median>]>([
    ['none', [], null],
    ['one that is deep enough', [honest], { usd: 200, pools: 1 }],
    ['one that is a dollar short', [{ ...honest, depth: 24_999 }], null],
    ['an empty one', [{ ...honest, depth: 0 }], null],
    [
      'three: the middle one',
      [{ ...honest, price: 210 }, { ...honest, price: 1 }, honest],
      { usd: 200, pools: 3 },
    ],
    [
      'by depth: one deep pool outweighs two shallow ones',
      [
        { ...honest, depth: 100_000 },
        { ...honest, price: 900 },
        { ...honest, price: 900 },
      ],
      { usd: 200, pools: 3 },
    ],
    ['an hour old', [{ ...honest, createdTs: ts - 3600 }], { usd: 200, pools: 1 }],
    ['a second younger', [{ ...honest, createdTs: ts - 3599 }], null],
    ['a fee of 1 %', [{ ...honest, key: { fee: 10_000 } }], { usd: 200, pools: 1 }],
    ['a higher one', [{ ...honest, key: { fee: 10_001 } }], null],
    ['a dynamic fee', [{ ...honest, key: { fee: dynamicFee } }], null],
    ['a hook that acts on swaps', [{ ...honest, key: { hooks: hook('80') } }], null],
    ['a hook for liquidity', [{ ...honest, key: { hooks: hook('800') } }], { usd: 200, pools: 1 }],
  ])('%s', (_, specs, price) => {
    expect(rounded(median(...specs))).toEqual(price)
  })

  it('a reviewed hook counts', () => {
    const hooks = hook('80')
    const { windows } = createDeepPools({ ...honest, key: { hooks } })
    const reviewed = createPricingPools(windows, {
      decimalsOf: (token) => ({ known: true, value: token === usdg ? 6 : 18 }),
      reviewedHooks: new Set([hooks]),
    })
    expect(rounded(stockMedianUsd(reviewed, apple, { usdOf, ts }))?.usd).toBe(200)
  })

  it('is in dollars by the price of the trusted token, unknown without it', () => {
    const pool = { token: apple, other: weth, price: 0.08, depth: 10 }
    expect(rounded(median(pool))).toEqual({ usd: 200, pools: 1 })
    expect(median({ ...pool, depth: 9.99 })).toBeNull()
    expect(median({ ...pool, other: native })).toBeNull()
  })

  it('$101,000 parked out of range and one unit in range set no price', () => {
    const parked = { token: apple, other: usdg, price: 200_000, depth: 0 }
    const { state } = deepPoolOf({ ...parked, depth: 1 })
    const tick = Math.floor((state.price?.tick ?? 0) / 60) * 60
    // token0 is USDG: the dollars lie above the price.
    const away = [tick + 6000, tick + 12_000, 10n ** 18n] as const
    const dust = [tick - 60, tick + 60, 1n] as const
    const attack = { ...parked, positions: [away, dust] }
    expect(median(attack)).toBeNull()
    expect(rounded(median(attack, honest))).toEqual({ usd: 200, pools: 1 })
  })
})

describe('depth counts throughout the five minutes', () => {
  const createPool = () => createDeepPools({ ...honest, depth: 50_000 })
  const medianOf = ({ pricingPools }: ReturnType<typeof createPool>, toTs = ts) =>
    rounded(stockMedianUsd(pricingPools, apple, { usdOf, ts: toTs }))

  it.each([
    ['deep only since the last second', 1, 0],
    ['deep for one second less than the window', 299, 0],
    ['deep for all of it', 300, 1],
  ])('%s', (_, seconds, pools) => {
    const market = createDeepPools({ ...honest, depth: 10 })
    market.move(ts - seconds, { ...honest, price: 9000, depth: 1e6 })
    expect(medianOf(market)?.pools ?? 0).toBe(pools)
  })

  it('a pool that was thin for one second of it takes no part', () => {
    const market = createPool()
    market.move(ts - 120, { ...honest, depth: 24_000 })
    market.move(ts - 119, { ...honest, depth: 50_000 })
    expect(medianOf(market)).toBeNull()
    expect(medianOf(market, ts + 181)).toEqual({ usd: 200, pools: 1 })
  })

  it('within one second only the state that rests counts', () => {
    const market = createPool()
    market.move(ts - 120, { ...honest, price: 9000, depth: 1 })
    market.move(ts - 120, { ...honest, depth: 50_000 })
    expect(medianOf(market)).toEqual({ usd: 200, pools: 1 })
  })

  it('a price needs half of the time', () => {
    const market = createPool()
    market.move(ts - 149, { ...honest, price: 300 })
    expect(medianOf(market)?.usd).toBe(200)
    expect(medianOf(market, ts + 2)?.usd).toBe(300)
  })

  it('the least depth is the weight, not that of a moment', () => {
    const market = createDeepPools(honest, { ...honest, price: 210, depth: 26_000 })
    market.move(ts - 200, { ...honest, price: 900, number: 2, depth: 1e6 })
    expect(medianOf(market)).toEqual({ usd: 210, pools: 2 })
  })
})

describe('the mean over the deepest pool of a trusted token', () => {
  const ether: DeepPoolSpec = { token: weth, other: usdg, price: 2500, depth: 250_000 }
  const mean = (...specs: readonly DeepPoolSpec[]) =>
    rounded(trustedMeanUsd(createDeepPools(...specs).pricingPools, weth, { usdOf, ts }))

  it.each<[string, readonly DeepPoolSpec[], number | null]>([
    ['none', [], null],
    ['$250,000 of depth', [ether], 2500],
    ['a dollar less', [{ ...ether, depth: 249_999 }], null],
    ['the deepest alone', [ether, { ...ether, price: 2600, depth: 300_000 }], 2600],
    ['too young', [{ ...ether, createdTs: ts - 3599 }], null],
    ['too dear', [{ ...ether, key: { fee: 10_001 } }], null],
    ['an unreviewed hook', [{ ...ether, key: { hooks: hook('40') } }], null],
  ])('%s', (_, specs, usd) => {
    expect(mean(...specs)?.usd ?? null).toBe(usd)
  })

  it('$1,000,001 out of range and one unit in range do not set the price of ETH', () => {
    const { state } = deepPoolOf({ ...ether, price: 30 })
    const tick = Math.floor((state.price?.tick ?? 0) / 60) * 60
    const positions = [
      [tick + 6000, tick + 12_000, 10n ** 20n],
      [tick - 60, tick + 60, 1n],
    ] as const
    expect(mean({ ...ether, price: 30, depth: 0, positions })).toBeNull()
    expect(mean(ether, { ...ether, price: 30, depth: 0, positions })?.usd).toBe(2500)
  })

  it('is weighted by time, and a price of this second has no weight', () => {
    const market = createDeepPools(ether)
    market.move(ts - 100, { ...ether, price: 2800 })
    market.move(ts, { ...ether, price: 9000 })
    const price = trustedMeanUsd(market.pricingPools, weth, { usdOf, ts })
    expect(rounded(price)?.usd).toBe(2600)
  })
})

it('the deepest pool is that of a plain search', () => {
  const anySpec = fc.record({
    price: fc.integer({ min: 100, max: 300 }),
    depth: fc.integer({ min: 0, max: 100_000 }),
    createdTs: fc.constantFrom(1, ts - 10),
    other: fc.constantFrom(usdg, weth),
  })
  fc.assert(
    fc.property(fc.array(anySpec, { maxLength: 8 }), (rows) => {
      const specs = rows.map(({ other, depth, ...row }) =>
        other === weth
          ? { ...row, token: apple, other, price: row.price / 2500, depth: depth / 2500 }
          : { ...row, token: apple, other, depth },
      )
      const { pricingPools } = createDeepPools(...specs)
      const rules = { toTs: ts, depthUsdMin: 25_000, usdOf }
      const [deepest] = rows
        .filter(({ depth, createdTs }) => depth >= 25_000 && createdTs === 1)
        .sort((a, b) => b.depth - a.depth)
      const usd = pricingPools.deepestUsd(apple, rules)
      const deep = pricingPools.deepPools(apple, rules)
      expect(Math.round(usd ?? 0)).toBe(deepest?.price ?? 0)
      expect(deep.length === 0).toBe(usd === null)
    }),
    { numRuns: 100 },
  )
})
