import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createSampleIndex,
  decimalsOf,
  rootPrice,
  tokens,
  venues,
} from '../../../test/support/domain/sample-market.ts'
import { keccak } from '../../../test/support/domain/sample-pool.ts'
import { createFakeChain, type FakeChain } from '../../../test/support/indexer/fake-chain.ts'
import { createJournal } from '../../../test/support/indexer/journal.ts'
import { createMarket, type Market, one } from '../../../test/support/indexer/market.ts'
import { openClaimedStore, poolsOf } from '../../../test/support/indexer/stored.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import { createReferenceHistory } from '../../domain/price/reference-history.ts'
import type { Store } from '../../ports/store.ts'
import type { RangeBatch } from '../../ports/store-batches.ts'
import { createChainlinkFeeds } from '../chainlink-history.ts'
import { createIndexerEvents } from '../events.ts'
import { createIndexState } from './index-state.ts'

const { apple, weth } = tokens

let store: Store
let chain: FakeChain
let market: Market
beforeEach(async () => {
  store = await openClaimedStore()
  chain = createFakeChain()
  market = createMarket(chain)
})
afterEach(() => store.close())

/** An index over the sample store, whose commits may be made to end otherwise. */
const createSample = () => {
  let commit: Store['commitRange'] = store.commitRange
  const ingested: number[] = []
  const loaded: (readonly TrackedPool[])[] = []
  const events = createIndexerEvents()
  events.on('rangeIngested', (result) => ingested.push(result.swaps.length))
  events.on('poolLoaded', (pool) => loaded.push([pool]))
  const recorded: (readonly [number, number])[] = []
  events.on('depthsRecorded', (done, total) => recorded.push([done, total]))
  const index = createIndexState({
    store: { ...store, commitRange: (batch: RangeBatch) => commit(batch) },
    roles: createSampleIndex().roles,
    venues,
    keccak256: keccak,
    random: Math.random,
    references: createReferenceHistory(),
    feeds: createChainlinkFeeds({
      chain: chain.reader,
      logger: createJournal().logger,
      quoteRequests: () => [],
    }),
    decimalsOf,
    reviewedHooks: new Map(),
    events,
  })
  /** Folds the last block that was mined, and begins to write it. */
  const begin = (copyOf: (log: ChainLog) => ChainLog = (log) => log) => {
    const last = chain.blocks().at(-1)
    if (last === undefined) throw new Error('no block')
    const progress = { phase: 'done', done: 1, total: 1 } as const
    return index.ingestRange(last.logs.map(copyOf), {
      to: last.blockRef,
      head: last.blockRef,
      progress,
    })
  }
  /** Advances over the last block that was mined. */
  const advance = async () => {
    await begin()
    return index.flush()
  }
  return {
    index,
    begin,
    advance,
    ingested,
    loaded,
    recorded,
    commitBy: (next: Store['commitRange']) => {
      commit = next
    },
  }
}

/** A pool that was created and provided for in block 1, which is indexed. */
const createIndexed = async () => {
  const sample = createSample()
  const pool = market.open('v3', { token0: apple, token1: weth }, rootPrice(1n))
  pool.mint(-6000, 6000, one)
  market.mine()
  expect(await sample.advance()).toBe('committed')
  const swapUp = () => {
    pool.swapTo(rootPrice(101n, 100n))
    return market.mine()
  }
  const tick = () => sample.index.pools().byId(pool.id)?.state.price?.tick
  return { ...sample, pool, swapUp, tick }
}

describe('a store of a version without depths', () => {
  it('gets the depths of its pools by the first load, and nothing by the second', async () => {
    const { pool, index, recorded } = await createIndexed()
    expect(pool.depth().amount0).toBeGreaterThan(0n)
    const [indexed] = [...index.pools().all()]
    if (indexed === undefined) throw new Error('no pool')
    const { number } = indexed.identity
    const old = { ...indexed.state, depth: null }
    await store.replaceTickMap(number, old, toStoredTicks(indexed))

    await index.load()
    expect(index.pools().byNumber(number)?.state.depth).toEqual(pool.depth())
    expect(await poolsOf(store)).toMatchObject([{ ...old, depth: pool.depth() }])
    const header = await store.snapshot((snapshot) => snapshot.header())
    await index.load()
    expect(await store.snapshot((snapshot) => snapshot.header())).toEqual(header)
    expect(recorded).toEqual([[1, 1]])
  })
})

