import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { sampleHash } from '../../test/support/domain/sample-chain.ts'
import { rootPrice, tokens } from '../../test/support/domain/sample-market.ts'
import { factory } from '../../test/support/domain/sample-pool.ts'
import { beaconStandard } from '../../test/support/domain/sample-standard.ts'
import { v3Venue, v4Venue, venuesOf } from '../../test/support/domain/sample-venues.ts'
import { createFakeChain, type FakeChain } from '../../test/support/indexer/fake-chain.ts'
import {
  contractOf,
  createMarket,
  encode,
  returned,
  sampleNetwork,
} from '../../test/support/indexer/market.ts'
import {
  confirmations,
  freezeTime,
  passSeconds,
  startTestIndexer,
} from '../../test/support/indexer/run.ts'
import { openStore, poolsOf, sourceOf } from '../../test/support/indexer/stored.ts'
import { uniswapV3 } from '../domain/dex/uniswap-v3/decode.ts'
import type { ChainReader } from '../ports/chain-reader.ts'
import type { Store } from '../ports/store.ts'
import { probes } from './verify/contract-check.ts'

const { apple, weth } = tokens

let store: Store
beforeEach(() => {
  freezeTime(1_800_000_000)
  store = openStore()
})
afterEach(async () => {
  await store.close()
  vi.useRealTimers()
})

/** A chain with so many pools of one factory, which differ by their fee. */
const createChain = (pools: number) => {
  const chain = createFakeChain()
  const market = createMarket(chain)
  for (let pool = 0; pool < pools; pool++) {
    market.open('v3', { token0: apple, token1: weth, fee: 100 + pool }, rootPrice(1n))
  }
  market.mineMany(1 + confirmations)
  return chain
}

const answerMs = 50

/** Every answer takes a while; `asked` says what was asked when, in milliseconds. */
const slowed = (chain: FakeChain) => {
  const startMs = Date.now()
  const asked: string[] = []
  const slow =
    <Given extends unknown[], Answer>(name: string, ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      asked.push(`${Date.now() - startMs} ${name}`)
      await new Promise((resolve) => setTimeout(resolve, answerMs))
      return ask(...given)
    }
  const { reader } = chain
  const slowReader: ChainReader = {
    ...reader,
    getHeads: slow('heads', reader.getHeads),
    getBlockRef: slow('anchor', reader.getBlockRef),
    readRange: slow('range', reader.readRange),
    callContracts: slow('calls', reader.callContracts),
    getStorageAt: slow('storage', reader.getStorageAt),
  }
  return { asked, chain: { ...chain, reader: slowReader } }
}

// Nothing is read or written before the origin; then everything but logs, in parallel.
test('a start waits for two answers before it asks for the first range', async () => {
  const contracts = [{ key: 'multicall3', address: factory, probe: probes.multicall3 }]
  const { asked, chain } = slowed(createChain(1))
  const run = await startTestIndexer({ chain, store, network: { ...sampleNetwork, contracts } })
  await passSeconds(1)
  await run.stop()
  expect(asked[0]).toBe('0 anchor')
  // Contracts, stocks, feeds and tokens.
  expect(asked[1]).toBe('0 heads')
  const together = ['calls', 'calls', 'calls', 'storage', 'calls']
  expect(asked.slice(2, 7)).toEqual(together.map((what) => `50 ${what}`))
  expect(asked.find((line) => line.endsWith('range'))).toBe('100 range')
})

