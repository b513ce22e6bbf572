import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { type Market, one, sampleNetwork } from '../../../test/support/indexer/market.ts'
import { createFakeQuotes } from '../../../test/support/indexer/quotes.ts'
import {
  confirmations,
  freezeTime,
  frozenClock,
  passSeconds,
  startTestIndexer,
} from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { sourceOf, swapsOf } from '../../../test/support/indexer/stored.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import { computeSourceState } from '../../domain/status/source-state.ts'
import type { Store } from '../../ports/store.ts'

const { apple, tesla, weth, usdg } = tokens
const startTs = 1_800_000_000

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(startTs)
  ;({ store, chain, market } = stage)
  return stage.close
})

const openApple = () => {
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
  pool.mint(-60_000, 60_000, 100n * one)
  market.mine()
  return pool
}

const quotesState = async () => {
  const record = await sourceOf(store, 'quotes')
  if (record === undefined) return undefined
  const reading = { now: frozenClock.now(), policy: policyDefault, startedTs: startTs }
  return { ...record, state: computeSourceState(record, reading) }
}

const quotesOf = async () => {
  const quotes = await store.snapshot((snapshot) => snapshot.quotes())
  return quotes.map(({ address, source, last, bid }) => [address, source, last ?? bid])
}

const referencesOf = (address: `0x${string}`) =>
  store.snapshot(async (snapshot) => {
    const span = { address, fromTs: 0, toTs: 4_000_000_000 }
    const { rows } = await snapshot.references({ ...span, width: 60 })
    return rows.map(({ ts, usd, source }) => [ts, usd, source])
  })

describe('the quote sources', () => {
  it('are ok with all prices, degraded when one is incomplete or down, and recover', async () => {
    const issuer = createFakeQuotes('issuer', { [apple]: 200, [tesla]: 300 })
    const feeds = createFakeQuotes('chainlink', { [weth]: 2500 })
    const quoteSources = [issuer.source, feeds.source]
    openApple()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources })
    await passSeconds(1)
    expect(await quotesState()).toMatchObject({ state: 'ok', partial: false, lastError: null })

    issuer.expect(3)
    await passSeconds(5)
    expect(await quotesState()).toMatchObject({
      state: 'degraded',
      partial: true,
      failures: 0,
      lastError: 'issuer: 2 of 3 quotes',
    })

    issuer.expect(2)
    feeds.setPrices(null)
    await passSeconds(5)
    expect(await quotesState()).toMatchObject({ state: 'degraded', partial: true, failures: 0 })

    issuer.setPrices(null)
    await passSeconds(5)
    const refused = 'unreachable: connection refused'
    const lastError = `issuer: ${refused}; chainlink: ${refused}`
    expect(await quotesState()).toMatchObject({ state: 'degraded', failures: 1, lastError })
    await passSeconds(60)
    expect(await quotesState()).toMatchObject({ state: 'stale' })
    expect((await quotesState())?.failures).toBeGreaterThan(10)

    issuer.setPrices({ [apple]: 201, [tesla]: 301 })
    await passSeconds(5)
    expect(await quotesState()).toMatchObject({
      state: 'degraded',
      failures: 0,
      lastError: `chainlink: ${refused}`,
    })
    feeds.setPrices({ [weth]: 2500 })
    await passSeconds(5)
    expect(await quotesState()).toMatchObject({ state: 'ok', partial: false })
    await run.stop()
  })

  it.each([
    ['at 95 of 100 are complete', 95, false],
    ['at 94 of 100 are not', 94, true],
  ])('%s', async (_, count, partial) => {
    const addresses = Array.from(
      { length: 100 },
      (_each, index) => `0x${(index + 1).toString(16).padStart(40, '7')}` as const,
    )
    const prices = Object.fromEntries(addresses.slice(0, count).map((address) => [address, 1]))
    const feeds = createFakeQuotes('chainlink', prices)
    feeds.expect(100)
    const trusted = addresses.map((address) => ({ address, symbol: 'X', feed: null }))
    const network = { ...sampleNetwork, trusted, stocks: [] }
    const run = await startTestIndexer({ chain, store, network, quoteSources: [feeds.source] })
    await passSeconds(1)
    expect(await quotesState()).toMatchObject({ partial })
    await run.stop()
  })

  it('say why rows were refused, each reason by its number', async () => {
    const row = { address: apple, symbol: 'AAPL' } as const
    const reasons = ['crossed', 'clock-ahead', 'clock-ahead', 'bid-not-positive'] as const
    const refused = reasons.map((reason) => ({ ...row, reason }))
    const value = { quotes: [], refused, expected: 4 }
    const read = async () => ({ ok: true, value }) as const
    const issuer = { id: 'issuer', read } as const
    openApple()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources: [issuer] })
    await passSeconds(6)
    const counts = 'clock-ahead 2, bid-not-positive 1, crossed 1'
    const lastError = `issuer: 0 of 4 quotes, 4 rejected (${counts})`
    expect(await quotesState()).toMatchObject({ state: 'degraded', lastError })
    // The token's own rows know of the clock, too.
    const quotes = await store.snapshot((snapshot) => snapshot.quotes())
    expect(quotes).toMatchObject([{ address: apple, bid: null, lapse: 'clock-ahead' }])
    await run.stop()
  })

  it('are reported as missing if none is configured', async () => {
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    const lastError = 'no quote source is configured'
    expect(await quotesState()).toMatchObject({ failures: 1, lastError, lastSuccessTs: null })
    await run.stop()
  })
})

