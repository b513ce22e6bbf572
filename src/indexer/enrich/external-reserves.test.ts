import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { SamplePool } from '../../../test/support/domain/sample-pool.ts'
import { beaconStandard, standardWith } from '../../../test/support/domain/sample-standard.ts'
import { deployBalances } from '../../../test/support/indexer/balances.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { type Market, one, reverted } from '../../../test/support/indexer/market.ts'
import { createFakeQuotes, down } from '../../../test/support/indexer/quotes.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf, sourceOf } from '../../../test/support/indexer/stored.ts'
import { createPoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolIdentity } from '../../domain/pool/pool-state.ts'
import { createTrackedPool } from '../../domain/pool/tracked-pool.ts'
import { known } from '../../domain/reading.ts'
import { type Address, nativeAddress, type PoolId } from '../../domain/units.ts'
import type { Screener, ScreenerRow, SourceFault } from '../../ports/sources.ts'
import type { Store } from '../../ports/store.ts'
import { createExternalReserves, createPoolsWithoutReserves } from './external-reserves.ts'

const { apple, weth, usdg } = tokens
const startTs = 1_800_000_000
const hiddenBlock = 1

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(startTs)
  ;({ store, chain, market } = stage)
  return stage.close
})

type ScreenerResponse = readonly Omit<ScreenerRow, 'fetchedTs'>[] | SourceFault

const createScreener = (response: ScreenerResponse) => {
  const asked: (readonly PoolId[])[] = []
  let rows = response
  const isFault = (given: typeof rows): given is SourceFault => 'kind' in given
  const screener: Screener = {
    id: 'fake',
    read: async (pools, now) => {
      asked.push(pools)
      if (isFault(rows)) return { ok: false, fault: rows }
      return { ok: true, value: rows.map((row) => ({ ...row, fetchedTs: now })) }
    },
  }
  return {
    screener,
    asked: () => asked,
    answer: (next: ScreenerResponse) => {
      rows = next
    },
  }
}

type Key = { readonly token0: Address; readonly token1: Address }

/** A pool whose first position is missing from the logs, so that its tick map cannot be built. */
const openGapped = (
  version: 'v3' | 'v4',
  key: Key = { token0: apple, token1: weth },
): SamplePool => {
  const pool = market.open(version, key, rootPrice(1n))
  chain.hideLogs((log) => log.block === hiddenBlock + 1)
  market.mine()
  pool.mint(-6000, 6000, one)
  market.mine()
  pool.swapTo(rootPrice(101n, 100n))
  market.mineMany(1 + confirmations)
  return pool
}

const reservesOf = () => store.snapshot((snapshot) => snapshot.reserves())

