import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf, keyOf, stockOf, tokens } from '../../test/support/domain/sample-inputs.ts'
import {
  allTokens,
  anyPool,
  marketOver,
  poolOf,
  samplePools,
  sampleStore,
  stocks,
  tokenOf,
} from '../../test/support/market/sample-market.ts'
import type { StoredPool } from '../ports/store-batches.ts'
import type { ChangeEvent } from './changes.ts'
import type { PoolsQuery } from './market.ts'

const nothing = { amount0: 0n, amount1: 0n }
const untraded = { lastSwapTs: null, lastSwapBlock: null, lastSwapFee: null }

/** A pool that was created, perhaps with a price, and never funded. */
const emptyPoolOf = (number: number, rest: Partial<StoredPool> = {}): StoredPool =>
  poolOf(number, { ...untraded, liquidity: 0n, reserves: nothing, ...rest })

const launch = addressOf(0xcafe0001)
const launchPool = emptyPoolOf(7, { key: keyOf({ token1: launch }) })

const openMarket = async (...pools: readonly StoredPool[]) => {
  const store = sampleStore()
  store.write({ pools, tokens: [tokenOf(launch, 'LAUNCH')] })
  const opened = { store, ...marketOver(store, { emptyPoolsMax: 0 }) }
  await opened.market.refresh()
  return opened
}

type Opened = Awaited<ReturnType<typeof openMarket>>

const idsOf = async ({ market }: Opened, query: Partial<PoolsQuery> = {}) => {
  const { items, total } = await market.pools({ ...anyPool, limit: 100, ...query })
  return { ids: items.map(({ id }) => id), total }
}

describe('an empty pool that stays in the store', () => {
  test('comes after all others in every list, and counts in the total', async () => {
    const opened = await openMarket(launchPool, emptyPoolOf(9))
    for (const sort of [null, 'created', 'liquidity'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const { ids, total } = await idsOf(opened, { sort, order })
        expect(total).toBe(5)
        expect(ids.slice(3)).toEqual([launchPool.id, poolOf(9).id])
      }
    }
  })

  test('is paged without a gap', async () => {
    const opened = await openMarket(launchPool, emptyPoolOf(9))
    const { ids } = await idsOf(opened)
    for (const limit of [1, 2, 3]) {
      const paged: string[] = []
      for (let offset = 0; offset < 6; offset += limit) {
        paged.push(...(await idsOf(opened, { offset, limit })).ids)
      }
      expect(paged).toEqual(ids)
    }
    expect(await idsOf(opened, { offset: 50 })).toEqual({ ids: [], total: 5 })
  })

  test('is found by its id, and by every kind of search text', async () => {
    const opened = await openMarket(launchPool, emptyPoolOf(9))
    expect((await opened.market.pool(launchPool.id, '24h'))?.pool).toMatchObject({
      id: launchPool.id,
      otherSymbol: 'LAUNCH',
      kind: 'meme',
      active: false,
      vol24hUsd: 0,
      stockReserve: 0,
    })
    for (const q of ['launch', 'aunch of', launchPool.id, launch.slice(2, 40)]) {
      expect(await idsOf(opened, { q })).toEqual({ ids: [launchPool.id], total: 1 })
    }
    expect((await idsOf(opened, { q: 'nvidia' })).ids).toContain(launchPool.id)
    expect(await idsOf(opened, { q: 'no such text' })).toEqual({ ids: [], total: 0 })
    expect(await opened.market.pool(addressOf(0xdead), '24h')).toBeNull()
  })

  test('is filtered like any other', async () => {
    const opened = await openMarket(launchPool, emptyPoolOf(9))
    expect((await idsOf(opened, { kind: 'meme' })).ids).toEqual([
      samplePools.meme.id,
      launchPool.id,
    ])
    expect((await idsOf(opened, { symbol: 'NVDA' })).total).toBe(5)
    expect((await idsOf(opened, { symbol: 'TSLA' })).total).toBe(1)
    expect((await idsOf(opened, { version: 'v4' })).total).toBe(1)
    expect((await idsOf(opened, { active: false })).ids).toContain(launchPool.id)
    for (const query of [{ active: true }, { hot: true }, { minLiquidityUsd: 0 }]) {
      expect((await idsOf(opened, query)).ids).not.toContain(launchPool.id)
    }
  })

  test('counts in the health, and for its stock', async () => {
    const { market } = await openMarket(launchPool, emptyPoolOf(9))
    expect(market.health().pools).toMatchObject({ total: 5, meme: 2, canonical: 2, v3: 4 })
    const { items } = await market.stocks({ limit: 10, offset: 0, q: 'NVDA' })
    expect(items[0]?.pools).toMatchObject({ total: 5, meme: 2, canonical: 2, stockStock: 1 })
    const detail = await market.stock({ symbol: 'NVDA' }, '24h')
    expect(detail?.stock.pools).toEqual(items[0]?.pools)
    expect(detail?.pools.map(({ id }) => id)).toContain(launchPool.id)
  })
})

