import { describe, expect, test } from 'vitest'
import { unknownState } from '../../src/domain/pool/pool-state.ts'
import type { BootstrapBatch, PoolSeedBatch } from '../../src/ports/store-batches.ts'
import type { OpenBench } from './bench.ts'
import {
  batchOf,
  blockRefAt,
  candleAt,
  contentsOf,
  day,
  identityOf,
  pointAt,
  searchOf,
  stateOf,
  swapAt,
} from './fixtures.ts'

const withoutState = (pool: number) => ({ pool, state: unknownState })

const readingOf = (before: number, rest: Partial<BootstrapBatch> = {}): BootstrapBatch => ({
  expectedSteps: before,
  to: blockRefAt(100),
  discoveredTo: 100,
  searches: [searchOf(9)],
  progress: { phase: 'discover', done: before + 1, total: 9 },
  pools: [],
  states: [],
  ticks: [],
  tickMapCursors: [],
  ...rest,
})

const found = readingOf(0, {
  pools: [identityOf(1), identityOf(2)],
  states: [withoutState(1), withoutState(2)],
})

const mapped = readingOf(1, {
  ticks: [
    { pool: 1, tick: -60, net: 10n, gross: 10n },
    { pool: 1, tick: 60, net: -10n, gross: 10n },
  ],
  tickMapCursors: [
    { pool: 1, mappedTo: 100 },
    { pool: 2, mappedTo: 80 },
  ],
})

const adoption: PoolSeedBatch = {
  expectedCursor: null,
  at: blockRefAt(100),
  head: blockRefAt(120),
  progress: { phase: 'swaps', done: 0, total: 50 },
  backfillCursor: {
    completeAfter: blockRefAt(100),
    firstBlock: 51,
    startedAt: 100,
    lastPoolNumber: 2,
  },
  searches: [searchOf(9)],
  blocks: [],
  pools: [],
  states: [1, 2].map((pool) => ({ pool, state: stateOf(10n) })),
  ticks: [],
  swaps: [],
  liquidity: [],
  candles: [],
  references: [],
}

const describeSteps = (open: OpenBench): void => {
  test('pools are visible from the step that discovers them', async () => {
    const { store } = await open()
    expect(await store.readBootstrap()).toBe(null)
    expect(await store.commitBootstrap(found)).toBe('committed')
    const { header, pools } = await contentsOf(store)
    expect(header).toMatchObject({ cursor: null, progress: found.progress })
    expect(pools).toEqual(
      [1, 2].map((number) => expect.objectContaining({ number, ...unknownState })),
    )
    expect(await store.snapshot((snapshot) => snapshot.searches())).toEqual([searchOf(9)])
  })

  test('the last value of each field counts', async () => {
    const { store } = await open()
    await store.commitBootstrap(found)
    await store.commitBootstrap(mapped)
    const later = {
      tickMapCursors: [{ pool: 2, mappedTo: 110 }],
      to: blockRefAt(110),
      discoveredTo: 105,
    }
    const ticks = [{ pool: 1, tick: 60, net: 0n, gross: 0n }]
    expect(await store.commitBootstrap(readingOf(2, { ...later, ticks }))).toBe('committed')
    expect(await store.readBootstrap()).toEqual({
      steps: 3,
      to: blockRefAt(110),
      discoveredTo: 105,
      tickMapCursors: [
        { pool: 1, mappedTo: 100 },
        { pool: 2, mappedTo: 110 },
      ],
    })
    expect((await contentsOf(store)).ticks).toEqual(mapped.ticks.slice(0, 1))
  })

  test.each([
    ['a second time', found],
    ['after one that is missing', readingOf(2)],
  ])('rejects a step %s', async (_, batch) => {
    const { store } = await open()
    await store.commitBootstrap(found)
    const before = await contentsOf(store)
    expect(await store.commitBootstrap(batch)).toBe('stale-cursor')
    expect(await contentsOf(store)).toEqual(before)
  })

  test('rejects steps once a block is indexed', async () => {
    const { store } = await open()
    await store.commitRange(batchOf({ before: null, to: 100 }))
    expect(await store.commitBootstrap(found)).toBe('stale-cursor')
  })
}