// What is missing shows nowhere: every reading succeeds. So it is said, in the log and the status.
describe('a mistake of the network file', () => {
  it('no factory at its address: the source `pools` is degraded until there is one', async () => {
    const chain = createChain(0)
    const key = 'uniswapV3[0].factory'
    const contracts = uniswapV3.network.contracts(v3Venue).map((contract) => ({ ...contract, key }))
    const run = await startTestIndexer({ chain, store, network: { ...sampleNetwork, contracts } })
    await passSeconds(20)
    const reason = 'no v3 factory contract at this address'
    const lastError = `${key} (${factory}): ${reason}`
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: true, lastError })
    expect(run.journal.count('Contract of the network file was not found')).toBe(1)
    const zero = encode('uint256', 0n)
    const answers = { 'getPool(address,address,uint24)': () => returned(zero) }
    chain.deploy(factory, contractOf(answers))
    await passSeconds(80)
    await run.stop()
    expect(await sourceOf(store, 'pools')).toMatchObject({ partial: false, lastError: null })
  })

  it('a wrong init code hash: 150 pools, one line in the log and one in the status', async () => {
    const chain = createChain(150)
    const initCodeHash = `0x${'1'.repeat(64)}` as const
    const venues = venuesOf({ ...v3Venue, initCodeHash }, v4Venue)
    const network = { ...sampleNetwork, venues }
    const run = await startTestIndexer({ chain, store, network })
    await passSeconds(20)
    await run.stop()
    expect(await poolsOf(store)).toEqual([])
    expect(run.journal.of('warn')).toMatchObject([
      {
        message: 'Rejected logs from a configured contract',
        fields: { count: 150, reason: expect.stringContaining('initCodeHash') },
      },
    ])
    expect(await sourceOf(store, 'pools')).toMatchObject({
      partial: true,
      lastError: expect.stringMatching(/^150 logs were rejected, .* initCodeHash: pool 0x/),
    })
  })

  it('a wrong beacon: the stocks are named, and the source `pools` is degraded', async () => {
    const chain = createChain(1)
    const run = await startTestIndexer({
      chain,
      store,
      network: { ...sampleNetwork, standardOf: beaconStandard(factory) },
    })
    await passSeconds(20)
    await run.stop()
    expect(run.journal.of('warn').map(({ fields }) => fields?.symbol)).toEqual(['AAPL', 'TSLA'])
    expect(await sourceOf(store, 'pools')).toMatchObject({
      partial: true,
      lastError:
        '2 of 2 listed stocks failed verification, AAPL: it is not a proxy of stocks.beacon',
    })
  })
})

describe('a store of another chain', () => {
  it('is refused once, by its number', async () => {
    await store.claim({ chainId: 8, network: 'sample', originHash: sampleHash(8) }, 0)
    const chain = createChain(1)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(600)
    expect(run.refusals).toEqual(['the store holds another chain than this sample (7)'])
    expect(vi.getTimerCount()).toBe(0)
    expect(chain.count('getBlockRef')).toBe(0)
    await run.stop()
  })

  it('is taken over if it was claimed by a mistyped id, which no chain has proved', async () => {
    const chain = createChain(1)
    chain.fail('getBlockRef', { kind: 'wrong-chain', detail: 'its chain id is 7' }, 1)
    const network = { ...sampleNetwork, chainId: 77 }
    const mistyped = await startTestIndexer({ chain, store, network })
    await passSeconds(10)
    expect(mistyped.refusals).toEqual(['its chain id is 7'])
    await mistyped.stop()
    const run = await startTestIndexer({ chain, store })
    await passSeconds(10)
    await run.stop()
    expect(run.refusals).toEqual([])
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header).toMatchObject({ identity: { chainId: 7 }, cursor: { block: 1 } })
  })

  it('is refused once, by its first block, and then left alone', async () => {
    const originHash = `0x${'1'.repeat(64)}` as const
    await store.claim({ chainId: 7, network: 'sample', originHash }, 0)
    const chain = createChain(1)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    const header = await store.snapshot((snapshot) => snapshot.header())
    await passSeconds(600)
    expect(run.refusals).toEqual(['the store holds another chain than this sample (7)'])
    expect(await store.snapshot((snapshot) => snapshot.header())).toEqual(header)
    expect(header?.cursor).toBe(null)
    expect(vi.getTimerCount()).toBe(0)
    await run.stop()
  })

  it('and endpoints of another chain are refused once', async () => {
    const chain = createChain(1)
    chain.fail('getBlockRef', { kind: 'wrong-chain', detail: 'its chain id is 1' })
    const run = await startTestIndexer({ chain, store })
    await passSeconds(600)
    expect(run.refusals).toEqual(['its chain id is 1'])
    expect(vi.getTimerCount()).toBe(0)
    await run.stop()
  })
})
