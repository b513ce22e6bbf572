import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens, venues } from '../../test/support/domain/sample-market.ts'
import { venuesOf } from '../../test/support/domain/sample-venues.ts'
import type { FakeChain } from '../../test/support/indexer/fake-chain.ts'
import { type Market, one, sampleNetwork } from '../../test/support/indexer/market.ts'
import {
  confirmations,
  passSeconds,
  startTestIndexer,
  type TestIndexer,
} from '../../test/support/indexer/run.ts'
import { openStage } from '../../test/support/indexer/stage.ts'
import { poolsOf, swapsOf } from '../../test/support/indexer/stored.ts'
import { createRamsesPool, ramsesVenue } from '../../test/support/indexer/v3-like-pool.ts'
import type { Store } from '../ports/store.ts'

const { apple, weth } = tokens
const pair = { token0: apple, token1: weth }
/** From one check to the next. */
const checkSeconds = 8
const network = { ...sampleNetwork, venues: venuesOf(...venues.values(), ramsesVenue) }

let store: Store
let chain: FakeChain
let market: Market
let run: TestIndexer | null = null
beforeEach(() => {
  const stage = openStage(1_800_000_000)
  ;({ store, chain, market } = stage)
  return async () => {
    await run?.stop()
    run = null
    await stage.close()
  }
})

const start = async (given: Partial<Parameters<typeof startTestIndexer>[0]> = {}) => {
  run = await startTestIndexer({ chain, store, network, ...given })
  await passSeconds(1)
  return run
}

/** Mines the block under way and lets realtime sync index it. */
const indexBlock = async (): Promise<number> => {
  const { block } = market.mine()
  market.mineMany(confirmations)
  await passSeconds(1)
  return block
}

const storedPool = async () =>
  (await poolsOf(store)).find(({ protocol }) => protocol === 'ramses-v3')

const createPool = () => {
  const pool = createRamsesPool(chain, pair)
  pool.create(rootPrice(1n))
  pool.mint(-600, 600, 2n * one)
  pool.burn(-600, 600, one)
  return pool
}

describe('a pool of Ramses v3', () => {
  it('has the fee of its creation until its factory logs another one', async () => {
    market.mineMany(1 + confirmations)
    const { journal } = await start()
    const pool = createPool()
    const created = await indexBlock()
    expect(await storedPool()).toMatchObject({
      ...{ id: pool.id, venue: ramsesVenue.address, price: pool.price(), liquidity: one },
      fees: { lpFee: 500, protocolFee: 0, block: created },
    })
    pool.swapTo(rootPrice(101n, 100n))
    pool.adjustFee(750)
    pool.swapTo(rootPrice(1n))
    const block = await indexBlock()
    const { number = 0, fees } = (await storedPool()) ?? {}
    expect(fees).toEqual({ lpFee: 750, protocolFee: 0, block })
    const swaps = await swapsOf(store, number)
    expect(swaps.map(({ fee }) => fee)).toEqual([750, 500])
    await passSeconds(2 * checkSeconds)
    expect(journal.of('error')).toEqual([])
  })

  it('does not hear of its fee from another contract', async () => {
    market.mineMany(1 + confirmations)
    await start()
    const pool = createPool()
    await indexBlock()
    for (const venue of venues.keys()) pool.adjustFee(750, venue)
    pool.adjustFee(500, pool.id)
    await indexBlock()
    expect((await storedPool())?.fees).toMatchObject({ lpFee: 500 })
  })

  it('has the logged fee when the indexer starts later', async () => {
    const pool = createPool()
    pool.adjustFee(750)
    market.mineMany(1 + confirmations)
    const { journal } = await start()
    expect((await storedPool())?.fees).toMatchObject({ lpFee: 750 })
    await passSeconds(2 * checkSeconds)
    expect(journal.of('error')).toEqual([])
  })

  it('has the logged fee when its venue is new to the network file', async () => {
    const pool = createPool()
    market.mine()
    pool.adjustFee(750)
    market.mineMany(1 + confirmations)
    await start({ network: sampleNetwork })
    await run?.stop()
    const { journal } = await start()
    await passSeconds(5)
    expect((await storedPool())?.fees).toEqual({ lpFee: 750, protocolFee: 0, block: 2 })
    await passSeconds(2 * checkSeconds)
    expect(journal.of('error')).toEqual([])
  })

  it('has the fee of its branch after a reorganization', async () => {
    market.mineMany(1 + confirmations)
    await start()
    const pool = createPool()
    await indexBlock()
    pool.adjustFee(750)
    const block = await indexBlock()
    chain.replaceBlock(block)
    market.mineMany(10)
    await passSeconds(60)
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header).toMatchObject({ epoch: 1, repairs: 0 })
    expect((await storedPool())?.fees).toEqual({ lpFee: 750, protocolFee: 0, block })
  })
})
