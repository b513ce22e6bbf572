import { beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '../../../test/store-contract/fixtures.ts'
import { poolOf, rootPrice, tokens } from '../../../test/support/domain/sample-market.ts'
import { blockTs } from '../../../test/support/indexer/long-chain.ts'
import {
  createRandom,
  createSampleWorld,
  type ManualIndexer,
  openMemoryStore,
  origin,
  rowsOf,
  type SampleWorld,
  simulateActivity,
  startManualIndexer,
  ticksOf,
  withoutYields,
} from '../../../test/support/indexer/sample-world.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'

const never = 10_000_000
const last = 120_000

/** A chain of nearly three days, of which two are the history. */
const createPast = (): SampleWorld => {
  const world = createSampleWorld()
  const pools: Parameters<typeof simulateActivity>[2] = []
  simulateActivity(world, { from: origin, to: last, acts: 600 }, pools)
  return world
}

const finish = async (running: ManualIndexer): Promise<void> => {
  expect(await running.follow()).toBe(true)
  expect(await running.backfill()).toBe(true)
}

const readBlockByBlock = async ({ chain }: SampleWorld): Promise<Store> => {
  const running = await startManualIndexer(chain, { bootstrapBlocksMin: never })
  expect(await running.follow()).toBe(true)
  return running.store
}

/** What both ways must agree on: buckets and swaps from the first whole day of the history on. */
const comparable = async (store: Store, fromTs: number) => {
  const { pools, swaps, candles, header } = withoutYields(await rowsOf(store))
  return {
    indexed: header?.cursor,
    pools: pools.map(({ lastHotTs: _, ...pool }) => pool),
    ticks: await ticksOf(store),
    swaps: swaps.filter(({ ts }) => ts >= fromTs),
    candles: candles.filter(
      ({ ts, swaps: count, width }) => count > 0 && ts >= Math.ceil(fromTs / width) * width,
    ),
  }
}

const expectSame = async (one: Store, other: Store): Promise<void> => {
  const header = (await rowsOf(one)).header
  const fromTs = blockTs((header?.backfillCursor?.firstBlock ?? 0) + 30)
  expect(await comparable(one, fromTs)).toEqual(await comparable(other, fromTs))
}

/** Restarts after this many steps, with nothing but the store. */
const readInterrupted = async ({ chain }: SampleWorld, stepsMax: number): Promise<Store> => {
  const store = openMemoryStore()
  let isDone = false
  for (let runs = 0; !isDone; runs++) {
    expect(runs).toBeLessThan(200)
    const running = await startManualIndexer(chain, { bootstrapBlocksMin: 1000, store })
    const isFollowed = await running.follow(stepsMax)
    isDone = isFollowed && (await running.backfill(stepsMax))
  }
  return store
}

describe('the bootstrap of a long chain', () => {
  let world: SampleWorld
  let simple: Store
  beforeAll(async () => {
    world = createPast()
    simple = await readBlockByBlock(world)
  })

  test('ends with the rows that reading block by block has', async () => {
    const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: 1000 })
    await finish(running)
    await expectSame(running.store, simple)
  })

  test('shows the pools before their swaps, and says what is missing', async () => {
    const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: 1000 })
    expect(await running.follow()).toBe(true)
    const { header, pools, swaps } = await rowsOf(running.store)
    const known = await rowsOf(simple)
    const states = (rows: typeof pools) =>
      rows.map(({ id, price, liquidity, reserves }) => ({ id, price, liquidity, reserves }))
    expect(states(pools)).toEqual(states(known.pools))
    expect(swaps).toEqual([])
    expect(pools.every(({ lastSwapTs }) => lastSwapTs === null)).toBe(true)
    expect(header?.backfillCursor).toMatchObject({
      startedAt: last - 5,
      completeAfter: { block: last - 5 },
      lastPoolNumber: 6,
    })
    expect(header?.progress).toMatchObject({ phase: 'swaps', done: 0 })
    const phases = [...new Set(running.progress.map(({ phase }) => phase))]
    expect(phases).toEqual(['discover', 'liquidity', 'state'])
  })

  test.each([1, 2, 3])('resumes when it is interrupted every %d steps', async (steps) => {
    // The undrawn part of a bucket is all that an interruption may lose: its reserves.
    const bare = async (store: Store) => {
      const { candles, ...rest } = await comparable(store, blockTs(33_700))
      return { ...rest, candles: candles.map(({ reserve0: _, reserve1: __, ...row }) => row) }
    }
    expect(await bare(await readInterrupted(world, steps))).toEqual(await bare(simple))
  })

  test('follows the head during the backfill, without a gap between them', async () => {
    const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: 1000 })
    const { node } = world.chain
    node.head = 100_000
    expect(await running.follow()).toBe(true)
    for (const head of [104_000, 109_000, 114_000, last]) {
      await running.backfill(2)
      node.head = head
      expect(await running.follow()).toBe(true)
    }
    expect(await running.backfill()).toBe(true)
    expect((await rowsOf(running.store)).header?.progress.phase).toBe('done')
    await expectSame(running.store, simple)
  })

  test.each([
    ['answers no more than 20 logs at once', { logsMax: 20 }],
    ['fails a third of all questions', { every: 3, kind: 'timeout' }],
    ['refuses half of all questions for its rate', { every: 2, kind: 'rate-limited' }],
  ] as const)('loses nothing to a node that %s', async (_, manners) => {
    const { node } = world.chain
    const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: 1000 })
    const below = createRandom(3)
    if ('logsMax' in manners) node.logsMax = manners.logsMax
    else {
      const fault = { kind: manners.kind, retryAfterSeconds: null, detail: '' } as RpcFault
      node.faultOf = () => (below(manners.every) === 0 ? fault : null)
    }
    await finish(running).finally(() => {
      node.logsMax = 10_000
      node.faultOf = () => null
    })
    await expectSame(running.store, simple)
  })

  test('is no longer for a second endpoint that answers but ten blocks at once', async () => {
    const { chain } = world
    const refusal = { kind: 'range-too-large', suggestedBlocks: 10, detail: '' } as const
    const reader: typeof chain.reader = {
      ...chain.reader,
      readRangeCrossChecked: async (range, filter) =>
        range.to - range.from < 10
          ? chain.reader.readRangeCrossChecked(range, filter)
          : { ok: false, fault: refusal },
    }
    const running = await startManualIndexer({ ...chain, reader }, { bootstrapBlocksMin: 1000 })
    chain.asked.length = 0
    await finish(running)
    expect(chain.asked.length).toBeLessThan(1000)
    await expectSame(running.store, simple)
  })

  test('takes newer states where those of its block are forgotten already', async () => {
    const { node } = world.chain
    const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: 1000 })
    node.head = 100_000
    node.stateBlocks = 100
    // Each question for a state finds the chain two hundred blocks further on, three times.
    let moves = 0
    node.faultOf = ({ kind }) => {
      if (kind === 'callContracts' && moves++ < 3) node.head += 200
      return null
    }
    expect(await running.follow(40)).toBe(true)
    node.stateBlocks = 1_000_000
    node.faultOf = () => null
    node.head = last
    await finish(running)
    await expectSame(running.store, simple)
  })
})

