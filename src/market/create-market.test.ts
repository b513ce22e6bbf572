import { describe, expect, test } from 'vitest'
import {
  addressOf,
  hexOf,
  keyOf,
  noon,
  oracleOf,
  stockOf,
  tokens,
} from '../../test/support/domain/sample-inputs.ts'
import { createMemoryStore } from '../../test/support/market/memory-store.ts'
import {
  anchorAt,
  anyPool,
  candleOf,
  marketOver,
  poolOf,
  quotesAt,
  samplePools,
  sampleStore,
  stocks,
  swapOf,
} from '../../test/support/market/sample-market.ts'
import { initialSourceRecord } from '../domain/status/source-state.ts'

const { canonical, meme, pair } = samplePools

const followedMarket = async (store = sampleStore()) => {
  const followed = { store, ...marketOver(store) }
  await followed.market.refresh()
  return followed
}

describe('before an indexer writes the store', () => {
  const empty = () => marketOver(createMemoryStore())

  test('reports that it is not ready', async () => {
    const { market } = empty()
    await market.refresh()
    expect(market.isReady()).toBe(false)
    expect(market.health()).toMatchObject({ ok: false, ts: noon, ethUsd: null })
    expect(new Set(Object.values(market.health().pools))).toEqual(new Set([0]))
    expect(await market.pools(anyPool)).toEqual({ items: [], total: 0, limit: 25, offset: 0 })
    expect(await market.pool(canonical.id, '24h')).toBeNull()
    expect(await market.stock({ symbol: 'NVDA' }, '24h')).toBeNull()
  })

  test('reports all four sources and the configured chain', () => {
    const { sources, chain, policy } = empty().market.status()
    expect(sources.map(({ source, state }) => [source, state])).toEqual([
      ['quotes', 'pending'],
      ['pools', 'pending'],
      ['swaps', 'pending'],
      ['screener', 'pending'],
    ])
    expect(chain).toEqual({
      chainId: 4663,
      network: 'robinhood',
      coverage: null,
      headBlock: null,
      indexedBlock: null,
      indexedTs: null,
      settledBlock: null,
      lagBlocks: null,
      lagSeconds: null,
      backfill: { phase: 'discover', done: 0, total: 0, etaSeconds: null },
      searches: [],
      verified: false,
      repairs: 0,
      writer: null,
    })
    expect(Object.keys(policy)).toHaveLength(4)
  })

  test('serves a market without pools from an empty store with a header', async () => {
    const store = createMemoryStore()
    store.write({ stocks })
    const { market } = await followedMarket(store)
    expect(market.isReady()).toBe(true)
    expect(market.health().ok).toBe(true)
    const detail = await market.stock({ symbol: 'nvda' }, '24h')
    expect(detail).toMatchObject({ series: [], pools: [], stock: { dataStatus: 'unavailable' } })
  })
})

describe('health and status', () => {
  test('count listed pools only', async () => {
    const { market } = await followedMarket()
    const counts = { total: 3, active: 3, hot: 1, v3: 2, v4: 1, meme: 1, canonical: 1 }
    expect(market.health()).toMatchObject({ ok: true, ethUsd: 4000, pools: counts })
    expect(Object.keys(market.health())).toEqual([
      'ok',
      'ts',
      'methodologyVersion',
      'pools',
      'ethUsd',
      'sources',
    ])
  })

  test('prefer the price of native ETH to its wrapped form', async () => {
    const { store, market } = await followedMarket()
    store.write({ quotes: [oracleOf(4100, { address: tokens.native })] })
    await market.refresh()
    expect(market.health().ethUsd).toBe(4100)
  })

  test('report the lag in blocks and seconds', async () => {
    const { market, clock } = await followedMarket()
    clock.ts = noon + 7
    const { chain } = market.status()
    expect(chain).toMatchObject({ headBlock: 1020, indexedBlock: 1000, lagBlocks: 20 })
    expect(chain).toMatchObject({ indexedTs: noon - 2, lagSeconds: 9 })
  })

  test('report a disabled source of the configuration', async () => {
    const store = sampleStore()
    const tried = { lastAttemptTs: noon, lastSuccessTs: noon }
    store.write({
      sources: [
        { ...initialSourceRecord('screener', true), ...tried },
        { ...initialSourceRecord('quotes', true), ...tried, partial: true },
      ],
    })
    const { market } = marketOver(store, { isScreenerEnabled: false })
    await market.refresh()
    const states = market.status().sources.map(({ state }) => state)
    expect(states).toEqual(['degraded', 'pending', 'pending', 'disabled'])
  })
})

