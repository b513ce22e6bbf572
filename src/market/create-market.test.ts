import { describe, expect, test } from 'vitest'
import {
  addressOf,
  noon,
  oracleOf,
  stockOf,
  tokens,
} from '../../test/support/domain/sample-inputs.ts'
import { createMemoryStore } from '../../test/support/market/memory-store.ts'
import {
  anyPool,
  followedMarket,
  marketOver,
  poolOf,
  samplePools,
  sampleStore,
  stocks,
} from '../../test/support/market/sample-market.ts'
import { initialSourceRecord } from '../domain/status/source-state.ts'

const { canonical } = samplePools

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
