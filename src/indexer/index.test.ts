import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rootPrice, tokens } from '../../test/support/domain/sample-market.ts'
import { logOf } from '../../test/support/domain/sample-pool.ts'
import { createFakeChain } from '../../test/support/indexer/fake-chain.ts'
import { createMarket, deployStock, listingOf, one } from '../../test/support/indexer/market.ts'
import {
  confirmations,
  freezeTime,
  passSeconds,
  startTestIndexer,
} from '../../test/support/indexer/run.ts'
import {
  candlesOf,
  indexedBlock,
  openStore,
  poolsOf,
  sourceOf,
  swapsOf,
} from '../../test/support/indexer/stored.ts'
import type { StockListing } from '../domain/stock/stock.ts'
import type { StockListSource } from '../ports/sources.ts'
import type { Store } from '../ports/store.ts'

const { apple, weth, meme, otherMeme } = tokens
const startTs = 1_800_000_000

/** A chain with one canonical pool that has traded, and one pool that is not indexed. */
const createTraded = () => {
  const chain = createFakeChain()
  const market = createMarket(chain)
  market.publishEth(2500)
  market.mine()
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
  pool.mint(-60_000, 60_000, 100n * one)
  const foreign = market.open('v3', { token0: meme, token1: otherMeme }, rootPrice(1n))
  market.mine()
  pool.swapTo(rootPrice(26n, 100n))
  foreign.swapTo(rootPrice(2n))
  market.mine()
  return { chain, market, pool }
}

let store: Store
beforeEach(() => {
  freezeTime(startTs)
  store = openStore()
})
afterEach(async () => {
  await store.close()
  vi.useRealTimers()
})

describe('from an empty store', () => {
  it('finds the pools, prices their swaps and follows the head', async () => {
    const { chain, market, pool } = createTraded()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)

    expect(await indexedBlock(store)).toBe(3)
    const [stored, ...others] = await poolsOf(store)
    expect(others).toEqual([])
    expect(stored).toMatchObject({
      id: pool.id,
      createdBlock: 2,
      price: pool.price(),
      reserves: pool.reserves(),
      liquidity: pool.liquidity(),
    })
    const [swap] = await swapsOf(store, 1)
    expect(swap).toMatchObject({ block: 3, estimated: false })
    // The pool received WETH, at 2,500 $ each.
    expect(Number(swap?.usdMicro)).toBe(Math.round((Number(swap?.amount1) / 1e18) * 2500 * 1e6))
    expect((await candlesOf(store, 1)).map((each) => [each.width, each.swaps])).toEqual([
      [60, 1],
      [3600, 1],
      [86_400, 1],
    ])

    pool.swapTo(rootPrice(24n, 100n))
    market.mine()
    market.mineMany(confirmations)
    await passSeconds(1)
    expect(await indexedBlock(store)).toBe(6)
    expect(await swapsOf(store, 1)).toHaveLength(2)
    expect((await poolsOf(store))[0]).toMatchObject({ price: pool.price() })
    await run.stop()
    expect(run.journal.of('error')).toEqual([])
  })

  it('reads tokens and stocks, and says that there is no screener', async () => {
    const { chain, market } = createTraded()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    const read = await store.snapshot(async (snapshot) => ({
      stocks: await snapshot.stocksChangedAfter(-1),
      tokens: await snapshot.tokensChangedAfter(-1),
    }))
    expect(read.stocks.map((stock) => [stock.symbol, stock.verdict, stock.multiplier])).toEqual([
      ['AAPL', 'verified', one],
      ['TSLA', 'verified', one],
    ])
    expect(read.tokens.map((token) => token.decimals)).toEqual(
      [18, 6, 18, 18, 18].map((value) => ({ known: true, value })),
    )
    expect(await sourceOf(store, 'screener')).toEqual({
      source: 'screener',
      enabled: false,
      lastAttemptTs: null,
      lastSuccessTs: null,
      lastError: null,
      partial: false,
      failures: 0,
    })
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null, failures: 0 })
    expect(await sourceOf(store, 'pools')).toMatchObject({ lastError: null, partial: false })
    await run.stop()
  })

  it('reads a pool’s tokens as soon as the pool is found', async () => {
    const { chain, market } = createTraded()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    market.open('v4', { token0: apple, token1: meme }, rootPrice(1n))
    market.mineMany(1 + confirmations)
    await passSeconds(1)
    const known = await store.snapshot((snapshot) => snapshot.tokensChangedAfter(-1))
    expect(known.find((token) => token.address === meme)).toMatchObject({
      symbol: { value: 'MEME' },
      decimals: { value: 9 },
    })
    await run.stop()
  })
})

it('reports the head of a chain without a confirmed block', async () => {
  const chain = createFakeChain()
  createMarket(chain).mine()
  const run = await startTestIndexer({ chain, store })
  await passSeconds(1)
  const header = await store.snapshot((snapshot) => snapshot.header())
  expect(header).toMatchObject({ cursor: null, head: { block: 1 } })
  await run.stop()
})