describe('a pass', () => {
  it('records quotes, references in three widths, and when it was', async () => {
    const issuer = createFakeQuotes('issuer', { [apple]: 200 })
    const feeds = createFakeQuotes('chainlink', { [weth]: 2500 })
    openApple()
    market.mineMany(confirmations)
    const run = await startTestIndexer({
      chain,
      store,
      quoteSources: [issuer.source, feeds.source],
    })
    await passSeconds(6)
    expect(await quotesOf()).toEqual([
      [apple, 'issuer', 200],
      [weth, 'chainlink', 2500],
    ])
    expect(await referencesOf(apple)).toEqual([[startTs, 200, 'issuer']])
    expect(await referencesOf(weth)).toEqual([[startTs, 2500, 'chainlink']])
    expect(await referencesOf(tesla)).toEqual([])
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header?.enrichedTs).toBe(startTs + 5)

    issuer.setPrices({ [apple]: 210 })
    await passSeconds(60)
    expect(await referencesOf(apple)).toEqual([
      [startTs, 210, 'issuer'],
      [startTs + 60, 210, 'issuer'],
    ])
    await run.stop()
  })

  // The API shows a minute before the cursor as closed: it must not change afterwards.
  it('records points for the minute in which the sources answered', async () => {
    const { source, setPrices } = createFakeQuotes('issuer', { [apple]: 200 })
    let slowMs = 0
    const slow: typeof source = {
      ...source,
      read: async (wanted, now) => {
        const read = await source.read(wanted, now)
        await new Promise((resolve) => setTimeout(resolve, slowMs))
        return read
      },
    }
    openApple()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources: [slow] })
    await passSeconds(54)
    setPrices({ [apple]: 210 })
    slowMs = 8_000
    await passSeconds(11)
    expect(await referencesOf(apple)).toEqual([
      [startTs, 200, 'issuer'],
      [startTs + 60, 210, 'issuer'],
    ])
    await run.stop()
  })

  it('is as old as the index, when that is old', async () => {
    const feeds = createFakeQuotes('chainlink', { [weth]: 2500 })
    openApple()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources: [feeds.source] })
    await passSeconds(100)
    const header = await store.snapshot((snapshot) => snapshot.header())
    const indexedTs = header?.cursor?.ts ?? 0
    expect(indexedTs).toBe(startTs + 1)
    expect(header?.enrichedTs).toBeLessThanOrEqual(indexedTs + policyDefault.poolMaxAgeSeconds)
    expect(await quotesOf()).toEqual([[weth, 'chainlink', 2500]])
    await run.stop()
  })

  it('records no point for a stale price', async () => {
    const issuer = createFakeQuotes('issuer', { [apple]: 200 })
    openApple()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources: [issuer.source] })
    await passSeconds(10)
    issuer.setPrices(null)
    await passSeconds(300)
    const times = (await referencesOf(apple)).map(([ts]) => ts)
    // The last quote is from 10 s, so it is stale from 56 s on.
    expect(times).toEqual([startTs])
    await run.stop()
  })

  it('quotes ETH and stocks from indexed pools where no other source does', async () => {
    const feeds = createFakeQuotes('chainlink', { [usdg]: 1 })
    // 2,500 dollars for one WETH: 1e18 / 2.5e9 raw WETH per raw dollar.
    const eth = market.open('v3', { token0: usdg, token1: weth }, rootPrice(20_000n))
    eth.mint(150_000, 250_000, 10n * one)
    const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
    pool.mint(-60_000, 60_000, 10_000n * one)
    market.mine()
    // Pools price nothing before they are an hour old.
    market.mine(3600)
    market.mineMany(confirmations)
    freezeTime(startTs + 3602)
    const run = await startTestIndexer({ chain, store, quoteSources: [feeds.source] })
    await passSeconds(6)
    const quotes = await quotesOf()
    expect(quotes.map(([address, source]) => [address, source])).toEqual([
      [usdg, 'chainlink'],
      [apple, 'pools'],
      [weth, 'pools'],
    ])
    expect(quotes[2]?.[2]).toBeCloseTo(2500, 6)
    expect(quotes[1]?.[2]).toBeCloseTo(2500 / 16, 6)
    await run.stop()
  })

  it('before the first block provides the prices of the first swaps', async () => {
    const feeds = createFakeQuotes('chainlink', { [weth]: 2500 })
    const pool = openApple()
    pool.swapTo(rootPrice(26n, 100n))
    market.mineMany(1 + confirmations)
    const run = await startTestIndexer({ chain, store, quoteSources: [feeds.source] })
    await passSeconds(1)
    expect(await swapsOf(store, 1)).toMatchObject([{ usdMicro: expect.any(Number) }])
    await run.stop()
  })
})
