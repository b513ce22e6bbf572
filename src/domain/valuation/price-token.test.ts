import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addressOf,
  noon,
  readingOf,
  referenceOf,
  sampleStockInputs,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import { noReferencePrice } from '../price/reference-price.ts'
import { type StatusReason, statusReasons } from '../status/data-status.ts'
import type { TokenPriceView } from '../views/token-price.ts'
import {
  type PricedPool,
  priceAgeSecondsMax,
  priceMeme,
  priceQuoteToken,
  priceStock,
} from './price-token.ts'
import type { StockInputs } from './stock-inputs.ts'

const poolOf = (rest: Partial<PricedPool> = {}): PricedPool => ({
  id: addressOf(0xd1),
  usd: 200,
  depthUsd: 50_000,
  ts: noon - 2,
  reasons: [],
  ...rest,
})

const priceOf = (
  pool: PricedPool | null,
  rest: Partial<StockInputs & { isVerified: boolean }> = {},
): TokenPriceView => priceStock({ ...sampleStockInputs(), isVerified: true, ...rest }, pool, noon)

const old = readingOf(
  referenceOf(200, { fresh: false, independent: false, publishedTs: noon - 7200 }),
)

describe('a stock', () => {
  test('has the price of its deep pool, confirmed by its reference', () => {
    expect(priceOf(poolOf({ usd: 201 }))).toEqual({
      ...{ address: tokens.nvda, symbol: 'NVDA', usd: 201, source: 'pool', ageSeconds: 2 },
      ...{ session: 'regular', depthUsd: 50_000, confidence: 'high', reasons: [] },
      poolId: addressOf(0xd1),
    })
  })

  test.each<[string, PricedPool | null, Partial<StockInputs>, Partial<TokenPriceView>]>([
    [
      'a pool 5 % away',
      poolOf({ usd: 210 }),
      {},
      { usd: 210, confidence: 'medium', reasons: ['price_drift'] },
    ],
    ['a pool 20 % away', poolOf({ usd: 240 }), {}, { usd: 240, confidence: 'low' }],
    [
      'a thin pool, and a fresh reference',
      poolOf({ usd: 230, depthUsd: 900, reasons: ['depth_thin'] }),
      {},
      { usd: 200, source: 'issuer', poolId: null, depthUsd: 900, confidence: 'medium' },
    ],
    [
      'no pool',
      null,
      {},
      { usd: 200, depthUsd: null, confidence: 'medium', reasons: ['single_source'] },
    ],
    [
      'no pool, and an old reference',
      null,
      { reading: old },
      { usd: 200, ageSeconds: 7200, confidence: 'low', reasons: ['quote_old', 'single_source'] },
    ],
    [
      'a deep pool on a closed market',
      poolOf({ reasons: ['quote_old', 'market_closed'] }),
      { reading: old, session: 'closed' },
      { source: 'pool', confidence: 'medium', session: 'closed' },
    ],
    [
      'a deep pool without any reference',
      poolOf({ reasons: ['quote_missing'] }),
      { reading: noReferencePrice },
      { source: 'pool', confidence: 'medium', reasons: ['quote_missing', 'single_source'] },
    ],
    [
      'a thin pool without any reference',
      poolOf({ depthUsd: 900, reasons: ['quote_missing', 'depth_thin'] }),
      { reading: noReferencePrice },
      { source: 'pool', usd: 200, confidence: 'low' },
    ],
    [
      'a pool that anybody can move, without any reference',
      poolOf({ depthUsd: 9.9, reasons: ['quote_missing', 'depth_thin'] }),
      { reading: noReferencePrice },
      { usd: null, source: null, ageSeconds: null, poolId: null, depthUsd: 9.9 },
    ],
    [
      'a pool of an old state',
      poolOf({ ts: noon - 600, reasons: ['state_old'] }),
      {},
      { source: 'issuer', confidence: 'medium', poolId: null },
    ],
    [
      'a pool of an old state without any reference',
      poolOf({ ts: noon - 600, reasons: ['state_old'] }),
      { reading: noReferencePrice },
      { source: 'pool', confidence: 'low', ageSeconds: 600 },
    ],
  ])('with %s', (_what, pool, inputs, expected) => {
    expect(priceOf(pool, inputs)).toMatchObject(expected)
  })

  test('that the chain has not confirmed has a low confidence', () => {
    const price = priceOf(poolOf(), { isVerified: false })
    expect(price).toMatchObject({ confidence: 'low', reasons: ['stock_unverified'] })
  })
})

test.each([
  [readingOf(referenceOf(1, { source: 'chainlink' })), 1, 'high', []],
  [
    readingOf(referenceOf(1, { source: 'pools', independent: false })),
    1,
    'medium',
    ['single_source'],
  ],
  [old, 200, 'low', ['quote_old']],
  [noReferencePrice, null, 'none', ['quote_missing', 'price_missing']],
] as const)('a quote token has its reference, case %#', (reading, usd, confidence, reasons) => {
  const token = { address: tokens.usdg, symbol: 'USDG' }
  expect(priceQuoteToken(token, reading, noon)).toMatchObject({
    ...{ ...token, usd, confidence, reasons, session: null, depthUsd: null, poolId: null },
  })
})

test.each<[Partial<PricedPool>, Partial<TokenPriceView>]>([
  [{}, { usd: 200, confidence: 'medium', reasons: ['single_source'] }],
  [{ depthUsd: 2000 }, { confidence: 'medium', reasons: ['depth_thin', 'single_source'] }],
  [{ depthUsd: 500 }, { confidence: 'low' }],
  [{ depthUsd: 5 }, { usd: null, confidence: 'none', depthUsd: 5 }],
  [{ depthUsd: null }, { usd: null, confidence: 'none' }],
  [{ reasons: ['hook_unreviewed'] }, { usd: 200, confidence: 'low' }],
  [{ ts: noon - priceAgeSecondsMax - 1 }, { usd: null, confidence: 'none' }],
])('a meme has what its pool implies: %j', (pool, expected) => {
  const token = { address: tokens.meme, symbol: 'PEPE', session: 'regular' } as const
  expect(priceMeme(token, poolOf(pool), noon)).toMatchObject(expected)
})

const ranks = ['none', 'low', 'medium', 'high']

test('less depth, more distance, age or reasons never raise a confidence', () => {
  const anyPool = fc.record({
    usd: fc.double({ min: 100, max: 300, noNaN: true }),
    depthUsd: fc.double({ min: 10_000, max: 1e6, noNaN: true }),
    reasons: fc.subarray<StatusReason>([...statusReasons]),
  })
  fc.assert(
    fc.property(anyPool, fc.constantFrom(...statusReasons), (pool, reason) => {
      const rankOf = (rest: Partial<PricedPool>): number =>
        ranks.indexOf(priceOf(poolOf({ ...pool, ...rest })).confidence)
      const rank = rankOf({})
      expect(rankOf({ usd: 200 + (pool.usd - 200) * 1.5 })).toBeLessThanOrEqual(rank)
      if (!pool.reasons.includes('state_old') && reason !== 'state_old') {
        expect(rankOf({ reasons: [...pool.reasons, reason] })).toBeLessThanOrEqual(rank)
      }
      const { usd, confidence, reasons } = priceOf(poolOf(pool))
      expect(usd === null).toBe(confidence === 'none')
      if (confidence !== 'high') expect(reasons.length).toBeGreaterThan(0)
    }),
  )
})