describe('a change', () => {
  const listen = async ({ market }: Opened) => {
    const events: ChangeEvent[] = []
    market.subscribe((changes) => events.push(...changes))
    // Changes are counted from the first read with a listener.
    await market.refresh()
    return events
  }

  test('liquidity moves the pool among the others, and it stays there', async () => {
    const opened = await openMarket(launchPool)
    const { store, market } = opened
    const events = await listen(opened)
    store.write({ pools: [poolOf(7, { ...untraded, key: launchPool.key })] })
    await market.refresh()
    expect((await idsOf(opened)).total).toBe(4)
    expect((await market.pool(launchPool.id, '24h'))?.pool).toMatchObject({
      otherSymbol: 'LAUNCH',
      stockReserve: 1000,
    })
    expect((await idsOf(opened, { q: 'launch' })).ids).toEqual([launchPool.id])
    store.write({ pools: [launchPool] })
    await market.refresh()
    expect((await idsOf(opened)).ids).toContain(launchPool.id)
    expect((await idsOf(opened)).total).toBe(4)
    const changed = events.filter(({ topic }) => topic === 'pool')
    expect(changed.map(({ about }) => about?.poolId)).toEqual([launchPool.id, launchPool.id])
  })

  test('a new empty pool is an event, and a token that is read later is searched by', async () => {
    const opened = await openMarket()
    const { store, market } = opened
    const events = await listen(opened)
    const late = addressOf(0xbeef0001)
    store.write({ pools: [emptyPoolOf(8, { key: keyOf({ token1: late }) })] })
    await market.refresh()
    expect(events.map(({ topic }) => topic)).toContain('pool')
    expect((await idsOf(opened, { q: 'lately' })).ids).toEqual([])
    store.write({ tokens: [tokenOf(late, 'LATELY')] })
    await market.refresh()
    expect((await idsOf(opened, { q: 'lately' })).ids).toEqual([poolOf(8).id])
  })

  test('a stock that is verified later lists its empty pools', async () => {
    const coin = addressOf(0xc0)
    const pool = emptyPoolOf(8, { key: keyOf({ token0: coin, token1: tokens.usdg }) })
    const opened = await openMarket(pool)
    const { store, market } = opened
    expect(await market.pool(pool.id, '24h')).toBeNull()
    store.write({
      stocks: [...stocks, stockOf({ address: coin, symbol: 'COIN', name: 'Coinbase' })],
      tokens: [...allTokens, tokenOf(coin, 'coin')],
    })
    await market.refresh()
    expect((await market.pool(pool.id, '24h'))?.pool).toMatchObject({ stockSymbol: 'COIN' })
    expect(await idsOf(opened, { symbol: 'COIN' })).toEqual({ ids: [pool.id], total: 1 })
  })
})

/** Which of the pools 20, 21, … are empty. */
const anyPools = fc.array(fc.boolean(), { maxLength: 12 })
const others = [tokens.usdg, tokens.tsla, launch]
const anyQuery = fc.record({
  kind: fc.constantFrom(null, 'meme', 'canonical', 'stock-stock'),
  symbol: fc.constantFrom(null, 'NVDA', 'TSLA'),
  q: fc.constantFrom(null, 'launch', 'tsla', 'usd'),
  limit: fc.integer({ min: 1, max: 7 }),
} as const)

const pageAll = async (opened: Opened, query: Partial<PoolsQuery> & { readonly limit: number }) => {
  const { total } = await idsOf(opened, query)
  const paged: string[] = []
  for (let offset = 0; offset < total; offset += query.limit) {
    paged.push(...(await idsOf(opened, { ...query, offset })).ids)
  }
  expect(paged).toHaveLength(total)
  return paged
}

test('the first empty pools are held, in their exact place', async () => {
  const store = sampleStore()
  store.write({ pools: [launchPool, emptyPoolOf(9), emptyPoolOf(8)] })
  const opened = { store, ...marketOver(store, { emptyPoolsMax: 2 }) }
  await opened.market.refresh()
  const { ids, total } = await idsOf(opened, { sort: 'created', order: 'asc' })
  expect(total).toBe(6)
  // Equal blocks: by id, and the last one is not held.
  expect(ids.slice(0, -1)).toEqual(ids.slice(0, -1).toSorted())
  expect(ids.at(-1)).toBe(poolOf(9).id)
})

test('pages hold each selected pool once, whatever the query and however pools change', () =>
  fc.assert(
    fc.asyncProperty(fc.array(anyPools, { minLength: 1 }), anyQuery, async (steps, query) => {
      const opened = await openMarket()
      for (const pools of steps) {
        opened.store.write({
          pools: pools.map((isEmpty, at) => {
            const token1 = others[at % others.length] ?? launch
            return (isEmpty ? emptyPoolOf : poolOf)(20 + at, { key: keyOf({ token1 }) })
          }),
        })
        await opened.market.refresh()
        const held = { ...opened, ...marketOver(opened.store) }
        await held.market.refresh()
        const paged = await pageAll(opened, query)
        expect(paged.toSorted()).toEqual((await pageAll(held, query)).toSorted())
      }
    }),
    { numRuns: 60 },
  ))
