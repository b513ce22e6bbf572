import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../test/support/domain/sample-market.ts'
import type { FakeChain } from '../../test/support/indexer/fake-chain.ts'
import { type Market, one } from '../../test/support/indexer/market.ts'
import { confirmations, passSeconds, startTestIndexer } from '../../test/support/indexer/run.ts'
import { openStage } from '../../test/support/indexer/stage.ts'
import { indexedBlock, poolsOf, sourceOf, swapsOf } from '../../test/support/indexer/stored.ts'
import type { RpcFault } from '../ports/chain-reader.ts'
import type { Store } from '../ports/store.ts'

const { apple, weth } = tokens
const startTs = 1_800_000_000

const unreachable: RpcFault = { kind: 'unreachable', detail: 'connection refused' }
const limited = (retryAfterSeconds: number | null): RpcFault => ({
  kind: 'rate-limited',
  retryAfterSeconds,
  detail: 'slow down',
})

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(startTs)
  ;({ store, chain, market } = stage)
  return stage.close
})

const openPool = () => {
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n, 4n))
  pool.mint(-60_000, 60_000, 100n * one)
  return pool
}

/** A run that has followed the chain up to its confirmed head. */
const startFollowing = async () => {
  market.publishEth(2500)
  market.mine()
  const pool = openPool()
  market.mineMany(1 + confirmations)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(1)
  expect(await indexedBlock(store)).toBe(2)
  return { pool, run }
}

describe('a chain that does not answer', () => {
  it('at first is waited for, and the sources say so', async () => {
    openPool()
    market.mineMany(1 + confirmations)
    chain.fail('getBlockRef', unreachable)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(10)
    expect(await indexedBlock(store)).toBe(null)
    for (const source of ['swaps', 'pools'] as const) {
      const record = await sourceOf(store, source)
      expect(record).toMatchObject({
        lastError: 'unreachable: connection refused',
        lastSuccessTs: null,
      })
      expect(record?.failures).toBeGreaterThanOrEqual(5)
    }
    chain.heal()
    await passSeconds(3)
    expect(await indexedBlock(store)).toBe(1)
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null, failures: 0 })
    await run.stop()
  })

  it('at first to everything is waited for: no pool may be passed over', async () => {
    openPool()
    market.mineMany(1 + confirmations)
    chain.fail('callContracts', unreachable)
    const run = await startTestIndexer({ chain, store })
    await passSeconds(10)
    expect(chain.count('logs')).toBe(0)
    expect(await sourceOf(store, 'swaps')).toMatchObject({
      lastError: 'failed to read the tokens',
    })
    chain.heal()
    await passSeconds(3)
    expect(await poolsOf(store)).toHaveLength(1)
    await run.stop()
  })

  it('later shows in its sources, and sync resumes once it is back', async () => {
    const { pool, run } = await startFollowing()
    for (const method of ['getHeads', 'getBlockRef', 'logs', 'callContracts'] as const) {
      chain.fail(method, unreachable)
    }
    pool.swapTo(rootPrice(26n, 100n))
    market.mineMany(1 + confirmations)
    await passSeconds(30)
    expect(await indexedBlock(store)).toBe(2)
    for (const source of ['swaps', 'pools'] as const) {
      expect(await sourceOf(store, source)).toMatchObject({
        lastError: 'unreachable: connection refused',
      })
    }
    expect((await sourceOf(store, 'swaps'))?.failures).toBeGreaterThan(20)
    chain.heal()
    await passSeconds(12)
    expect(await indexedBlock(store)).toBe(5)
    expect(await swapsOf(store, 1)).toHaveLength(1)
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null, failures: 0 })
    expect(await sourceOf(store, 'pools')).toMatchObject({ lastError: null, failures: 0 })
    await run.stop()
    expect(run.journal.of('error')).toEqual([])
  })

  it('leaves the prices of a store that is taken up again alive', async () => {
    const first = await startFollowing()
    await first.run.stop()
    for (const method of ['getHeads', 'getBlockRef', 'logs', 'callContracts'] as const) {
      chain.fail(method, unreachable)
    }
    const quote = {
      address: weth,
      source: 'chainlink',
      per: 'token',
      bid: null,
      ask: null,
      last: 2600,
      halted: false,
      haltTs: null,
      lapse: null,
    } as const
    const read = async (_: unknown, now: number) => {
      const quotes = [{ ...quote, publishedTs: now, fetchedTs: now }]
      return { ok: true, value: { quotes, refused: [], expected: 1 } } as const
    }
    const run = await startTestIndexer({ chain, store, quoteSources: [{ id: 'chainlink', read }] })
    await passSeconds(30)
    const quotes = await store.snapshot((snapshot) => snapshot.quotes())
    expect(quotes).toMatchObject([{ last: 2600, publishedTs: startTs + 1 + 30 }])
    await run.stop()
  })
})

