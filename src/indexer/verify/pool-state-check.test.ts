import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import {
  contractOf,
  encode,
  type Market,
  one,
  returned,
  reverted,
  sampleNetwork,
  stateView,
} from '../../../test/support/indexer/market.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf, sourceOf } from '../../../test/support/indexer/stored.ts'
import type { Store } from '../../ports/store.ts'

const { apple, weth, usdg } = tokens
const differs = 'Pool state differs from its contract'

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(1_800_000_000)
  ;({ store, chain, market } = stage)
  return stage.close
})

const openPools = () => {
  const pools = [
    market.open('v3', { token0: apple, token1: weth }, rootPrice(1n)),
    market.open('v4', { token0: usdg, token1: apple }, rootPrice(70_000n)),
  ]
  for (const pool of pools) pool.mint(-60_000, 240_000, one)
  market.mine()
  return pools
}

describe('pools compared with their contracts', () => {
  it('match at the block of the cursor while trading continues', async () => {
    const [v3, v4] = openPools()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    for (let second = 0; second < 40; second++) {
      v3?.swapTo(rootPrice(100n + BigInt(second), 100n))
      v4?.swapTo(rootPrice(70_000n + BigInt(second)))
      market.mine()
      await passSeconds(1)
    }
    expect(run.journal.count(differs)).toBe(0)
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false, lastError: null })
    await run.stop()
  })

  it('differ after an omitted swap, and the pool is rebuilt', async () => {
    const [v3] = openPools()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    v3?.swapTo(rootPrice(2n))
    const { block } = market.mine()
    chain.hideLogs((log) => log.block === block)
    market.mineMany(confirmations)
    await passSeconds(1)
    expect(await poolsOf(store)).toMatchObject([{ price: { tick: 0 } }, {}])
    chain.hideLogs(() => false)
    await passSeconds(10)
    expect(run.journal.count(differs)).toBe(1)
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: true })
    expect(await poolsOf(store)).toMatchObject([{}, { id: v3?.id, price: v3?.price() }])
    await passSeconds(10)
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false })
    await run.stop()
  })

  //   ... - 3 - 4     indexed, and asked about by its number
  //           \ 4a    as the contracts answer by now
  it('is not disproven by a block that the chain has in its place', async () => {
    const [v3] = openPools()
    market.mineMany(confirmations)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    v3?.swapTo(rootPrice(2n))
    const { block } = market.mine()
    chain.hideLogs((log) => log.block === block)
    market.mineMany(confirmations)
    await passSeconds(1)
    chain.replaceBlock(block)
    await passSeconds(20)
    expect(run.journal.count(differs)).toBe(0)
    await run.stop()
  })

  it('match if never initialized; a pool without a readable state is skipped', async () => {
    const bare = market.open('v3', { token0: apple, token1: tokens.meme }, rootPrice(1n))
    chain.hideLogs((log) => log.address === bare.id)
    const nothing = encode('uint256', 0n)
    const zeros = contractOf({
      'slot0()': () => returned(`0x${'0'.repeat(7 * 64)}`),
      'liquidity()': () => returned(nothing),
    })
    chain.deploy(bare.id, zeros)
    market.open('v4', { token0: usdg, token1: apple }, rootPrice(70_000n))
    market.mineMany(1 + confirmations)
    chain.deploy(stateView, () => reverted)
    const network = { ...sampleNetwork, stateViewOf: () => null }
    const run = await startTestIndexer({ chain, store, network })
    await passSeconds(30)
    expect(await poolsOf(store)).toHaveLength(2)
    expect(run.journal.of('error')).toEqual([])
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false })
    await run.stop()
  })

  it('is not disproven by a contract that does not answer, but incomplete', async () => {
    const [v3] = openPools()
    market.mineMany(confirmations)
    chain.deploy(v3?.id ?? '0x', () => reverted)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(10)
    expect(run.journal.of('error')).toEqual([])
    expect(await sourceOf(store, 'pools')).toMatchObject({
      partial: true,
      lastError: '1 of 2 pools match their contracts',
    })
    await run.stop()
  })

  it('are not judged by a check in which the node refused a call', async () => {
    const [v3] = openPools()
    market.mineMany(confirmations)
    chain.deploy(v3?.id ?? '0x', () => ({ ok: false, reason: 'unanswered' }))
    const run = await startTestIndexer({ chain, store })
    await passSeconds(10)
    expect(run.journal.of('error')).toEqual([])
    expect(await sourceOf(store, 'pools')).toMatchObject({
      lastSuccessTs: null,
      lastError: 'rejected: endpoint refused to read a pool state',
    })
    await run.stop()
  })

  it('in turns, where there are more pools than one check asks about', async () => {
    const fees = Array.from({ length: 230 }, (_, index) => 100 + index)
    for (const fee of fees) {
      market.open('v4', { token0: apple, token1: weth, fee }, rootPrice(1n))
    }
    market.mineMany(1 + confirmations)
    const asked = new Map<string, number>()
    chain.deploy(stateView, (data) => {
      asked.set(data, (asked.get(data) ?? 0) + 1)
      return reverted
    })
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1 + 8 * 2)
    expect(asked.size).toBe(2 * fees.length)
    expect(Math.max(...asked.values())).toBe(2)
    await run.stop()
  })
})
