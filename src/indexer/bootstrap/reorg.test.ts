import { describe, expect, test } from 'vitest'
import type { SamplePool } from '../../../test/support/domain/sample-pool.ts'
import { blockTs, type LongChain } from '../../../test/support/indexer/long-chain.ts'
import {
  apple,
  createSampleWorld,
  type ManualIndexer,
  openMemoryStore,
  origin,
  rowsOf,
  simulateActivity,
  startManualIndexer,
  tesla,
  ticksOf,
} from '../../../test/support/indexer/sample-world.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { Store } from '../../ports/store.ts'

// The bootstrap ends at `top`: the backfill reads below it, realtime sync above it.
//
//   ours   ├─── history ───┤ top ├──── followed ────┤
//   fork                   │     └──┬─ above: the branch is replaced
//                          └────────┴─ at or below: the bootstrap starts over
const head = 40_000
const top = head - 5
const last = 40_400

/** Two chains that are one up to the fork; `turn` makes the second one the chain. */
const createFork = (fork: BlockNumber) => {
  const [ours, theirs] = [11, 12].map((seed) => {
    const world = createSampleWorld()
    const pools: SamplePool[] = []
    simulateActivity(world, { from: origin, to: fork - 1, acts: 120 }, pools)
    simulateActivity(world, { from: fork, to: last, acts: 60 }, pools, seed)
    return world.chain
  }) as [LongChain, LongChain]

  const nameOf = (block: BlockNumber, hash: Hash): Hash =>
    block < fork ? hash : `0xf${hash.slice(3)}`
  const renamed: LongChain['reader'] = {
    ...theirs.reader,
    getBlockRef: async (block) => {
      const read = await theirs.reader.getBlockRef(block)
      if (!read.ok) return read
      return { ok: true, value: { ...read.value, hash: nameOf(block, read.value.hash) } }
    },
    getHeads: async () => {
      const read = await theirs.reader.getHeads()
      if (!read.ok) return read
      const { latest, finalized } = read.value
      const hash = nameOf(latest.block, latest.hash)
      return { ok: true, value: { latest: { ...latest, hash }, finalized } }
    },
    readRange: async (range, filter) => {
      const read = await theirs.reader.readRange(range, filter)
      if (!read.ok) return read
      const logs = read.value.logs.map((log) => ({
        ...log,
        blockHash: nameOf(log.block, log.blockHash),
      }))
      const last = { ...read.value.last, hash: nameOf(range.to, read.value.last.hash) }
      const parentHash = nameOf(range.from - 1, read.value.parentHash)
      return { ok: true, value: { logs, last, parentHash } }
    },
    readRangeCrossChecked: async (range, filter) => {
      const read = await renamed.readRange(range, filter)
      return read.ok ? { ok: true, value: { ...read.value, endpointsAgreed: 1 } } : read
    },
  }

  let reader = ours.reader
  const turning = Object.fromEntries(
    Object.keys(reader).map((name) => [
      name,
      (...args: unknown[]) =>
        (reader[name as keyof typeof reader] as (...args: unknown[]) => unknown)(...args),
    ]),
  ) as unknown as LongChain['reader']
  return {
    chain: { ...ours, reader: turning },
    theirs: { ...theirs, reader: renamed },
    reach: (block: BlockNumber): void => {
      ours.node.head = block
      theirs.node.head = block
    },
    turn: (): void => {
      reader = renamed
    },
  }
}

const contentsOf = async (store: Store) => {
  const { header, pools, swaps, candles } = await rowsOf(store)
  const fromTs = blockTs(origin + 5000)
  return {
    indexed: header?.cursor,
    pools: pools.map(({ lastHotTs: _, ...pool }) => pool),
    ticks: await ticksOf(store),
    // What a feed said stays said: prices of a branch that was left may value those of the other.
    swaps: swaps
      .filter(({ ts }) => ts >= fromTs)
      .map(({ usdMicro: _, estimated: __, implausible: ___, feeYield: ____, ...swap }) => swap),
    candles: candles
      .filter(({ ts, swaps: count }) => count > 0 && ts >= fromTs)
      .map(({ usdMicro: _, estimated: __, unpriced: ___, implausible: ____, ...candle }) => candle)
      .map(({ feeYield: _, yielded: __, ...candle }) => candle),
  }
}

const long = { bootstrapBlocksMin: 1000 }

/** Reads up to `top`, fills in the past as far as it is to be, follows a little. */
const beginOn = async (fork: BlockNumber, steps: number) => {
  const forked = createFork(fork)
  forked.reach(head)
  const store = openMemoryStore()
  const running = await startManualIndexer(forked.chain, { ...long, store })
  expect(await running.follow()).toBe(true)
  expect((await rowsOf(store)).header?.backfillCursor?.startedAt).toBe(top)
  await running.backfill(steps)
  forked.reach(head + 200)
  expect(await running.follow()).toBe(true)
  return { ...forked, store, running }
}

