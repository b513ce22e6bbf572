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
import { poolsOf } from '../../test/support/indexer/stored.ts'
import { createSlipstreamPool, slipstreamVenue } from '../../test/support/indexer/v3-like-pool.ts'
import type { Store } from '../ports/store.ts'

const { apple, weth } = tokens
const pair = { token0: apple, token1: weth }
/** From one check to the next. */
const checkSeconds = 8
const network = { ...sampleNetwork, venues: venuesOf(...venues.values(), slipstreamVenue) }

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

const restart = async () => {
  await run?.stop()
  return start()
}

/** Mines the block under way and lets realtime sync index it. */
const indexBlock = async (): Promise<number> => {
  const { block } = market.mine()
  market.mineMany(confirmations)
  await passSeconds(1)
  return block
}

const storedPool = async () => (await poolsOf(store)).find(({ version }) => version === 'v3')

const createPool = () => {
  const pool = createSlipstreamPool(chain, pair)
  pool.create(rootPrice(1n))
  pool.mint(-600, 600, one)
  return pool
}

describe('a pool that is priced before its creation is logged', () => {
  it('has that price when it is created while the indexer follows the chain', async () => {
    market.mineMany(1 + confirmations)
    const { journal } = await start()
    const pool = createPool()
    const block = await indexBlock()
    expect(await storedPool()).toMatchObject({
      ...{ id: pool.id, protocol: 'slipstream', venue: slipstreamVenue.address },
      ...{ createdBlock: block, price: pool.price(), liquidity: one, mapFault: null },
    })
    await passSeconds(2 * checkSeconds)
    expect(journal.of('error')).toEqual([])
  })

  it('has it when the indexer starts later', async () => {
    const pool = createPool()
    market.mineMany(1 + confirmations)
    await start()
    expect(await storedPool()).toMatchObject({ price: pool.price(), liquidity: one })
  })

  it('has it when its venue is new to the network file', async () => {
    const pool = createPool()
    market.mineMany(1 + confirmations)
    await start({ network: sampleNetwork })
    expect(await storedPool()).toBe(undefined)
    await restart()
    await passSeconds(5)
    expect(await storedPool()).toMatchObject({ price: pool.price(), liquidity: one })
  })

  it('has it again after a reorganization', async () => {
    market.mineMany(1 + confirmations)
    await start()
    const pool = createPool()
    const block = await indexBlock()
    chain.replaceBlock(block)
    market.mineMany(10)
    await passSeconds(60)
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header).toMatchObject({ epoch: 1, repairs: 0 })
    expect(await storedPool()).toMatchObject({ createdBlock: block, price: pool.price() })
  })
})

describe('the fee of a pool, which no event shows', () => {
  it('is unknown until it is read, and then that of the newest read', async () => {
    market.mineMany(1 + confirmations)
    const { journal } = await start()
    const pool = createPool()
    await indexBlock()
    expect(await storedPool()).toMatchObject({ fees: null })
    await passSeconds(checkSeconds)
    const first = await storedPool()
    expect(first?.fees).toMatchObject({ lpFee: 500, protocolFee: 0 })
    pool.setFee(4321)
    const block = await indexBlock()
    await passSeconds(2 * checkSeconds)
    expect((await storedPool())?.fees).toEqual({ lpFee: 4321, protocolFee: 0, block })
    expect(journal.of('error')).toEqual([])
  })

  it('stays the one last read where the contract answers none; the price is checked', async () => {
    market.mineMany(1 + confirmations)
    const { journal } = await start()
    const pool = createPool()
    await indexBlock()
    await passSeconds(checkSeconds)
    pool.breakFee()
    pool.swapTo(rootPrice(101n, 100n))
    await indexBlock()
    await passSeconds(2 * checkSeconds)
    expect(await storedPool()).toMatchObject({ price: pool.price(), fees: { lpFee: 500 } })
    expect(journal.of('error')).toEqual([])
  })
})
