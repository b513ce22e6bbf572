import { beforeEach, describe, expect, it } from 'vitest'
import { rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import type { FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { type Market, one } from '../../../test/support/indexer/market.ts'
import {
  confirmations,
  passSeconds,
  startTestIndexer,
  type TestIndexer,
} from '../../../test/support/indexer/run.ts'
import { openStage } from '../../../test/support/indexer/stage.ts'
import { poolsOf } from '../../../test/support/indexer/stored.ts'
import type { Address } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'

const { apple, weth } = tokens
const startTs = 1_800_000_000
/** The block whose logs the node forgets at first: a position is opened in it. */
const hiddenBlock = 2

let store: Store
let chain: FakeChain
let market: Market
beforeEach(() => {
  const stage = openStage(startTs)
  ;({ store, chain, market } = stage)
  return stage.close
})

const ticksOf = async (): Promise<readonly (readonly [number, bigint])[]> => {
  const rows: (readonly [number, bigint])[] = []
  for await (const { tick, gross } of store.readTicks()) rows.push([tick, gross])
  return rows
}

//   block    1          2            3         4
//          create   (mint, omitted)   mint     swap has more liquidity than is indexed
const liveThroughGap = async (version: 'v3' | 'v4', hooks?: Address) => {
  const pair = { token0: apple, token1: weth, ...(hooks === undefined ? {} : { hooks }) }
  const pool = market.open(version, pair, rootPrice(1n))
  market.mine()
  pool.mint(-6000, 6000, 5n * one)
  market.mine()
  pool.mint(-600, 600, one)
  market.mine()
  pool.swapTo(rootPrice(101n, 100n))
  market.mineMany(1 + confirmations)
  chain.hideLogs((log) => log.block === hiddenBlock)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(0.1)
  return { pool, run }
}

const expectGap = async (run: TestIndexer): Promise<void> => {
  expect(await poolsOf(store)).toMatchObject([{ mapFault: 'index_gap', reserves: null }])
  expect(run.journal.of('error')).toEqual([])
}

describe.each(['v3', 'v4'] as const)('a %s pool with a gap', (version) => {
  it('is rebuilt from its own logs', async () => {
    const { pool, run } = await liveThroughGap(version)
    await expectGap(run)
    chain.hideLogs(() => false)
    await passSeconds(1)
    expect(await poolsOf(store)).toMatchObject([
      {
        mapFault: null,
        reserves: pool.reserves(),
        liquidity: pool.liquidity(),
        price: pool.price(),
        lastSwapBlock: 4,
        createdBlock: 1,
      },
    ])
    expect(await ticksOf()).toEqual([
      [-6000, 5n * one],
      [-600, one],
      [600, one],
      [6000, 5n * one],
    ])
    // Realtime sync continues from there.
    pool.burn(-6000, 6000, 5n * one)
    pool.swapTo(rootPrice(102n, 100n))
    market.mineMany(1 + confirmations)
    await passSeconds(1)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await run.stop()
  })

  it('is rebuilt after a restart, too, even if it never trades again', async () => {
    const { pool, run } = await liveThroughGap(version)
    await expectGap(run)
    await run.stop()
    chain.hideLogs(() => false)
    const next = await startTestIndexer({ chain, store })
    await passSeconds(1)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await next.stop()
  })
})

it('a v4 pool that never traded has the price of its creation again', async () => {
  const pool = market.open('v4', { token0: apple, token1: weth }, rootPrice(3n))
  market.mine()
  pool.mint(6000, 60_000, 5n * one)
  market.mine()
  pool.burn(6000, 60_000, 2n * one)
  market.mineMany(1 + confirmations)
  chain.hideLogs((log) => log.block === hiddenBlock)
  const run = await startTestIndexer({ chain, store })
  await passSeconds(0.1)
  // More was burnt than was known to be there.
  await expectGap(run)
  chain.hideLogs(() => false)
  await passSeconds(1)
  expect(await poolsOf(store)).toMatchObject([
    { mapFault: null, price: pool.price(), reserves: pool.reserves(), liquidity: 3n * one },
  ])
  await run.stop()
})

it('rebuilds a pool whose stored ticks are inconsistent at the next start', async () => {
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  market.mineMany(1 + confirmations)
  const first = await startTestIndexer({ chain, store })
  await passSeconds(1)
  await first.stop()
  const [stored] = await poolsOf(store)
  if (stored === undefined) throw new Error('no pool')
  await store.replaceTickMap(1, stored, [{ pool: 1, tick: 0, net: 5n, gross: 5n }])
  const run = await startTestIndexer({ chain, store })
  await passSeconds(1)
  expect(run.journal.count('Rebuilt pool from its logs')).toBe(1)
  expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
  expect((await ticksOf()).map(([tick]) => tick)).toEqual([-6000, 6000])
  await run.stop()
})

describe('a pool that cannot be rebuilt', () => {
  it('is tried again after longer and longer waits, and healed in the end', async () => {
    const { pool, run } = await liveThroughGap('v3')
    await passSeconds(5)
    for (let trade = 0; trade < 100; trade++) {
      pool.swapTo(rootPrice(100n + BigInt(trade), 100n))
      market.mineMany(1 + confirmations)
      await passSeconds(2)
    }
    // At once, after 5, 35 and 215 seconds.
    expect(run.journal.count('Rebuilt pool from its logs')).toBeGreaterThanOrEqual(3)
    expect(run.journal.count('Rebuilt pool from its logs')).toBeLessThanOrEqual(4)
    await expectGap(run)
    chain.hideLogs(() => false)
    await passSeconds(1_100)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await run.stop()
  })

  it('because the chain does not answer stays wanted, without pressing', async () => {
    const { pool, run } = await liveThroughGap('v3')
    const asked = chain.count('logs')
    chain.hideLogs(() => false)
    chain.fail('logs', { kind: 'timeout', detail: 'late' })
    await passSeconds(20)
    expect(chain.count('logs') - asked).toBeLessThanOrEqual(5)
    expect(run.journal.count('Failed to rebuild pool, will retry')).toBeGreaterThan(2)
    await expectGap(run)
    chain.heal()
    await passSeconds(6)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await run.stop()
  })

  //   block    1          2                3           4         each hidden in its turn
  it.each([
    ['a change of its map', 3, 'events of block 3 that were indexed before'],
    ['its newest swap', 4, 'events of block 4 that were indexed before'],
  ])('of a node that has forgotten %s waits for a better one', async (_, block, lost) => {
    const { pool, run } = await liveThroughGap('v3')
    chain.hideLogs((log) => log.block === block)
    await passSeconds(20)
    expect(run.journal.count('Rebuilt pool from its logs')).toBe(0)
    const fault = { kind: 'behind', detail: `endpoint omitted ${lost}` }
    expect(run.journal.of('warn').at(-1)?.fields).toMatchObject(fault)
    await expectGap(run)
    chain.hideLogs(() => false)
    await passSeconds(6)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await run.stop()
  })

  it('because the chain refuses even one block is left for later', async () => {
    const { pool, run } = await liveThroughGap('v3')
    chain.hideLogs(() => false)
    chain.limitRanges({ blocks: 0, isStated: false })
    const asked = chain.count('logs')
    await passSeconds(4)
    expect(chain.count('logs') - asked).toBeLessThan(10)
    await expectGap(run)
    chain.limitRanges(null)
    await passSeconds(6)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await run.stop()
  })

  it('of a block that the chain has left is not made of the other branch', async () => {
    const { pool, run } = await liveThroughGap('v3')
    const indexed = 4
    chain.hideLogs(() => false)
    chain.replaceBlock(indexed)
    // The fake's head is as it was: the index does not look for another branch.
    await passSeconds(4)
    expect(run.journal.count('Rebuilt pool from its logs')).toBe(0)
    expect(run.journal.of('warn').at(-1)?.fields).toMatchObject({
      pool: pool.id,
      detail: `block ${indexed} was replaced`,
    })
    await expectGap(run)
    await run.stop()
  })

  it('in one piece is read in pieces', async () => {
    const { pool, run } = await liveThroughGap('v4')
    chain.hideLogs(() => false)
    chain.limitRanges({ blocks: 1, isStated: false })
    await passSeconds(1)
    expect(await poolsOf(store)).toMatchObject([{ mapFault: null, reserves: pool.reserves() }])
    await run.stop()
  })
})

it('heals a pool as often as it needs it', async () => {
  const { pool, run } = await liveThroughGap('v3')
  chain.hideLogs(() => false)
  await passSeconds(1)
  for (let time = 1; time <= 6; time++) {
    const [stored] = await poolsOf(store)
    expect(stored).toMatchObject({ mapFault: null, reserves: pool.reserves() })
    // The next gap: a position that the node omits while its block is indexed.
    pool.mint(-1200, 1200, BigInt(time) * one)
    market.mine()
    const hidden = chain.blocks().length
    chain.hideLogs((log) => log.block === hidden)
    pool.swapTo(rootPrice(100n + BigInt(time), 100n))
    market.mineMany(1 + confirmations)
    await passSeconds(0.6)
    await expectGap(run)
    chain.hideLogs(() => false)
    await passSeconds(6)
  }
  await run.stop()
})

/** The same node, which takes its time over the logs of single pools. */
const slowReplays = (given: FakeChain, ms: number): FakeChain => ({
  ...given,
  reader: {
    ...given.reader,
    readRangeCrossChecked: async (...request) => {
      if (request[0].from < hiddenBlock) await new Promise((resolve) => setTimeout(resolve, ms))
      return given.reader.readRangeCrossChecked(...request)
    },
  },
})

it('follows the head while a thousand pools wait for their rebuilds', async () => {
  const count = 1_000
  const pairs = Array.from({ length: count }, (_, index) => ({
    token0: apple,
    token1: weth,
    hooks: `0x${(index + 1).toString(16).padStart(36, '0')}0000` as Address,
  }))
  const pools = pairs.map((pair) => market.open('v4', pair, rootPrice(1n)))
  market.mine()
  for (const pool of pools) pool.mint(-6000, 6000, 5n * one)
  market.mine()
  for (const pool of pools) pool.swapTo(rootPrice(101n, 100n))
  market.mineMany(1 + confirmations)
  chain.hideLogs((log) => log.block === hiddenBlock)
  const run = await startTestIndexer({ chain: slowReplays(chain, 100), store })
  await passSeconds(0.1)
  expect((await poolsOf(store)).filter((pool) => pool.mapFault === 'index_gap').length).toBe(count)
  chain.hideLogs(() => false)
  const rebuilt = () => run.journal.count('Rebuilt pool from its logs')
  for (let second = 0; second < 30; second++) {
    market.mine()
    await passSeconds(1)
    const header = await store.snapshot((snapshot) => snapshot.header())
    const confirmed = chain.blocks().length - confirmations
    expect(confirmed - (header?.cursor?.block ?? 0)).toBeLessThanOrEqual(1)
  }
  expect(rebuilt()).toBeGreaterThan(100)
  await passSeconds(180)
  expect(rebuilt()).toBe(count)
  expect((await poolsOf(store)).every((pool) => pool.mapFault === null)).toBe(true)
  await run.stop()
})