const errorsOf = async ({ store }: ManualIndexer) => {
  const sources = await store.snapshot((snapshot) => snapshot.sources())
  return sources.find(({ source }) => source === 'swaps')?.lastError ?? null
}

describe.each([
  ['before the past is filled in', 0],
  ['while the past is filled in', 3],
  ['once the past is filled in', 2000],
])('another branch, %s', (_, steps) => {
  test.each([top + 1, top + 2, top + 90])('from block %d on, above the top', async (fork) => {
    const { running, store, theirs, turn, reach } = await beginOn(fork, steps)
    turn()
    reach(last)
    expect(await running.follow()).toBe(true)
    expect(await running.backfill()).toBe(true)
    const simple = await startManualIndexer(theirs, { bootstrapBlocksMin: 10_000_000 })
    expect(await simple.follow()).toBe(true)
    expect(await contentsOf(store)).toEqual(await contentsOf(simple.store))
  })

  test.each([top, top - 1, top - 90])('from block %d on, not above the top', async (fork) => {
    const { running, store, theirs, turn, reach } = await beginOn(fork, steps)
    const { epoch = 0 } = (await rowsOf(store)).header ?? {}
    turn()
    reach(last)
    // The past may find it out first, and waits for following.
    await running.backfill(3)
    expect(await running.parts.realtimeStep()).toEqual({ waitMs: 1000 })
    expect(await errorsOf(running)).toMatch(/^bootstrap-reorged: bootstrap block 39995 has hash 0x/)
    expect((await rowsOf(store)).header).toMatchObject({ cursor: null, epoch: epoch + 1 })
    await running.backfill(3)
    expect(await running.follow()).toBe(true)
    expect(await running.backfill()).toBe(true)
    expect((await rowsOf(store)).header?.backfillCursor?.startedAt).toBe(last - 5)
    const simple = await startManualIndexer(theirs, { bootstrapBlocksMin: 10_000_000 })
    expect(await simple.follow()).toBe(true)
    expect(await contentsOf(store)).toEqual(await contentsOf(simple.store))
  })

  test('from the top on, is found after a restart, too', async () => {
    const { running, chain, store, theirs, turn, reach } = await beginOn(top, steps)
    turn()
    reach(last)
    await running.backfill(1)
    const restarted = await startManualIndexer(chain, { ...long, store })
    expect(await restarted.follow()).toBe(true)
    expect(await restarted.backfill()).toBe(true)
    const simple = await startManualIndexer(theirs, { bootstrapBlocksMin: 10_000_000 })
    expect(await simple.follow()).toBe(true)
    expect(await contentsOf(store)).toEqual(await contentsOf(simple.store))
  })
})

// What was found on the branch that was left must not meet what is found on the other.
test.each([1, 2, 4, 6])(
  'reads the other branch after a reorg at bootstrap step %d',
  async (steps) => {
    const { chain, theirs, reach, turn } = createFork(top - 90)
    for (const { node } of [chain, theirs]) node.logsMax = 10
    reach(head)
    const running = await startManualIndexer(chain, long)
    expect(await running.follow(steps)).toBe(false)
    expect((await rowsOf(running.store)).header?.cursor).toBe(null)
    turn()
    reach(last)
    expect(await running.follow()).toBe(true)
    expect(await running.backfill()).toBe(true)
    const simple = await startManualIndexer(theirs, { bootstrapBlocksMin: 10_000_000 })
    expect(await simple.follow()).toBe(true)
    expect(await contentsOf(running.store)).toEqual(await contentsOf(simple.store))
  },
)

// Its pools are read from one branch, the index stands on another: they must not meet in the store.
test.each([0, 1, 2, 3])(
  'a stock is listed, and %d steps later the chain changes',
  async (steps) => {
    const { chain, theirs, reach, turn } = createFork(top + 20)
    reach(head)
    const running = await startManualIndexer(chain, { ...long, stocks: [apple] })
    expect(await running.follow()).toBe(true)
    expect(await running.backfill()).toBe(true)
    reach(head + 200)
    expect(await running.follow()).toBe(true)
    running.list(tesla)
    await running.parts.stocks.refresh()
    await running.follow(steps)
    turn()
    reach(last)
    expect(await running.follow()).toBe(true)
    const simple = await startManualIndexer(theirs, { bootstrapBlocksMin: 10_000_000 })
    expect(await simple.follow()).toBe(true)
    const byId = async (store: Store) => {
      const { pools, swaps, ...rest } = await contentsOf(store)
      const own = pools.map(({ number, ...pool }) => ({
        ...pool,
        swaps: swaps.filter((swap) => swap.pool === number).map(({ pool: _, ...swap }) => swap),
      }))
      return { indexed: rest.indexed, pools: own.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
    }
    expect(await byId(running.store)).toEqual(await byId(simple.store))
  },
)
