import { beforeAll, describe, expect, test } from 'vitest'
import { tokens } from '../../../test/support/domain/sample-market.ts'
import { blockTs } from '../../../test/support/indexer/long-chain.ts'
import {
  apple,
  createSampleWorld,
  type ManualIndexer,
  origin,
  rowsOf,
  type SampleWorld,
  simulateActivity,
  startManualIndexer,
  tesla,
  withoutYields,
} from '../../../test/support/indexer/sample-world.ts'
import type { PoolKey } from '../../domain/pool/pool-event.ts'
import { isComplete } from '../../domain/status/pool-search.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { Store } from '../../ports/store.ts'

const never = 10_000_000
const last = 120_000

/** A chain of nearly three days, of which two are the history. */
const createPast = (): SampleWorld => {
  const world = createSampleWorld()
  simulateActivity(world, { from: origin, to: last, acts: 400 }, [])
  return world
}

const isBoth = ({ token0, token1 }: PoolKey) => token0 === tokens.apple && token1 === tokens.tesla

/** Pool numbers only show in which order the pools were added. */
const byId = async (store: Store) => {
  const { pools, swaps } = withoutYields(await rowsOf(store))
  const fromTs = blockTs(last) - 86_400
  return pools
    .map(({ number, lastHotTs: _, ...pool }) => ({
      ...pool,
      swaps: swaps
        .filter((swap) => swap.pool === number && swap.ts > fromTs)
        // What was valued while the other side was no stock yet stays valued so.
        .map(({ pool: __, usdMicro, estimated, implausible, ...swap }) => ({
          ...swap,
          ...(isBoth(pool.key) ? {} : { usdMicro, estimated, implausible }),
        })),
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

const finish = async (running: ManualIndexer): Promise<void> => {
  expect(await running.follow()).toBe(true)
  expect(await running.backfill()).toBe(true)
}

/** The stock is in the registry, which is read; whether the chain answers or not. */
const list = async (running: ManualIndexer): Promise<void> => {
  running.list(tesla)
  await running.parts.stocks.refresh()
}

/** The stocks whose pools are all stored. */
const searchedOf = async (store: Store) => {
  const searches = await store.snapshot((snapshot) => snapshot.searches())
  return searches.filter((search) => search.kind === 'stock' && isComplete(search))
}

const down: RpcFault = { kind: 'unreachable', detail: 'connection refused' }

describe('a stock that is listed at run time', () => {
  let world: SampleWorld
  let simple: Awaited<ReturnType<typeof byId>>

  beforeAll(async () => {
    world = createPast()
    const running = await startManualIndexer(world.chain, { bootstrapBlocksMin: never })
    expect(await running.follow()).toBe(true)
    simple = await byId(running.store)
  })

  const young = async (bootstrapBlocksMin: number): Promise<ManualIndexer> => {
    world.chain.node.head = 110_000
    return startManualIndexer(world.chain, { stocks: [apple], bootstrapBlocksMin })
  }

  test.each([
    ['a chain that was read block by block', never],
    ['a long chain', 1000],
  ])('brings its pools with their past: on %s', async (_, bootstrapBlocksMin) => {
    const running = await young(bootstrapBlocksMin)
    await finish(running)
    await list(running)
    world.chain.node.head = last
    await finish(running)
    expect(await byId(running.store)).toEqual(simple)
    const { header } = await rowsOf(running.store)
    expect(header?.epoch).toBe(1)
  })

  test.each([1, 2, 3, 4])('while the bootstrap is at step %d', async (steps) => {
    const { node } = world.chain
    node.logsMax = 40
    const running = await young(1000)
    await running.follow(steps)
    expect((await rowsOf(running.store)).header?.cursor).toBe(null)
    await list(running)
    node.head = last
    await finish(running)
    node.logsMax = 10_000
    expect(await byId(running.store)).toEqual(simple)
    expect(await searchedOf(running.store)).toHaveLength(2)
  })

  test.each([0, 1, 3])('while the backfill runs, after %d ranges', async (steps) => {
    const running = await young(1000)
    expect(await running.follow()).toBe(true)
    await running.backfill(steps)
    await list(running)
    // One as the other: what the two loops do comes in any order.
    for (let turns = 0; turns < 8; turns++) {
      await running.follow(2)
      await running.backfill(1)
    }
    world.chain.node.head = last
    await finish(running)
    expect(await byId(running.store)).toEqual(simple)
    expect((await rowsOf(running.store)).header?.progress.phase).toBe('done')
  })

  test('while no endpoint answers', async () => {
    const { node } = world.chain
    const running = await young(1000)
    await finish(running)
    const before = await byId(running.store)
    node.faultOf = () => down
    await list(running)
    for (let tries = 0; tries < 5; tries++) {
      expect(await running.parts.realtimeStep()).toEqual({ waitMs: 1000 })
    }
    expect(await byId(running.store)).toEqual(before)
    node.faultOf = () => null
    node.head = last
    await finish(running)
    expect((await byId(running.store)).map(({ id }) => id)).toEqual(simple.map(({ id }) => id))
    await list(running)
    await finish(running)
    expect(await byId(running.store)).toEqual(simple)
  })

  test('a node that refuses to search for it does not keep the index from following', async () => {
    const { node } = world.chain
    const running = await young(1000)
    await finish(running)
    await list(running)
    // The topics of creation by a stock's address; what is followed has none at these places.
    node.faultOf = ({ kind, filter }) =>
      kind === 'logs' && (filter?.topics.length ?? 0) > 2
        ? { kind: 'rejected', detail: 'too many topics' }
        : null
    node.head = last
    expect(await running.follow()).toBe(true)
    expect((await rowsOf(running.store)).header?.cursor?.block).toBe(last - 5)
    expect(await searchedOf(running.store)).toHaveLength(1)
    node.faultOf = () => null
    for (let turns = 0; turns < 3; turns++) await finish(running)
    expect((await byId(running.store)).map(({ id, liquidity }) => ({ id, liquidity }))).toEqual(
      simple.map(({ id, liquidity }) => ({ id, liquidity })),
    )
  })

  test('what is long under way lets the index follow, and catches up with it', async () => {
    const { node } = world.chain
    const running = await young(1000)
    await finish(running)
    await list(running)
    // Every range is a little one: the search alone takes hundreds of them.
    node.logsMax = 2
    node.head = last
    let isBeside = false
    for (let turns = 0; turns < 3000; turns++) {
      const before = (await searchedOf(running.store)).length
      await running.follow(1)
      const indexed = running.parts.index.cursor()?.block ?? 0
      if (before === 1 && indexed > 110_000) isBeside = true
      if ((await searchedOf(running.store)).length === 2) break
    }
    node.logsMax = 10_000
    expect(isBeside).toBe(true)
    await finish(running)
    expect((await byId(running.store)).map(({ id, liquidity }) => ({ id, liquidity }))).toEqual(
      simple.map(({ id, liquidity }) => ({ id, liquidity })),
    )
  })
})