const describeEnd = (open: OpenBench): void => {
  test('an adoption ends the bootstrap and sets its pools to their block', async () => {
    const { store } = await open()
    await store.commitBootstrap(found)
    await store.commitBootstrap(mapped)
    expect(await store.seedPools(adoption)).toBe('committed')
    expect(await store.readBootstrap()).toBe(null)
    const { header, pools, ticks } = await contentsOf(store)
    expect(header).toMatchObject({
      cursor: blockRefAt(100),
      backfillCursor: adoption.backfillCursor,
    })
    expect(pools.map(({ liquidity, mapFault }) => ({ liquidity, mapFault }))).toEqual(
      [1, 2].map(() => ({ liquidity: 10n, mapFault: null })),
    )
    expect(ticks).toEqual(mapped.ticks)
  })

  test.each([
    ['the bootstrap has advanced since then', { to: blockRefAt(110), discoveredTo: 110 }],
    ['pools of the last blocks are missing', { discoveredTo: 90 }],
    ['it belongs to another branch', { to: blockRefAt(100, 1) }],
  ])('an adoption is stale if %s', async (_, rest) => {
    const { store } = await open()
    await store.commitBootstrap(found)
    await store.commitBootstrap(readingOf(1, rest))
    const before = await contentsOf(store)
    expect(await store.seedPools(adoption)).toBe('stale-cursor')
    expect(await contentsOf(store)).toEqual(before)
  })

  test('dropping it leaves an empty store whose epoch makes readers start again', async () => {
    const { store } = await open()
    const epoch = (await contentsOf(store)).header?.epoch ?? 0
    await store.commitBootstrap(found)
    await store.commitBootstrap(mapped)
    await store.recordCoverage({ checkedTs: day, checked: 3, missing: 0 })
    await store.recordCoveragePass({ scannedTo: 9, venues: [] })
    expect(await store.resetIndex(null)).toBe('committed')
    const { header, pools, ticks } = await contentsOf(store)
    expect({ pools, ticks, reading: await store.readBootstrap() }).toEqual({
      pools: [],
      ticks: [],
      reading: null,
    })
    expect(header).toMatchObject({
      ...{ epoch: epoch + 1, cursor: null, coverage: null, coveragePass: null },
    })
    expect(await store.snapshot((snapshot) => snapshot.searches())).toEqual([])
    expect(await store.commitBootstrap(found)).toBe('committed')
  })

  test('dropping it after its end removes all later data except prices', async () => {
    const { store } = await open()
    await store.commitBootstrap(found)
    await store.seedPools(adoption)
    const { epoch = 0 } = (await contentsOf(store)).header ?? {}
    const point = pointAt(day, 2)
    const since = {
      blocks: [blockRefAt(105)],
      swaps: [swapAt({ pool: 1, block: 105 })],
      candles: [candleAt({ pool: 1, width: 60, ts: day })],
      references: [point],
    }
    await store.commitRange(batchOf({ before: 100, to: 110 }, since))
    expect(await store.resetIndex(blockRefAt(110))).toBe('committed')
    const { header, pools, volume, ticks } = await contentsOf(store)
    expect({ pools, volume, ticks }).toEqual({ pools: [], volume: [], ticks: [] })
    const nothing = { cursor: null, head: null, backfillCursor: null, finalizedCursor: null }
    expect(header).toMatchObject({ ...nothing, epoch: epoch + 1 })
    const held = await store.readEvents({ from: 0, to: 1000 })
    expect(held).toEqual({ blocks: [], pools: [], swaps: [], liquidity: [] })
    const span = { width: 60, fromTs: day, toTs: day } as const
    const rows = await store.snapshot(async (snapshot) => ({
      candles: (await snapshot.candles({ ...span, pool: 1 })).rows,
      points: (await snapshot.references({ ...span, address: point.address })).rows,
    }))
    expect(rows).toEqual({ candles: [], points: [point] })
    expect(await store.commitBootstrap(found)).toBe('committed')
  })

  test.each([
    ['a block other than the cursor', blockRefAt(100, 1)],
    ['a finished bootstrap', null],
  ])('is not dropped for %s', async (_, indexed) => {
    const { store } = await open()
    await store.commitBootstrap(found)
    await store.seedPools(adoption)
    const before = await contentsOf(store)
    expect(await store.resetIndex(indexed)).toBe('stale-cursor')
    expect(await contentsOf(store)).toEqual(before)
  })

  test('is not dropped once a block is finalized', async () => {
    const { store } = await open()
    await store.commitBootstrap(found)
    await store.seedPools(adoption)
    await store.commitRange(batchOf({ before: 100, to: 110 }))
    await store.advanceFinalized({ expectedCursor: null, to: blockRefAt(105), crossChecked: false })
    const before = await contentsOf(store)
    expect(await store.resetIndex(blockRefAt(110))).toBe('stale-cursor')
    expect(await contentsOf(store)).toEqual(before)
  })
}

export const describeBootstrap = (open: OpenBench): void => {
  describe('the steps of a bootstrap', () => describeSteps(open))
  describe('the end of a bootstrap', () => describeEnd(open))
}
