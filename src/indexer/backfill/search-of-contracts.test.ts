import { beforeAll, describe, expect, test } from 'vitest'
import { tokens, venues } from '../../../test/support/domain/sample-market.ts'
import { factory, manager } from '../../../test/support/domain/sample-pool.ts'
import {
  startingAt,
  v3Venue,
  v4Venue,
  venuesOf,
} from '../../../test/support/domain/sample-venues.ts'
import {
  createSampleWorld,
  openMemoryStore,
  origin,
  rowsOf,
  type SampleWorld,
  simulateActivity,
  startManualIndexer,
} from '../../../test/support/indexer/sample-world.ts'
import { isComplete, type PoolSearch } from '../../domain/status/pool-search.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexedNetwork } from '../deps.ts'
import { createSearchMemory } from './search-memory.ts'

/*
 * A store that an indexer filled with one network file, opened with another. Afterwards it holds
 * what an index holds that had the second file from the beginning.
 */

const never = 10_000_000
const last = 120_000
/** Of the first indexer; the second one begins at `last`. */
const firstHead = 110_000
/** All pools are older. */
const late = 40_000

const trusted = [
  { symbol: 'USDG', address: tokens.usdg, feed: null },
  { symbol: 'WETH', address: tokens.weth, feed: null },
]
const withoutFactory = { venues: startingAt(origin, venuesOf(v4Venue)) }
const withoutManager = { venues: startingAt(origin, venuesOf(v3Venue)) }
const started = (block: number, of = venues) => ({
  origin: block,
  venues: startingAt(block, of),
})