describe('store sync', () => {
  test('sees a new revision on the next refresh', async () => {
    const { store, market } = await followedMarket()
    const before = await market.pools(anyPool)
    store.write({
      header: { cursor: anchorAt(1001, noon - 1) },
      pools: [{ ...canonical, liquidity: 0n }],
    })
    expect((await market.pools(anyPool)).items).toEqual(before.items)
    await market.refresh()
    const after = await market.pools(anyPool)
    expect(after.items.find(({ id }) => id === canonical.id)?.active).toBe(false)
    // One reply, one block.
    expect(new Set(after.items.map((item) => item.asOfBlock))).toEqual(new Set([1001]))
  })

  test('ages statuses without new writes and without a store', async () => {
    const { store, market, clock, lines } = await followedMarket()
    const statusOf = async () => (await market.pool(canonical.id, '24h'))?.pool.dataStatus
    expect(await statusOf()).toBe('fresh')
    store.fail(new Error('locked'))
    clock.ts = noon + 28
    await expect(market.refresh()).rejects.toThrow('locked')
    expect((await market.pools(anyPool)).items[0]).toMatchObject({ dataStatus: 'fresh' })
    clock.ts = noon + 29
    expect((await market.pools(anyPool)).items[0]).toMatchObject({
      dataStatus: 'stale',
      statusReasons: ['state_old'],
    })
    expect(market.health()).toMatchObject({ ok: false, pools: { total: 3 } })
    await expect(statusOf()).rejects.toThrow('locked')
    store.fail(null)
    expect(await statusOf()).toBe('stale')
    expect(lines).toEqual([])
  })

  test('logs once that the store fails and once that it is readable again', async () => {
    const { store, market, lines } = await followedMarket()
    store.fail(new Error('locked'))
    market.start()
    market.start()
    await expect.poll(() => lines).toEqual(['Failed to read the store, serving the last model'])
    market.wake()
    await expect.poll(() => market.isReady()).toBe(true)
    store.fail(null)
    store.write({ header: { cursor: anchorAt(1005, noon) } })
    market.wake()
    await expect.poll(() => market.status().chain.indexedBlock).toBe(1005)
    expect(lines).toHaveLength(2)
    await market.stop()
    const looks = store.snapshots()
    market.wake()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(store.snapshots()).toBe(looks)
  })

  test('reads a new epoch from scratch', async () => {
    const { store, market } = await followedMarket()
    store.write({ swaps: [swapOf(1001)], header: { cursor: anchorAt(1001, noon) } })
    await market.refresh()
    expect((await market.pools(anyPool)).items[0]).toMatchObject({ vol24hUsd: 100, swaps24h: 1 })
    store.forget()
    store.write({ header: { epoch: 1 }, pools: [pair, canonical], quotes: quotesAt(noon) })
    await market.refresh()
    const { items } = await market.pools(anyPool)
    expect(items.map(({ id }) => id)).toEqual([canonical.id, pair.id])
    expect(items[0]).toMatchObject({ vol24hUsd: 0, swaps24h: 0 })
    expect(await market.pool(meme.id, '24h')).toBeNull()
  })

  test('reads a recreated store from scratch', async () => {
    const { store, market } = await followedMarket()
    for (const block of [1001, 1002]) store.write({ header: { cursor: anchorAt(block, noon) } })
    await market.refresh()
    store.wipe()
    const header = { indexed: anchorAt(5, noon), writerStartedTs: noon + 1 }
    store.write({ header, pools: [pair], stocks })
    await market.refresh()
    expect((await market.pools(anyPool)).items.map(({ id }) => id)).toEqual([pair.id])
  })

  test('lists the pools of a stock, with volumes, once it is verified', async () => {
    const store = sampleStore()
    store.write({ stocks: [stockOf({ verdict: 'unknown' })] })
    const { market } = await followedMarket(store)
    const listed = async () => (await market.pools(anyPool)).items.map(({ id, kind }) => [id, kind])
    expect(await listed()).toEqual([[pair.id, 'meme']])
    store.write({ swaps: [swapOf(1001)], header: { cursor: anchorAt(1001, noon) } })
    await market.refresh()
    store.write({ stocks: [stockOf()] })
    await market.refresh()
    expect(await listed()).toContainEqual([pair.id, 'stock-stock'])
    const { items } = await market.pools({ ...anyPool, kind: 'canonical' })
    expect(items[0]).toMatchObject({ id: canonical.id, vol24hUsd: 100 })
    store.write({ stocks: [stockOf({ verdict: 'disproven' })] })
    await market.refresh()
    expect(await listed()).toEqual([[pair.id, 'meme']])
  })

  test('applies token metadata that arrives later', async () => {
    const { store, market } = await followedMarket()
    const added = poolOf(9, { key: keyOf({ token0: addressOf(0x77), token1: tokens.nvda }) })
    store.write({ pools: [added] })
    await market.refresh()
    const find = async () => (await market.pool(added.id, '24h'))?.pool
    expect(await find()).toMatchObject({ otherSymbol: null, stockPriceInOther: null })
    expect((await find())?.statusReasons).toContain('decimals_unknown')
    const named = { symbol: { known: true, value: 'DOGE' }, name: { known: true, value: 'Doge' } }
    const decimals = { known: true, value: 6 } as const
    store.write({ tokens: [{ address: addressOf(0x77), ...named, decimals } as never] })
    await market.refresh()
    expect(await find()).toMatchObject({ otherSymbol: 'DOGE', kind: 'meme' })
    expect((await market.pools({ ...anyPool, q: 'doge' })).total).toBe(1)
  })

  test('selects and removes external reserves', async () => {
    const { store, market } = await followedMarket()
    const find = async () => (await market.pools(anyPool)).items.find(({ id }) => id === pair.id)
    const external = { pool: pair.number, amount0: 4, amount1: 5, liquidityUsd: null, ts: noon }
    store.write({
      pools: [{ ...pair, reserves: null, mapFault: 'index_gap' }],
      reserves: [
        { ...external, source: 'screener', amount0: 9 },
        { ...external, source: 'balance' },
      ],
    })
    await market.refresh()
    expect(await find()).toMatchObject({ reserveSource: 'balance', stockReserve: 4 })
    store.write({ pools: [pair] })
    await market.refresh()
    expect(await find()).toMatchObject({ reserveSource: 'ticks', stockReserve: 1 })
  })
})

