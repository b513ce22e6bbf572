import { describe, expect, test } from 'vitest'
import {
  addressOf,
  hexOf,
  noon,
  stockOf,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  candleOf,
  followedMarket,
  marketOver,
  poolOf,
  samplePools,
  sampleStore,
  swapOf,
} from '../../../test/support/market/sample-market.ts'

const { canonical, meme, pair } = samplePools

describe('a detail', () => {
  test('has one block, one series and the swaps, newest first', async () => {
    const store = sampleStore()
    store.write({
      swaps: [swapOf(990, { ts: noon - 700 }), swapOf(995, { ts: noon - 300, fee: 500 })],
      candles: [candleOf(noon - 720), candleOf(noon - 300)],
    })
    const { market } = await followedMarket(store)
    const detail = await market.pool(canonical.id, '1h')
    expect(detail?.pool).toMatchObject({ asOfBlock: 1000, dataStatus: 'fresh' })
    expect(detail?.series).toHaveLength(60)
    expect(detail?.series.at(-1)).toMatchObject({ ts: noon - 60, closed: false })
    expect(detail?.series.at(-1)?.close).toBe(detail?.pool.stockPriceInOther)
    expect(detail?.swaps.map(({ block, fee }) => [block, fee])).toEqual([
      [995, 500],
      [990, 3000],
    ])
  })

  test('has record and series of one revision while the store advances', async () => {
    const { store, market } = await followedMarket()
    store.write({
      header: { cursor: anchorAt(1001, noon - 1) },
      pools: [{ ...canonical, lastSwapTs: noon - 1, lastSwapBlock: 1001 }],
      swaps: [swapOf(1001, { ts: noon - 1 })],
    })
    const detail = await market.pool(canonical.id, '1h')
    expect(detail?.pool).toMatchObject({ asOfBlock: 1001, lastSwapBlock: 1001, vol1hUsd: 100 })
    expect(detail?.swaps.map(({ block }) => block)).toEqual([1001])
  })

  test('is read once for concurrent calls', async () => {
    const { store, market } = await followedMarket()
    const looks = store.snapshots()
    const details = await Promise.all(
      Array.from({ length: 50 }, () => market.pool(canonical.id, '24h')),
    )
    expect(store.snapshots()).toBe(looks + 1)
    expect(new Set(details).size).toBe(1)
  })

  test.each([
    ['a pool of v3', null, null],
    ['no hook', tokens.native, null],
    ['a hook on liquidity', addressOf(0x800), { verdict: 'harmless', note: null }],
    ['a hook on swaps', addressOf(0xc0), { verdict: 'unreviewed', note: null }],
    ['a listed one', addressOf(0x80), { verdict: 'reviewed', note: 'adds points' }],
  ] as const)('says what is known of its hook: %s', async (_, hooks, hookReview) => {
    const store = sampleStore()
    store.write({ pools: [{ ...canonical, key: { ...canonical.key, hooks } }] })
    const { market } = marketOver(store, {
      reviewedHooks: new Map([[addressOf(0x80), 'adds points']]),
    })
    await market.refresh()
    const detail = await market.pool(canonical.id, '24h')
    expect(detail?.hookReview).toEqual(hookReview)
    expect(detail?.pool.comparable).toBe(hookReview?.verdict !== 'unreviewed')
    const { bestPoolId } = (await market.stock({ symbol: 'NVDA' }, '24h'))?.stock ?? {}
    expect(bestPoolId).toBe(hookReview?.verdict === 'unreviewed' ? null : canonical.id)
  })

  test('is null for an unknown or unlisted pool', async () => {
    const { market } = await followedMarket()
    expect(await market.pool(addressOf(0xdead), '24h')).toBeNull()
    expect(await market.pool(samplePools.reference.id, '24h')).toBeNull()
  })

  test('finds a stock by ticker in any case or by address', async () => {
    const { market } = await followedMarket()
    const byTicker = await market.stock({ symbol: 'nvda' }, '24h')
    expect(byTicker?.stock).toMatchObject({ symbol: 'NVDA', bestPoolId: canonical.id })
    expect(byTicker?.pools.map(({ id }) => id)).toEqual([canonical.id, pair.id, meme.id])
    expect(await market.stock({ address: tokens.nvda }, '24h')).toEqual(byTicker)
    expect(await market.stock({ symbol: 'NONE' }, '24h')).toBeNull()
    expect(await market.stock({ address: tokens.usdg }, '24h')).toBeNull()
  })

  test('ends the series of a stock with the values of its record', async () => {
    const { market } = await followedMarket()
    const detail = await market.stock({ symbol: 'NVDA' }, '7d')
    const { poolPriceUsd, premiumBps } = detail?.stock ?? {}
    expect(detail?.series.at(-1)).toEqual({
      ts: expect.any(Number),
      referenceUsd: 100,
      poolPriceUsd,
      premiumBps,
      closed: false,
    })
    expect(poolPriceUsd).toBeCloseTo(100, 10)
    expect(detail?.pools.every(({ asOfBlock }) => asOfBlock === 1000)).toBe(true)
  })

  test('prefers the verified one of two stocks with one ticker', async () => {
    const store = sampleStore()
    const pretender = addressOf(1)
    store.write({ stocks: [stockOf({ address: pretender, verdict: 'unknown' })] })
    const { market } = await followedMarket(store)
    expect((await market.stock({ symbol: 'NVDA' }, '1h'))?.stock.address).toBe(tokens.nvda)
    expect((await market.stock({ address: pretender }, '1h'))?.stock.address).toBe(pretender)
  })

  test('contains the fifty deepest pools of a stock', async () => {
    const store = sampleStore()
    const many = Array.from({ length: 60 }, (_, index) =>
      poolOf(index + 10, {
        id: hexOf(index, 32),
        reserves: { amount0: BigInt(index) * 10n ** 18n, amount1: 0n },
      }),
    )
    store.write({ pools: many })
    const { market } = await followedMarket(store)
    const pools = (await market.stock({ symbol: 'NVDA' }, '24h'))?.pools ?? []
    expect(pools).toHaveLength(50)
    const liquidity = pools.map(({ liquidityUsd }) => liquidityUsd ?? -1)
    expect(liquidity).toEqual([...liquidity].sort((a, b) => b - a))
  })
})
