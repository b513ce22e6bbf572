import { describe, expect, test } from 'vitest'
import { poolOf, viewOf } from '../../../test/support/domain/pool-view.ts'
import {
  addressOf,
  hexOf,
  keyOf,
  noon,
  readingOf,
  referenceOf,
  sampleStockInputs,
  sqrtX96,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import { sqrtPriceMaxX96 } from '../math/tick-math.ts'
import { noReferencePrice } from '../price/reference-price.ts'
import { known, unknown } from '../reading.ts'
import { nativeAddress } from '../units.ts'
import type { PoolInputs } from './pool-inputs.ts'

const stale = { independent: false, fresh: false } as const

test('a canonical v3 pool: every field', () => {
  // √P = 2^96 / 100,000, so 10^-10 USDG units per NVDA unit: 10^-10 · 10^(18 - 6) = 100 dollars.
  // 1000 NVDA at the reference of 100 and 150,000 USDG: 250,000 dollars.
  expect(viewOf()).toEqual({
    id: addressOf(0xd1),
    version: 'v3',
    kind: 'canonical',
    createdBlock: 100,
    token0: tokens.nvda,
    token1: tokens.usdg,
    stockSymbol: 'NVDA',
    stockIsToken0: true,
    otherSymbol: 'USDG',
    otherAddress: tokens.usdg,
    stockAddress: tokens.nvda,
    fee: 3000,
    tickSpacing: 60,
    hooks: null,
    active: true,
    hot: true,
    lastSwapTs: noon - 60,
    lastSwapBlock: 900,
    stateTs: noon - 2,
    enrichedTs: noon - 5,
    sqrtPriceX96: sqrtX96(1n, 100_000n).toString(),
    liquidity: (10n ** 18n).toString(),
    stockReserve: 1000,
    otherReserve: 150_000,
    reserveSource: 'ticks',
    stockPriceInOther: expect.closeTo(100, 12),
    stockPriceUsd: expect.closeTo(100, 12),
    otherPriceUsd: 1,
    liquidityUsd: 250_000,
    vol1hUsd: 5,
    vol24hUsd: 50,
    comparable: true,
    dataStatus: 'fresh',
    statusReasons: [],
    tick: -230_271,
    feeDynamic: false,
    lpFee: 3000,
    feeBlock: 100,
    otherImitates: null,
    feeApr24h: 0.365,
    lastSwapFee: 3000,
    hookFlags: null,
    premiumBps: expect.closeTo(0, 6),
    driftBps: null,
    asOfBlock: 1000,
    swaps24h: 7,
    estimatedSwaps24h: 0,
    depthUsd: 15_000,
    parameters: null,
    protocol: 'uniswap-v3',
    venue: 'Uniswap v3',
    deployer: null,
    vol24hFilteredUsd: 40,
    traders24h: 3,
    washShare24h: 0.2,
  })
})

test('USDG is token0 in some pools: the same pool the other way round', () => {
  const key = keyOf({ token0: tokens.usdg, token1: tokens.nvda })
  const price = { sqrtPriceX96: sqrtX96(100_000n), tick: 230_270 }
  const reserves = { amount0: 150_000n * 10n ** 6n, amount1: 1000n * 10n ** 18n }
  const view = viewOf({
    pool: poolOf({ price, reserves }, { key }),
    classification: { kind: 'canonical', stockIsToken0: false },
    decimals0: known(6),
    decimals1: known(18),
  })
  expect(view).toMatchObject({ stockAddress: tokens.nvda, otherAddress: tokens.usdg })
  expect(view).toMatchObject({ stockReserve: 1000, otherReserve: 150_000, liquidityUsd: 250_000 })
  expect(view.stockPriceInOther).toBeCloseTo(100, 12)
  expect(view.comparable).toBe(true)
})

test('a v4 pool of a meme: dynamic fee, flags, no premium', () => {
  // A meme that costs a millionth of the stock, which is worth 100 dollars.
  const key = keyOf({ token1: tokens.meme, fee: 0x800000, hooks: addressOf(0x80) })
  const view = viewOf({
    pool: poolOf(
      {
        price: { sqrtPriceX96: sqrtX96(1000n), tick: 138_162 },
        reserves: { amount0: 10n ** 18n, amount1: 9_000_000n * 10n ** 18n },
        lastSwapFee: 2500,
      },
      { version: 'v4', id: hexOf(5, 32), key },
    ),
    classification: { kind: 'meme', stockIsToken0: true },
    decimals1: known(18),
    otherSymbol: 'PEPE',
    other: null,
  })
  expect(view).toMatchObject({ kind: 'meme', fee: 8_388_608, feeDynamic: true, lastSwapFee: 2500 })
  expect(view).toMatchObject({ stockPriceUsd: 100, stockPriceInOther: 1_000_000 })
  expect(view.otherPriceUsd).toBeCloseTo(0.0001, 16)
  // 100 dollars of stock; 900 dollars of memes count as 100.
  expect(view.liquidityUsd).toBe(200)
  expect(view).toMatchObject({ premiumBps: null, driftBps: null, comparable: false })
  expect(view.hookFlags).toMatchObject({ beforeSwap: true, afterSwap: false })
  expect(view.dataStatus).toBe('fresh')
})

test('two stocks: the first is priced by the second', () => {
  const tsla = sampleStockInputs({ address: tokens.tsla, symbol: 'TSLA' })
  const view = viewOf({
    pool: poolOf(
      {
        price: { sqrtPriceX96: sqrtX96(1n, 2n), tick: -13_864 },
        reserves: { amount0: 10n ** 18n, amount1: 3n * 10n ** 18n },
      },
      { key: keyOf({ token1: tokens.tsla }) },
    ),
    classification: { kind: 'stock-stock', stockIsToken0: true },
    decimals1: known(18),
    otherSymbol: 'TSLA',
    other: tsla.reading,
    otherStock: tsla,
    stock: sampleStockInputs({ reading: readingOf(referenceOf(49)) }),
  })
  expect(view).toMatchObject({ stockPriceInOther: 0.25, stockPriceUsd: 50, otherPriceUsd: 200 })
  expect(view.liquidityUsd).toBe(49 + 600)
  expect(view.premiumBps).toBeCloseTo((50 / 49 - 1) * 10_000, 8)
})

describe('two stocks, one of which has no price from outside', () => {
  const pools = referenceOf(200, { source: 'pools', fresh: false, independent: false })
  const pairOf = (reading = readingOf(pools), session: 'regular' | 'closed' = 'regular') => {
    const otherStock = sampleStockInputs({ address: tokens.tsla, symbol: 'TSLA', reading, session })
    return viewOf({
      classification: { kind: 'stock-stock', stockIsToken0: true },
      decimals1: known(18),
      pool: poolOf({
        price: { sqrtPriceX96: sqrtX96(1n, 2n), tick: -13_864 },
        depth: { amount0: 10n ** 21n, amount1: 10n ** 21n },
      }),
      stock: sampleStockInputs({ reading: readingOf(referenceOf(49)), session }),
      other: reading,
      otherStock,
    })
  }

  test('have a price, but no premium, and say why', () => {
    const view = pairOf()
    expect(view).toMatchObject({ stockPriceUsd: 50, premiumBps: null, comparable: false })
    expect([view.dataStatus, view.statusReasons]).toEqual(['partial', ['quote_old']])
    expect(pairOf(noReferencePrice).statusReasons).toEqual(['quote_missing', 'other_price_missing'])
    expect(pairOf(readingOf(referenceOf(200))).premiumBps).toBeCloseTo(204.08, 2)
  })

  test('have a drift off session', () => {
    expect(pairOf(readingOf(pools), 'closed')).toMatchObject({ premiumBps: null })
    expect(pairOf(readingOf(pools), 'closed').driftBps).toBeCloseTo(204.08, 2)
  })
})

describe('depth is that of the trusted side, by its reference', () => {
  const tsla = sampleStockInputs({ address: tokens.tsla, symbol: 'TSLA' })
  const depth = { amount0: 3n * 10n ** 18n, amount1: 7n * 10n ** 18n }
  const sevenOfEighteen = { decimals1: known(18), pool: poolOf({ depth }) }
  const others = {
    canonical: { other: readingOf(referenceOf(3000)), otherStock: null },
    meme: { other: null, otherStock: null },
    'stock-stock': { other: readingOf(referenceOf(200)), otherStock: tsla },
  } as const
  test.each([
    ['canonical', true, 21_000],
    ['canonical', false, 9000],
    ['meme', true, 300],
    ['meme', false, 700],
    ['stock-stock', true, 1400],
    ['stock-stock', false, 600],
  ] as const)('%s, the stock as token0 %s: %i dollars', (kind, stockIsToken0, usd) => {
    const inputs = { ...sevenOfEighteen, ...others[kind] }
    expect(viewOf({ ...inputs, classification: { kind, stockIsToken0 } }).depthUsd).toBe(usd)
  })

  const canonical = { kind: 'canonical', stockIsToken0: true } as const
  const meme = { kind: 'meme', stockIsToken0: true } as const
  const noQuote = sampleStockInputs({ reading: noReferencePrice })
  const deltaHook = keyOf({ hooks: addressOf(0x44) })
  const none = { amount0: 0n, amount1: 0n }
  test.each<readonly [string, Partial<PoolInputs>, number | null]>([
    ['without a price of the other side', { other: noReferencePrice }, null],
    ['of a meme pool without one of the stock', { classification: meme, stock: noQuote }, null],
    ['of a canonical pool without one of the stock', { stock: noQuote }, 21_000],
    ['with an unknown map', { pool: poolOf({ reserves: null, depth: null }) }, null],
    ['with an index gap', { pool: poolOf({ reserves: null, mapFault: 'index_gap' }) }, null],
    ['that is not stored yet', { pool: poolOf({ depth: null }) }, null],
    ['before the first price', { pool: poolOf({ price: null, depth: none }) }, null],
    ['of a hook that moves tokens', { pool: poolOf({ depth }, { key: deltaHook }) }, null],
    ['with unknown decimals', { decimals1: unknown('decimals-reverted') }, null],
    ['of an empty pool, at any price', { pool: poolOf({ depth: none }), other: null }, 0],
    ['beyond all numbers', { pool: poolOf({ depth: { ...depth, amount1: 10n ** 400n } }) }, null],
  ])('%s', (_, facts, usd) => {
    const inputs = { ...sevenOfEighteen, ...others.canonical, classification: canonical }
    expect(viewOf({ ...inputs, ...facts }).depthUsd).toBe(usd)
  })
})

test('an old price of the trusted side gives no premium either', () => {
  const view = viewOf({ other: readingOf(referenceOf(1, stale)) })
  expect(view).toMatchObject({ premiumBps: null, comparable: false, statusReasons: ['quote_old'] })
})

test('a pool that was never initialised has identity and nothing else', () => {
  const reserves = { amount0: 0n, amount1: 0n }
  expect(viewOf({ pool: poolOf({ price: null, liquidity: 0n, reserves }) })).toMatchObject({
    sqrtPriceX96: null,
    liquidity: null,
    tick: null,
    stateTs: null,
    enrichedTs: null,
    stockReserve: null,
    otherReserve: null,
    reserveSource: null,
    stockPriceInOther: null,
    liquidityUsd: null,
    active: false,
    dataStatus: 'unavailable',
  })
})

test('at the end of its range a pool has no price, and is not active', () => {
  const price = { sqrtPriceX96: sqrtPriceMaxX96 - 1n, tick: 887_271 }
  const view = viewOf({ pool: poolOf({ price }) })
  expect(view).toMatchObject({ stockPriceInOther: null, stockPriceUsd: null, premiumBps: null })
  expect(view).toMatchObject({ active: false, sqrtPriceX96: price.sqrtPriceX96.toString() })
})

test('without liquidity in range the last price is kept', () => {
  const view = viewOf({ pool: poolOf({ liquidity: 0n }) })
  expect(view.stockPriceInOther).toBeCloseTo(100, 12)
  expect(view).toMatchObject({ active: false, comparable: false, liquidity: '0' })
})

test('balances stand in for the map of a v3 pool, with a time of their own', () => {
  const view = viewOf({
    pool: poolOf({ reserves: null, mapFault: 'index_gap' }),
    fallback: { source: 'balance', amount0: 10, amount1: 20, ts: noon - 60 },
  })
  expect(view).toMatchObject({ stockReserve: 10, otherReserve: 20, liquidityUsd: 1020 })
  expect(view).toMatchObject({ reserveSource: 'balance', enrichedTs: noon - 60 })
  expect(view).toMatchObject({ comparable: false, statusReasons: ['index_gap'] })
})

test('what a short pool holds are its reserves, and its price is compared with nothing', () => {
  const view = viewOf({
    pool: poolOf({ reserves: null, depth: null, mapFault: 'reserve_short' }),
    fallback: { source: 'balance', amount0: 10, amount1: 20, ts: noon - 60 },
  })
  expect(view).toMatchObject({ stockReserve: 10, otherReserve: 20, reserveSource: 'balance' })
  expect(view).toMatchObject({ comparable: false, dataStatus: 'partial', depthUsd: null })
  expect(view.statusReasons).toEqual(['reserve_short'])
})

test('native ether is the zero address', () => {
  const key = keyOf({ token0: nativeAddress, token1: tokens.nvda, hooks: nativeAddress })
  const view = viewOf({
    pool: poolOf({}, { version: 'v4', key }),
    classification: { kind: 'canonical', stockIsToken0: false },
    otherSymbol: 'ETH',
  })
  expect(view).toMatchObject({ otherAddress: nativeAddress, hooks: nativeAddress })
  expect(Object.values(view.hookFlags ?? { none: true })).toEqual(Array(14).fill(false))
})