/** What the chain says of pools and swaps; dollars depend on when they were read. */
const digestOf = async (store: Store) => {
  const { pools, swaps } = await rowsOf(store)
  return pools
    .map(({ number, id, liquidity, price, reserves, mapFault }) => {
      const own = swaps.filter(({ pool }) => pool === number).map(({ txHash }) => txHash)
      return { id, liquidity, price, reserves, mapFault, swaps: own.toSorted() }
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

const searchesOf = (store: Store): Promise<readonly PoolSearch[]> =>
  store.snapshot((snapshot) => snapshot.searches())

let world: SampleWorld
let complete: Awaited<ReturnType<typeof digestOf>>

const index = async (
  store: Store,
  head: number,
  network: Partial<IndexedNetwork>,
  bootstrapBlocksMin = never,
): Promise<void> => {
  world.chain.node.head = head
  const running = await startManualIndexer(world.chain, { store, network, bootstrapBlocksMin })
  expect(await running.follow()).toBe(true)
  expect(await running.backfill()).toBe(true)
}

beforeAll(async () => {
  world = createSampleWorld()
  simulateActivity(world, { from: origin, to: last, acts: 400 }, [])
  const store = openMemoryStore()
  await index(store, last, {})
  complete = await digestOf(store)
  expect(complete).toHaveLength(6)
})

describe.each([
  ['that was followed from its first block', never],
  ['that was bootstrapped', 1000],
])('a store %s gets the older pools', (_, bootstrapBlocksMin) => {
  test.each<readonly [string, Partial<IndexedNetwork>]>([
    ['of a new factory', withoutFactory],
    ['of a new PoolManager', withoutManager],
    ['between a new trusted token and another', { trusted: trusted.slice(1) }],
    ['of venues whose start block was lowered', started(late)],
    ['of all of these', { ...started(late, withoutFactory.venues), trusted: trusted.slice(1) }],
  ])('%s', async (__, before) => {
    const store = openMemoryStore()
    await index(store, firstHead, before, bootstrapBlocksMin)
    expect((await rowsOf(store)).pools.length).toBeLessThan(6)
    await index(store, last, {}, bootstrapBlocksMin)
    const ids = (rows: typeof complete) => rows.map(({ swaps: ___, ...row }) => row)
    expect(ids(await digestOf(store))).toEqual(ids(complete))
    expect((await searchesOf(store)).every(isComplete)).toBe(true)
    const { epoch } = (await rowsOf(store)).header ?? {}
    // The next start finds nothing to search.
    await index(store, last, {}, bootstrapBlocksMin)
    expect((await rowsOf(store)).header?.epoch).toBe(epoch)
  })
})

test('swaps of found pools are stored as if they had been there from the beginning', async () => {
  const store = openMemoryStore()
  await index(store, firstHead, withoutFactory)
  await index(store, last, {})
  const recent = (await digestOf(store)).flatMap(({ swaps }) => swaps)
  expect(recent.length).toBeGreaterThan(100)
  const all = new Set(complete.flatMap(({ swaps }) => swaps))
  expect(recent.filter((hash) => !all.has(hash))).toEqual([])
})

describe('a store of an earlier version, which remembers stocks only,', () => {
  const forgetContracts = async (store: Store): Promise<void> => {
    const others = (await searchesOf(store)).filter(({ kind }) => kind !== 'stock')
    await store.forgetSearches(others.map(({ address }) => address))
  }

  test('is searched for everything once, which finds what it lacked', async () => {
    const store = openMemoryStore()
    await index(store, firstHead, withoutFactory)
    await forgetContracts(store)
    await index(store, last, {})
    expect((await digestOf(store)).map(({ id }) => id)).toEqual(complete.map(({ id }) => id))
    expect((await searchesOf(store)).map(({ address }) => address)).toContain(factory)
  })

  test('keeps its pools and swaps if it lacked nothing', async () => {
    const store = openMemoryStore()
    await index(store, last, {})
    await forgetContracts(store)
    await index(store, last, {})
    expect(await digestOf(store)).toEqual(complete)
  })
})

test('a venue that is removed and added again is searched again', async () => {
  const store = openMemoryStore()
  await index(store, 2_000, {})
  const early = (await rowsOf(store)).pools.length
  await index(store, firstHead, withoutFactory)
  expect((await searchesOf(store)).map(({ address }) => address)).not.toContain(factory)
  expect((await rowsOf(store)).pools.length).toBeGreaterThanOrEqual(early)
  await index(store, last, {})
  expect((await digestOf(store)).map(({ id }) => id)).toEqual(complete.map(({ id }) => id))
})

test('an interrupted search starts again, and the store says what is searched', async () => {
  const store = openMemoryStore()
  const { node } = world.chain
  await index(store, firstHead, withoutFactory)
  const running = await startManualIndexer(world.chain, { store, bootstrapBlocksMin: never })
  node.logsMax = 2
  await running.parts.realtimeStep()
  const searching = (await searchesOf(store)).filter((search) => !isComplete(search))
  expect(searching).toMatchObject([{ address: factory, kind: 'venue', fromBlock: origin }])
  expect(searching[0]?.total).toBe(firstHead - 5 - origin + 1)
  node.logsMax = 10_000
  await index(store, last, {})
  expect((await digestOf(store)).map(({ id }) => id)).toEqual(complete.map(({ id }) => id))
})

test('realtime sync continues during a long search', async () => {
  const store = openMemoryStore()
  const { node } = world.chain
  await index(store, firstHead, withoutManager)
  node.head = last
  const running = await startManualIndexer(world.chain, { store, bootstrapBlocksMin: never })
  node.logsMax = 2
  let isBeside = false
  for (let turns = 0; turns < 3_000 && !isBeside; turns++) {
    await running.follow(1)
    const isSearching = (await searchesOf(store)).some((search) => !isComplete(search))
    isBeside = isSearching && (running.parts.index.cursor()?.block ?? 0) > firstHead
  }
  node.logsMax = 10_000
  expect(isBeside).toBe(true)
})

test('a stock that was disproven and is verified later is searched again', async () => {
  const store = openMemoryStore()
  await store.claim({ chainId: 1, network: 'sample', originHash: null }, 0)
  const stock = { address: tokens.apple, kind: 'stock' as const, fromBlock: 1 }
  const venue = { address: manager, kind: 'venue' as const, fromBlock: 1 }
  let targets = [venue, stock]
  const memory = createSearchMemory({ store, clock: { now: () => 9 }, scope: () => targets })
  expect(await memory.readMissing()).toEqual(targets)
  await memory.record(targets.map((target) => ({ ...target, done: 5, total: 5 })))
  expect(await memory.readMissing()).toEqual([])
  targets = [venue]
  expect(await memory.readMissing()).toEqual([])
  targets = [venue, stock]
  expect(await memory.readMissing()).toEqual([stock])
  memory.reset()
  expect(await memory.readMissing()).toEqual([stock])
})