/** A chain of many pools that stand still but for a few. */
const createCrowd = (count: number) => {
  const { chain } = createSampleWorld()
  const pools = Array.from({ length: count }, (_, number) => {
    const version = number % 2 === 0 ? 'v3' : 'v4'
    const pair = { token0: tokens.apple, token1: addressOf(0x5000 + number) }
    const pool = poolOf(chain.emit, version, pair)
    chain.deploy(pool)
    pool.create(rootPrice(1n))
    for (let mints = 1; mints <= 4; mints++) pool.mint(-600 * mints, 600 * mints, 10n ** 18n)
    return pool
  })
  chain.mine(5000)
  chain.mine(1_000_000)
  return { chain, pools }
}

describe('many pools', () => {
  test('500 are found, mapped and read in fewer than 60 requests', async () => {
    const { chain } = createCrowd(500)
    const running = await startManualIndexer(chain, { bootstrapBlocksMin: 1000 })
    chain.asked.length = 0
    while ((await rowsOf(running.store)).header?.cursor === null) await running.follow(1)
    expect((await rowsOf(running.store)).pools).toHaveLength(500)
    expect(chain.asked.length).toBeLessThan(60)
  })

  // A node forgets states faster than all can be asked for: those of pools that did not move stay.
  test('are read although the node drops their states in the process', async () => {
    const { chain, pools } = createCrowd(1600)
    const { node } = chain
    node.stateBlocks = 250
    let head = node.head
    node.faultOf = ({ kind }) => {
      if (kind !== 'callContracts') return null
      head += 40
      pools[head % 1600]?.swapTo(rootPrice(BigInt(100 + (head % 7)), 100n))
      chain.mine(head)
      return null
    }
    const running = await startManualIndexer(chain, { bootstrapBlocksMin: 1000 })
    let isIndexed = false
    for (let steps = 0; steps < 60 && !isIndexed; steps++) {
      await running.follow(1)
      isIndexed = running.parts.index.cursor() !== null
    }
    expect(isIndexed).toBe(true)
    node.faultOf = () => null
    expect(await running.follow()).toBe(true)
    chain.mine(head + 10)
    expect(await running.follow()).toBe(true)
    const stored = new Map((await rowsOf(running.store)).pools.map((pool) => [pool.id, pool]))
    for (const pool of pools) {
      const { price, liquidity, reserves, mapFault } = stored.get(pool.id) ?? {}
      expect({ price, liquidity, reserves, mapFault }).toEqual({
        price: pool.price(),
        liquidity: pool.liquidity(),
        reserves: pool.reserves(),
        mapFault: null,
      })
    }
  })
})