it('follows a stock that the registry lists later, and reads its token', async () => {
  const { chain, market } = createTraded()
  deployStock(chain, otherMeme, { symbol: 'LATE' })
  market.mineMany(confirmations)
  let listed: readonly StockListing[] = []
  const registry: StockListSource = { read: async () => ({ ok: true, value: listed }) }
  const run = await startTestIndexer({ chain, store, registry })
  await passSeconds(5)
  listed = [listingOf(otherMeme, 'LATE')]
  await passSeconds(75)
  const known = await store.snapshot((snapshot) => snapshot.tokensChangedAfter(-1))
  expect(known.find((token) => token.address === otherMeme)).toMatchObject({
    symbol: { value: 'LATE' },
  })
  market.open('v3', { token0: weth, token1: otherMeme }, rootPrice(1n))
  market.mineMany(1 + confirmations)
  await passSeconds(1)
  // The pool that it had before it was listed is found, too.
  expect(await poolsOf(store)).toHaveLength(3)
  await run.stop()
})

it('prices swaps by the nearest price that the store knows, however old it is', async () => {
  const day = 86_400
  const { chain, market, pool } = createTraded()
  market.mineMany(confirmations)
  const first = await startTestIndexer({ chain, store })
  await passSeconds(1)
  await first.stop()
  freezeTime(startTs + 30 * day)
  pool.swapTo(rootPrice(24n, 100n))
  market.mine(29 * day)
  market.mineMany(confirmations)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(1)
  const [swap] = await swapsOf(store, 1)
  expect(swap).toMatchObject({ block: 6, estimated: true })
  expect(swap?.usdMicro).toBeGreaterThan(0)
  await run.stop()
})

describe('a multiplier', () => {
  const updated = 'event UIMultiplierUpdated(uint256 before, uint256 next, uint256 effectiveAt)'
  const multiplierOf = async (address: string) => {
    const stocks = await store.snapshot((snapshot) => snapshot.stocksChangedAfter(-1))
    return stocks.find((stock) => stock.address === address)?.multiplier
  }

  it('that is announced is read at once, one of a token that is no stock is not', async () => {
    const { chain, market } = createTraded()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(5)
    deployStock(chain, apple, { multiplier: 2n * one })
    const args = { before: one, next: 2n * one, effectiveAt: 0n }
    chain.emit(logOf(meme, updated, args))
    market.mineMany(1 + confirmations)
    await passSeconds(2)
    expect(await multiplierOf(apple)).toBe(one)
    chain.emit(logOf(apple, updated, args))
    market.mineMany(1 + confirmations)
    await passSeconds(2)
    expect(await multiplierOf(apple)).toBe(2n * one)
    await run.stop()
  })

  it('is read every minute anyway', async () => {
    const { chain, market } = createTraded()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(5)
    deployStock(chain, apple, { multiplier: 3n * one })
    await passSeconds(60)
    expect(await multiplierOf(apple)).toBe(3n * one)
    await run.stop()
  })
})

describe('history', () => {
  const hour = 3600
  const day = 24 * hour

  it('that is older than it is kept is forgotten, by the chain’s own time', async () => {
    const { chain, market } = createTraded()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(20)
    market.mine(7 * day - hour)
    market.mineMany(confirmations)
    await passSeconds(hour)
    expect(await swapsOf(store, 1)).toHaveLength(1)
    // Whole days go at once: the day of the swap ends sixteen hours after it.
    market.mine(18 * hour)
    market.mineMany(confirmations)
    await passSeconds(hour)
    expect(await swapsOf(store, 1)).toHaveLength(0)
    expect((await candlesOf(store, 1)).map((each) => each.width)).toEqual([3600, 86_400])
    await run.stop()
  })

  it('of a chain that stands still is kept', async () => {
    const { chain, market } = createTraded()
    market.mineMany(confirmations)
    freezeTime(startTs + 90 * day)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(2 * hour)
    expect(await swapsOf(store, 1)).toHaveLength(1)
    await run.stop()
  })
})

describe('when it is stopped', () => {
  it('ends at once and leaves nothing running', async () => {
    const { chain, market } = createTraded()
    market.mineMany(50)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(0.2)
    await run.stop()
    expect(vi.getTimerCount()).toBe(0)
    const questions = chain.count('getHeads') + chain.count('logs') + chain.count('callContracts')
    await passSeconds(3600)
    expect(chain.count('getHeads') + chain.count('logs') + chain.count('callContracts')).toBe(
      questions,
    )
  })

  it('ends at once also while it waits for its chain', async () => {
    const { chain } = createTraded()
    chain.fail('getBlockRef', { kind: 'unreachable', detail: 'refused' })
    const run = await startTestIndexer({ chain, store })
    await passSeconds(10)
    await run.stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends at once when it is stopped before it has begun, and twice', async () => {
    const { chain } = createTraded()
    const run = await startTestIndexer({ chain, store })
    await Promise.all([run.stop(), run.stop()])
    expect(vi.getTimerCount()).toBe(0)
    expect(run.journal.of('error')).toEqual([])
  })
})