describe('a chain that wants less of us', () => {
  it.each([
    ['for as long as it says', 7, 7],
    ['for a second if it does not say', null, 1],
    ['for a second at least', 0, 1],
    ['for a minute at most', 86_400, 60],
  ])('is left alone %s', async (_, retryAfterSeconds, waitSeconds) => {
    const { run } = await startFollowing()
    chain.fail('getHeads', limited(retryAfterSeconds), 1)
    await passSeconds(0.5)
    const refused = await sourceOf(store, 'swaps')
    expect(refused).toMatchObject({ lastError: 'rate-limited: slow down', failures: 1 })
    await passSeconds(waitSeconds - 0.1)
    expect(await sourceOf(store, 'swaps')).toEqual(refused)
    await passSeconds(0.2)
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null, failures: 0 })
    await run.stop()
  })

  it('also when it says so to a question for logs', async () => {
    const { run } = await startFollowing()
    chain.fail('logs', limited(9), 1)
    market.mine()
    await passSeconds(0.5)
    const questions = chain.count('getHeads')
    await passSeconds(8.9)
    expect(chain.count('getHeads')).toBe(questions)
    await passSeconds(0.5)
    expect(await indexedBlock(store)).toBe(3)
    await run.stop()
  })

  it('is asked for the ranges that it states', async () => {
    market.mineMany(1000)
    chain.limitRanges({ blocks: 300, isStated: true })
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    expect(await indexedBlock(store)).toBe(998)
    expect(chain.rangesAsked()).toEqual([998, 300, 300, 300, 98])
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null, failures: 0 })
    await run.stop()
  })

  it('is asked for half as much where it states no limit', async () => {
    market.mineMany(1000)
    chain.limitRanges({ blocks: 300, isStated: false })
    const run = await startTestIndexer({ chain, store })
    await passSeconds(1)
    expect(await indexedBlock(store)).toBe(998)
    expect(chain.rangesAsked()).toEqual([998, 499, 249, 249, 249, 249, 2])
    await run.stop()
  })

  it('and refuses a single block is waited for, without being pressed', async () => {
    const { run } = await startFollowing()
    chain.limitRanges({ blocks: 0, isStated: false })
    market.mine()
    await passSeconds(10)
    expect(chain.rangesAsked().length).toBeLessThan(15)
    expect(await sourceOf(store, 'swaps')).toMatchObject({
      lastError: 'range-too-large: too many blocks',
    })
    chain.limitRanges(null)
    await passSeconds(2)
    expect(await indexedBlock(store)).toBe(3)
    await run.stop()
  })
})

describe('a chain that changes its mind', () => {
  it('after the confirmations is followed onto its new branch', async () => {
    const { run } = await startFollowing()
    chain.replaceBlock(2)
    market.mineMany(10)
    await passSeconds(60)
    expect(await indexedBlock(store)).toBe(12)
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header).toMatchObject({ epoch: 1, repairs: 0 })
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null })
    await run.stop()
  })

  it('before the confirmations is none of our business', async () => {
    const { run } = await startFollowing()
    market.mine()
    chain.replaceBlock(5)
    market.mineMany(2)
    await passSeconds(1)
    expect(await indexedBlock(store)).toBe(5)
    const header = await store.snapshot((snapshot) => snapshot.header())
    expect(header?.cursor?.hash).toMatch(/b1/)
    await run.stop()
  })

  it('and goes back is waited out', async () => {
    const { run } = await startFollowing()
    const older = chain.blocks()[1]?.blockRef
    const reader = {
      ...chain.reader,
      getHeads: async () => ({ ok: true, value: { latest: older, finalized: null } }) as never,
    }
    await run.stop()
    const again = await startTestIndexer({ chain: { ...chain, reader }, store })
    await passSeconds(10)
    expect(await indexedBlock(store)).toBe(2)
    expect(await sourceOf(store, 'swaps')).toMatchObject({ lastError: null })
    await again.stop()
  })
})