describe('lists', () => {
  test('return every pool exactly once over all pages', async () => {
    const store = sampleStore()
    const many = Array.from({ length: 60 }, (_, index) => poolOf(index + 10))
    store.write({ pools: many })
    const { market } = await followedMarket(store)
    const pages = await Promise.all(
      [0, 25, 50, 75].map((offset) => market.pools({ ...anyPool, offset })),
    )
    expect(pages.map(({ total, items }) => [total, items.length])).toEqual([
      [63, 25],
      [63, 25],
      [63, 13],
      [63, 0],
    ])
    const ids = pages.flatMap(({ items }) => items.map(({ id }) => id))
    expect(new Set(ids).size).toBe(63)
    // Equal liquidity and volume: by id.
    const equal = ids.filter((id) => many.some((pool) => pool.id === id))
    expect(equal).toEqual([...equal].sort())
  })

  test('sort stocks by liquidity, then symbol, without disproven ones', async () => {
    const store = sampleStore()
    store.write({
      stocks: [
        stockOf({ address: addressOf(3), symbol: 'ZM', verdict: 'unknown' }),
        stockOf({ address: addressOf(4), symbol: 'AMD', name: 'Advanced' }),
        stockOf({ address: addressOf(5), symbol: 'FAKE', verdict: 'disproven' }),
      ],
    })
    const { market } = await followedMarket(store)
    const query = { limit: 50, offset: 0, q: null }
    const symbols = async (q: string | null) =>
      (await market.stocks({ ...query, q })).items.map(({ symbol }) => symbol)
    expect(await symbols(null)).toEqual(['NVDA', 'TSLA', 'AMD', 'ZM'])
    expect(await symbols('advan')).toEqual(['AMD'])
    expect(await symbols(tokens.tsla)).toEqual(['TSLA'])
    expect(await symbols('motors')).toEqual(['TSLA'])
    expect(await symbols('nothing')).toEqual([])
    expect(await market.stocks({ limit: 1, offset: 1, q: null })).toMatchObject({ total: 4 })
  })

  test('return the same objects until the revision or the second changes', async () => {
    const { market, clock } = await followedMarket()
    const [first, again] = [await market.pools(anyPool), await market.pools(anyPool)]
    expect(again.items[0]).toBe(first.items[0])
    clock.ts += 1
    const later = await market.pools(anyPool)
    expect(later.items[0]).not.toBe(first.items[0])
    expect(later.items).toEqual(first.items)
  })
})

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
