import { describe, expect, test } from 'vitest'
import { addressOf, keyOf, noon, stockOf, tokens } from '../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  anyPool,
  followedMarket,
  poolOf,
  quotesAt,
  samplePools,
  sampleStore,
  stocks,
  swapOf,
} from '../../test/support/market/sample-market.ts'

const { canonical, meme, pair } = samplePools

describe('a refresh', () => {
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