describe('where the tick map is incomplete', () => {
  it('the balances of a v3 pool are its reserves', async () => {
    const pool = openGapped('v3')
    deployBalances(chain, pool, [
      [apple, 5n * one],
      [weth, 7n * one],
    ])
    const run = await startTestIndexer({ chain, store })
    await passSeconds(70)
    expect(await poolsOf(store)).toMatchObject([{ reserves: null, mapFault: 'index_gap' }])
    expect(await reservesOf()).toEqual([
      { pool: 1, source: 'balance', amount0: 5, amount1: 7, liquidityUsd: null, ts: startTs + 3 },
    ])
    await run.stop()
  })

  it('a token that does not answer leaves its own side unknown', async () => {
    const pool = openGapped('v3')
    deployBalances(chain, pool, [
      [apple, 5n * one],
      [weth, reverted],
    ])
    const run = await startTestIndexer({ chain, store })
    await passSeconds(70)
    expect(await reservesOf()).toMatchObject([{ amount0: 5, amount1: null }])
    await run.stop()
  })

  it('a call that the node refused leaves the last balances, with their age', async () => {
    const pool = openGapped('v3')
    deployBalances(chain, pool, [
      [apple, 5n * one],
      [weth, 7n * one],
    ])
    const run = await startTestIndexer({ chain, store })
    await passSeconds(70)
    const before = await reservesOf()
    expect(before).toMatchObject([{ amount0: 5, amount1: 7 }])
    chain.deploy(weth, () => ({ ok: false, reason: 'unanswered' }))
    market.mineMany(5)
    await passSeconds(70)
    expect(await reservesOf()).toEqual(before)
    await run.stop()
  })

  it('a v4 pool has no balance of its own: the screener is asked', async () => {
    const pool = openGapped('v4')
    const reserves = [
      { address: apple, amount: 12.5 },
      { address: weth, amount: 3 },
    ]
    const row = { poolId: pool.id, reserves, liquidityUsd: null, vol24hUsd: null }
    const { screener, asked } = createScreener([row])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(70)
    expect(asked()[0]).toEqual([pool.id])
    expect(await reservesOf()).toMatchObject([
      { pool: 1, source: 'screener', amount0: 12.5, amount1: 3 },
    ])
    expect(await sourceOf(store, 'screener')).toMatchObject({ enabled: true, lastError: null })
    await run.stop()
  })

  it.each([
    [
      'in either order',
      [
        { address: weth, amount: 3 },
        { address: apple, amount: 12.5 },
      ],
      12.5,
    ],
    [
      'of other tokens not at all',
      [
        { address: usdg, amount: 3 },
        { address: apple, amount: 1 },
      ],
      null,
    ],
  ])('its reserves are taken by their tokens, %s', async (_, reserves, amount0) => {
    const pool = openGapped('v4')
    const { screener } = createScreener([
      { poolId: pool.id, reserves, liquidityUsd: 7, vol24hUsd: null },
    ])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(10)
    const amount1 = amount0 === null ? null : 3
    expect(await reservesOf()).toMatchObject([{ amount0, amount1, liquidityUsd: 7 }])
    await run.stop()
  })

  it('ether is what is left, whatever a screener calls it', async () => {
    const pool = openGapped('v4', { token0: nativeAddress, token1: apple })
    const reserves = [
      { address: weth, amount: 3 },
      { address: apple, amount: 12.5 },
    ]
    const { screener } = createScreener([
      { poolId: pool.id, reserves, liquidityUsd: null, vol24hUsd: null },
    ])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(10)
    expect(await reservesOf()).toMatchObject([{ amount0: 3, amount1: 12.5 }])
    await run.stop()
  })

  it('the last values stay when a screener or the chain stops answering', async () => {
    const reserves = [
      { address: apple, amount: 12.5 },
      { address: weth, amount: 3 },
    ]
    const v4 = openGapped('v4')
    const row = { poolId: v4.id, reserves, liquidityUsd: null, vol24hUsd: null }
    const { screener, answer } = createScreener([row])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(6)
    const before = await reservesOf()
    expect(before).toHaveLength(1)
    answer(down)
    await passSeconds(60)
    expect(await reservesOf()).toEqual(before)
    answer([row])
    await passSeconds(20)
    expect((await reservesOf())[0]?.ts).toBeGreaterThan(before[0]?.ts ?? 0)
    await run.stop()
  })

  it('a screener that is down says so', async () => {
    openGapped('v4')
    const { screener } = createScreener(down)
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(70)
    expect(await reservesOf()).toEqual([])
    expect(await sourceOf(store, 'screener')).toMatchObject({
      lastError: 'unreachable: connection refused',
      failures: 7,
    })
    await run.stop()
  })

  it('a screener that knows nothing of a pool is not at fault', async () => {
    const pool = openGapped('v4')
    const row = { poolId: pool.id, reserves: [], liquidityUsd: null, vol24hUsd: null }
    const { screener } = createScreener([row])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(70)
    expect(await reservesOf()).toEqual([])
    expect(await sourceOf(store, 'screener')).toMatchObject({ failures: 0, partial: false })
    await run.stop()
  })
})