describe('the index', () => {
  it('is at the block that was committed, and at the same after it was loaded', async () => {
    const { index, advance, swapUp, tick, ingested } = await createIndexed()
    const to = swapUp()
    expect(await advance()).toBe('committed')
    expect([index.cursor(), tick()]).toEqual([to, 199])
    expect(ingested).toEqual([0, 1])
    const pools = [...index.pools().all()]
    await index.load()
    expect([index.cursor(), tick()]).toEqual([to, 199])
    expect([...index.pools().all()]).toEqual(pools)
  })

  it('has pools and block of one moment while a commit is under way', async () => {
    const { index, advance, swapUp, tick } = await createIndexed()
    const to = swapUp()
    const advancing = advance()
    expect([index.cursor(), tick()]).toEqual([to, 199])
    await advancing
  })

  it('lets go of logs that are no news as soon as they are folded', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const { index, begin, swapUp, commitBy, ingested } = await createIndexed()
    const { promise: written, resolve: end } = Promise.withResolvers<void>()
    commitBy(async (batch) => {
      await written
      return store.commitRange(batch)
    })
    swapUp()
    const folded: WeakRef<object>[] = []
    await begin((log) => {
      const copy = { ...log }
      folded.push(new WeakRef(copy))
      return copy
    })
    // Until a job of the event loop is over, what it made is held.
    await nextTurn()
    collect()
    expect(folded.map((log) => log.deref())).toEqual([undefined])
    expect(ingested).toEqual([0])
    end()
    expect(await index.flush()).toBe('committed')
    expect(ingested).toEqual([0, 1])
  })

  it('is what the store says after a commit that failed', async () => {
    const { index, advance, swapUp, tick, commitBy, ingested } = await createIndexed()
    swapUp()
    commitBy(async () => {
      throw new Error('the disk is full')
    })
    await expect(advance()).rejects.toThrow('the disk is full')
    expect([index.cursor()?.block, tick()]).toEqual([1, 0])
    commitBy(store.commitRange)
    expect(await advance()).toBe('committed')
    expect([index.cursor()?.block, tick()]).toEqual([2, 199])
    expect(ingested).toEqual([0, 1])
  })

  /*
   *     fold      2 |    3 |       4 |
   *     write       | 2    | 3       | 4
   */
  it('folds a range while the one before is written, and writes one at a time', async () => {
    const { begin, index, swapUp, tick, commitBy, ingested } = await createIndexed()
    const writing: (() => void)[] = []
    commitBy(async (batch) => {
      await new Promise<void>((resolve) => writing.push(resolve))
      return store.commitRange(batch)
    })
    swapUp()
    expect(await begin()).toBe('committed')
    const to = swapUp()
    let isBegun = false
    const second = begin().then(() => {
      isBegun = true
    })
    expect([index.cursor(), tick()]).toEqual([to, 199])
    expect([writing.length, isBegun, ingested]).toEqual([1, false, [0]])
    writing[0]?.()
    await second
    expect([writing.length, ingested]).toEqual([2, [0, 1]])
    writing[1]?.()
    expect(await index.flush()).toBe('committed')
    expect(ingested).toEqual([0, 1, 1])
  })

  it.each([
    ['before', 'a commit fails', 'rejects'],
    ['after', 'a commit fails', 'rejects'],
    ['before', 'another writer was there', 'resolves'],
    ['after', 'another writer was there', 'resolves'],
  ] as const)('forgets what it folded %s it heard that %s', async (when, what, ends) => {
    const { begin, advance, index, swapUp, tick, commitBy, ingested } = await createIndexed()
    const commit = Promise.withResolvers<'stale-cursor'>()
    commitBy(() => commit.promise)
    const end = () =>
      what === 'a commit fails'
        ? commit.reject(new Error('no room'))
        : commit.resolve('stale-cursor')
    const first = swapUp()
    await begin()
    const second = swapUp()
    if (when === 'after') {
      end()
      while (index.cursor()?.block === first.block) await new Promise(setImmediate)
    }
    const outcome = begin()
    if (when === 'before') {
      expect(index.cursor()).toEqual(second)
      end()
    }
    if (ends === 'rejects') await expect(outcome).rejects.toThrow('no room')
    else expect(await outcome).toBe('stale-cursor')
    expect([index.cursor()?.block, tick(), ingested]).toEqual([1, 0, [0]])
    commitBy(store.commitRange)
    expect(await advance()).toBe('committed')
    expect([index.cursor(), tick()]).toEqual([second, 199])
  })

  it('is what the store says when its own cursor is stale', async () => {
    const { index, advance, swapUp, tick, commitBy, ingested, loaded } = await createIndexed()
    swapUp()
    commitBy(async () => 'stale-cursor')
    expect(await advance()).toBe('stale-cursor')
    expect([index.cursor()?.block, tick()]).toEqual([1, 0])
    expect(ingested).toEqual([0])
    expect(loaded).toMatchObject([[{ identity: { number: 1 } }]])
  })

  it('says that a pool has a gap whose stored ticks make no map', async () => {
    const { index, pool } = await createIndexed()
    const stored = index.pools().byNumber(1)
    if (stored === undefined) throw new Error('no pool')
    await store.replaceTickMap(1, stored.state, [{ pool: 1, tick: 60, net: 5n, gross: 5n }])
    await index.load()
    expect(index.pools().byId(pool.id)).toMatchObject({
      state: { mapFault: 'index_gap', reserves: null, price: pool.price() },
      tickMap: { ticks: [] },
    })
  })
})
