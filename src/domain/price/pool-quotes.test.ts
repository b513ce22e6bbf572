import { describe, expect, it } from 'vitest'
import type { PoolIdentity, PoolState } from '../pool/pool-state.ts'
import { known, unknown } from '../reading.ts'
import type { Address } from '../units.ts'
import {
  type PricingPoolPath,
  peggedUsd,
  pricingPoolPath,
  pricingPoolPrice,
  stockMedianUsd,
  trustedTwapUsd,
} from './pool-quotes.ts'
import type { PriceStep } from './price-path.ts'

const usdg: Address = '0x01'
const apple: Address = '0x02'
const ether = 10n ** 18n

type Given = {
  /** Whole dollars in the pool; apple is token1 and priced by USDG, which has 6 decimals. */
  readonly dollars?: number
  readonly liquidity?: bigint
  readonly path?: readonly PriceStep[]
  readonly hooks?: Address
  readonly reserves?: PoolState['reserves']
}

const identity: PoolIdentity = {
  number: 1,
  id: '0x0a',
  version: 'v4',
  venue: '0xe0',
  key: { token0: usdg, token1: apple, fee: 500, tickSpacing: 10, hooks: '0x00' },
  createdBlock: 1,
  createdTs: 1,
}

const poolOf = ({ dollars = 100_000, liquidity = 1n, path = [], hooks, reserves }: Given) => {
  const amounts = { amount0: BigInt(dollars) * 10n ** 6n, amount1: 3n * ether }
  const state: PoolState = {
    // 1e-6 whole USDG per raw unit, 1e-18 apple: a raw price of 5e9 is 200 $ per apple.
    price: { sqrtPriceX96: BigInt(Math.round(Math.sqrt(5e9) * 2 ** 48)) << 48n, tick: 0 },
    liquidity,
    reserves: reserves === undefined ? amounts : reserves,
    depth: null,
    mapFault: null,
    lastSwapTs: null,
    lastSwapBlock: null,
    lastSwapFee: null,
  }
  const key = { ...identity.key, hooks: hooks ?? identity.key.hooks }
  return pricingPoolPath(
    { pool: { ...identity, key, ...state }, decimals0: known(6), decimals1: known(18), path },
    { stockIsToken0: false },
  )
}

const at = (price: number, ts = 0): readonly PriceStep[] => [{ ts, price }]
const asOf = (usd: number | null, ts = 1000) => ({ usdOf: () => usd, ts })
const median = (...given: readonly Given[]) => stockMedianUsd(given.map(poolOf), asOf(1))
const twap = (...given: readonly Given[]) => trustedTwapUsd(given.map(poolOf), asOf(1))

describe('an anchored pool', () => {
  it('prices the token by the trusted one, whichever comes first', () => {
    const pool = poolOf({})
    expect(pool).toMatchObject({ token: apple, trustedToken: usdg, isToken0: false })
    expect(pricingPoolPrice(pool)).toBeCloseTo(200, 6)
    const turned = pricingPoolPath(pool, { stockIsToken0: true })
    expect(turned).toMatchObject({ token: usdg, trustedToken: apple })
    expect(pricingPoolPrice(turned)).toBeCloseTo(0.005, 9)
  })

  it('has no price without a state or without decimals', () => {
    const { pool, ...facts } = poolOf({})
    expect(pricingPoolPrice({ ...facts, pool: { ...pool, price: null } })).toBe(null)
    expect(pricingPoolPrice({ ...facts, pool, decimals1: unknown('decimals-unread') })).toBe(null)
  })
})

describe('the median over a stock’s pools', () => {
  it.each<[string, readonly Given[], number | null]>([
    ['of none is unknown', [], null],
    ['of one that is deep enough', [{ path: at(200) }], 200],
    ['of one that is a dollar short is unknown', [{ dollars: 99_999, path: at(200) }], null],
    ['of one that cannot be traded in is unknown', [{ liquidity: 0n, path: at(200) }], null],
    ['of one whose reserves are unknown is unknown', [{ reserves: null, path: at(200) }], null],
    [
      'of one whose hook moves tokens by itself is unknown',
      [{ hooks: '0x0000000000000000000000000000000000000004', path: at(200) }],
      null,
    ],
    ['of three is the middle one', [{ path: at(210) }, { path: at(1) }, { path: at(200) }], 200],
    ['asks only the deep ones', [{ path: at(200) }, { dollars: 5, path: at(9) }], 200],
    [
      'weighs by time: a price of the last 149 of 300 s does not decide',
      [{ path: [...at(200), { ts: 851, price: 300 }] }],
      200,
    ],
    [
      'weighs by time: one of the last 151 s does',
      [{ path: [...at(200), { ts: 849, price: 300 }] }],
      300,
    ],
  ])('%s', (_, given, usd) => {
    expect(median(...given)).toBe(usd)
  })

  it('is in dollars by the price of the trusted token, unknown without it', () => {
    const pools = [poolOf({ path: at(0.08) })]
    expect(stockMedianUsd(pools, asOf(2500))).toBe(200)
    expect(stockMedianUsd(pools, asOf(null))).toBe(null)
  })
})

describe('the average over the deepest pool of a trusted token', () => {
  it.each<[string, readonly Given[], number | null]>([
    ['of none is unknown', [], null],
    ['is weighed by time', [{ path: [...at(1), { ts: 900, price: 4 }] }], 2],
    ['is that of the deepest alone', [{ path: at(2) }, { dollars: 200_000, path: at(3) }], 3],
    ['needs no hundred thousand', [{ dollars: 1, path: at(2) }], 2],
    ['of an empty one is unknown', [{ dollars: 0, path: at(2) }], null],
    ['of one without liquidity in range is unknown', [{ liquidity: 0n, path: at(2) }], null],
    ['of one without a path is unknown', [{ path: [] }], null],
  ])('%s', (_, given, usd) => {
    expect(twap(...given)).toBe(usd)
  })

  it('is unknown while the other token has no price from outside', () => {
    expect(trustedTwapUsd([poolOf({ path: at(2) })], asOf(null))).toBe(null)
  })
})

it.each([
  [1, 1],
  [1.0099, 1],
  [0.9901, 1],
  [1.0101, null],
  [0.9899, null],
  [null, null],
])('a dollar token that pools trade at %s is worth %s', (twapUsd, usd) => {
  expect(peggedUsd(twapUsd)).toBe(usd)
})

it('an anchored pool is the pool that it was made of', () => {
  const pool: PricingPoolPath = poolOf({ path: at(1) })
  expect(pool.path).toEqual([{ ts: 0, price: 1 }])
})