describe('where nothing is missing', () => {
  it('the screener is asked for one pool, to know whether it answers', async () => {
    const pools = (['v3', 'v4'] as const).map((version) =>
      market.open(version, { token0: apple, token1: weth }, rootPrice(1n)),
    )
    market.mineMany(1 + confirmations)
    const reserves = [{ address: apple, amount: 1 }]
    const row = { poolId: pools[0]?.id ?? '0x', reserves, liquidityUsd: null, vol24hUsd: null }
    const { screener, asked } = createScreener([row])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(70)
    expect(asked()).toHaveLength(7)
    expect(new Set(asked().flat())).toEqual(new Set([pools[0]?.id]))
    expect(await reservesOf()).toEqual([])
    await run.stop()
  })

  it('the screener is asked for all hot pools; its values are kept beside the map', async () => {
    market.open('v3', { token0: apple, token1: weth, fee: 500 }, rootPrice(1n, 4n))
    const pool = market.open('v4', { token0: apple, token1: weth }, rootPrice(1n, 4n))
    pool.mint(-60_000, 60_000, 100n * one)
    market.mineMany(1 + confirmations)
    const row = { poolId: pool.id, reserves: [], liquidityUsd: 62_400.5, vol24hUsd: null }
    const { screener, asked } = createScreener([row])
    const prices = createFakeQuotes('chainlink', { [weth]: 2500, [apple]: 156 })
    const run = await startTestIndexer({ chain, store, screener, quoteSources: [prices.source] })
    await passSeconds(1)
    pool.swapTo(rootPrice(26n, 100n))
    for (let second = 0; second < 70; second++) {
      market.mine()
      await passSeconds(1)
    }
    expect(asked().at(-1)).toEqual([pool.id])
    expect(await reservesOf()).toMatchObject([
      { pool: 2, source: 'screener', amount0: null, amount1: null, liquidityUsd: 62_400.5 },
    ])
    expect(await poolsOf(store)).toMatchObject([{}, { mapFault: null }])
    await run.stop()
  })

  it('no source is asked for reserves that a hook keeps to itself', async () => {
    const hooks = '0x00000000000000000000000000000000000000c0'
    const hooked = market.open('v4', { token0: apple, token1: weth, hooks }, rootPrice(1n))
    market.open('v4', { token0: apple, token1: weth }, rootPrice(1n))
    hooked.emitSwap({ amount0: 0n, amount1: 0n }, { ...hooked.price(), liquidity: 0n })
    market.mineMany(1 + confirmations)
    const { screener, asked } = createScreener([])
    const run = await startTestIndexer({ chain, store, screener })
    await passSeconds(10)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: 'hook_custom_accounting' }, {}])
    expect(asked()).toHaveLength(1)
    expect(await reservesOf()).toEqual([])
    await run.stop()
  })
})

// On a replaced branch, number 1 may have been another pool.
it('external data of a pool is not shown for another pool that now has its number', async () => {
  const bookOf = (id: PoolId) => {
    const key = { token0: apple, token1: weth, fee: 1, tickSpacing: 1, hooks: null }
    const born = { createdBlock: 1, createdTs: startTs }
    const identity: PoolIdentity = {
      ...{ number: 1, id, version: 'v3', protocol: 'uniswap-v3', venue: '0x0f', key },
      ...born,
    }
    const book = createPoolSet()
    book.put(createTrackedPool(identity, null))
    return book
  }
  let book = bookOf('0x0a')
  const rows = [{ poolId: '0x0a', reserves: [], liquidityUsd: 5 }] as unknown as ScreenerResponse
  const report = { success: async () => {}, failure: async () => {} }
  const fallback = createExternalReserves({
    poolsWithoutReserves: createPoolsWithoutReserves(beaconStandard(null)),
    chain: chain.reader,
    clock: { now: () => startTs },
    logger: createJournal().logger,
    index: { cursor: () => ({ block: 1, hash: '0x01', ts: 1 }), pools: () => book } as never,
    decimalsOf: () => known(18),
    hotPools: () => [1],
    screener: { source: createScreener(rows).screener, report },
  })
  await fallback.step()
  expect(fallback.rows()).toMatchObject([{ pool: 1, liquidityUsd: 5 }])
  book = bookOf('0x0b')
  expect(fallback.rows()).toEqual([])
})

it('the balances of a pool with a rebasing token are read, whatever its map says', () => {
  const rebasing: Address = `0x${'7'.repeat(40)}`
  const select = createPoolsWithoutReserves((address) =>
    standardWith({ rebasing: address === rebasing }),
  )
  const pools = createPoolSet()
  const put = (number: number, token1: Address): void => {
    const key = { token0: '0x01' as Address, token1, fee: 500, tickSpacing: 10, hooks: null }
    const id: PoolId = `0x${number}`
    const source = { version: 'v3', protocol: 'uniswap-v3', venue: '0x0f' } as const
    const born = { createdBlock: 1, createdTs: 1 }
    const pool = createTrackedPool({ number, id, ...source, key, ...born }, null)
    const price = { sqrtPriceX96: 1n << 96n, tick: 0 }
    const reserves = { amount0: 1n, amount1: 1n }
    pools.put({ ...pool, state: { ...pool.state, price, reserves } })
  }
  put(1, '0x02')
  put(2, rebasing)
  expect([...select(pools).keys()]).toEqual([2])
  put(3, rebasing)
  expect([...select(pools).keys()]).toEqual([2, 3])
})
