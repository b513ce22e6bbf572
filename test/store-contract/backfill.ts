import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Candle } from '../../src/domain/pool/stored-rows.ts'
import { mergeCandles } from '../../src/domain/series/candles.ts'
import type { Store } from '../../src/ports/store.ts'
import type { BackfillBatch, PoolSeedBatch } from '../../src/ports/store-batches.ts'
import type { OpenBench } from './bench.ts'
import { anyUsdMicro } from './candles.ts'
import {
  addressOf,
  batchOf,
  blockRefAt,
  candleAt,
  contentsOf,
  day,
  identityOf,
  noOrigin,
  pointAt,
  searchOf,
  stateOf,
  swapAt,
} from './fixtures.ts'

const history = {
  completeAfter: blockRefAt(100),
  firstBlock: 51,
  startedAt: 100,
  lastPoolNumber: 2,
}

export const seedBatchOf = (rest: Partial<PoolSeedBatch> = {}): PoolSeedBatch => ({
  expectedCursor: null,
  at: blockRefAt(100),
  head: blockRefAt(120),
  progress: { phase: 'swaps', done: 0, total: 50 },
  backfillCursor: history,
  searches: [searchOf(9)],
  blocks: [],
  pools: [identityOf(1), identityOf(2)],
  states: [1, 2].map((pool) => ({ pool, state: stateOf(10n) })),
  ticks: [{ pool: 1, tick: -60, net: 10n, gross: 10n }],
  swaps: [],
  liquidity: [],
  candles: [],
  references: [],
  ...rest,
})

export const backfillBatchOf = (
  { before, after }: { readonly before: number; readonly after: number },
  rest: Partial<BackfillBatch> = {},
): BackfillBatch => ({
  expectedCursor: before,
  after: blockRefAt(after),
  progress: { phase: 'swaps', done: 100 - after, total: 50 },
  blocks: [],
  swaps: [],
  liquidity: [],
  candles: [],
  references: [],
  lastSwaps: [],
  ...rest,
})

const headerOf = (store: Store) => store.snapshot((snapshot) => snapshot.header())

const describeAdoption = (open: OpenBench): void => {
  test('seeding an empty store adds whole pools and sets the cursor to their block', async () => {
    const { store } = await open()
    expect(await store.seedPools(seedBatchOf())).toBe('committed')
    const { header, pools, ticks } = await contentsOf(store)
    expect(header).toMatchObject({
      cursor: blockRefAt(100),
      head: blockRefAt(120),
      backfillCursor: history,
    })
    expect(pools.map(({ number, liquidity }) => ({ number, liquidity }))).toEqual([
      { number: 1, liquidity: 10n },
      { number: 2, liquidity: 10n },
    ])
    expect(ticks).toEqual(seedBatchOf().ticks)
    expect(await store.snapshot((snapshot) => snapshot.searches())).toEqual([searchOf(9)])
    expect(await store.commitRange(batchOf({ before: 100, to: 101 }))).toBe('committed')
  })

  test('pools added later bring their swaps, so that all sums are built again', async () => {
    const { store } = await open()
    await store.seedPools(seedBatchOf())
    const epoch = (await headerOf(store))?.epoch ?? 0
    const late = seedBatchOf({
      expectedCursor: 100,
      backfillCursor: null,
      searches: [searchOf(10)],
      pools: [identityOf(3)],
      states: [{ pool: 3, state: stateOf(5n) }],
      ticks: [],
      swaps: [swapAt({ pool: 3, block: 70 })],
    })
    expect(await store.seedPools(late)).toBe('committed')
    expect(await headerOf(store)).toMatchObject({ epoch: epoch + 1, backfillCursor: history })
    expect(await store.snapshot((snapshot) => snapshot.searches())).toHaveLength(2)
  })

  test.each([
    ['the cursor is at another block', { before: 99 }],
    ['the store is not empty', { before: null }],
    ['its block is of another branch', { before: 100, at: blockRefAt(100, 1) }],
  ])('rejects pools when %s', async (_, rest) => {
    const { store } = await open()
    await store.seedPools(seedBatchOf())
    const before = await contentsOf(store)
    expect(await store.seedPools(seedBatchOf({ pools: [identityOf(3)], ...rest }))).toBe(
      'stale-cursor',
    )
    expect(await contentsOf(store)).toEqual(before)
  })
}

const describeRanges = (open: OpenBench): void => {
  test.each([
    ['precedes the stored range', backfillBatchOf({ before: 100, after: 80 }), 'committed'],
    ['leaves a hole', backfillBatchOf({ before: 90, after: 80 }), 'stale-cursor'],
    ['goes the wrong way', backfillBatchOf({ before: 100, after: 110 }), 'stale-cursor'],
    ['brings references alone', backfillBatchOf({ before: 100, after: 100 }), 'committed'],
  ] as const)('a range that %s', async (_, batch, outcome) => {
    const { store } = await open()
    await store.seedPools(seedBatchOf())
    expect(await store.commitBackfill(batch)).toBe(outcome)
    const after = outcome === 'committed' ? batch.after : history.completeAfter
    expect((await headerOf(store))?.backfillCursor).toEqual({ ...history, completeAfter: after })
  })

  test('stores a range once, even if it is sent again', async () => {
    const { store } = await open()
    await store.seedPools(seedBatchOf())
    const first = backfillBatchOf(
      { before: 100, after: 80 },
      { swaps: [swapAt({ pool: 1, block: 90 })] },
    )
    expect(await store.commitBackfill(first)).toBe('committed')
    const before = await contentsOf(store)
    expect(await store.commitBackfill(first)).toBe('committed')
    expect(await contentsOf(store)).toEqual(before)
  })

  test('a store with complete pools has nothing to backfill', async () => {
    const { store } = await open()
    await store.commitRange(batchOf({ before: null, to: 100 }))
    expect(await store.commitBackfill(backfillBatchOf({ before: 100, after: 80 }))).toBe(
      'stale-cursor',
    )
  })

  test('sets a last swap only where there is none, and changes no state', async () => {
    const { store } = await open()
    const traded = stateOf(7n, { lastSwapTs: day + 99, lastSwapBlock: 99 })
    const states = [
      { pool: 1, state: stateOf(10n) },
      { pool: 2, state: traded },
    ]
    await store.seedPools(seedBatchOf({ states }))
    const last = { ts: day + 90, block: 90, fee: 500, isHookServed: false }
    const lastSwaps = [1, 2].map((pool) => ({ pool, ...last, isHookServed: pool === 2 }))
    await store.commitBackfill(backfillBatchOf({ before: 100, after: 80 }, { lastSwaps }))
    const { pools } = await contentsOf(store)
    const byNumber = new Map(pools.map((pool) => [pool.number, pool]))
    expect(byNumber.get(1)).toMatchObject({
      ...stateOf(10n),
      lastSwapTs: day + 90,
      lastSwapBlock: 90,
      lastSwapFee: 500,
    })
    const served = { mapFault: 'hook_custom_accounting', reserves: null, depth: null }
    expect(byNumber.get(2)).toMatchObject({ ...traded, ...served })
  })

  test('keeps a stored reference price and adds others', async () => {
    const { store } = await open()
    await store.seedPools(seedBatchOf({ references: [pointAt(day + 60, 2)] }))
    const references = [pointAt(day, 1), pointAt(day + 60, 9, 'issuer')]
    await store.commitBackfill(backfillBatchOf({ before: 100, after: 100 }, { references }))
    const query = { address: addressOf(101), width: 60, fromTs: 0, toTs: day + 600 } as const
    const { rows } = await store.snapshot((snapshot) => snapshot.references(query))
    expect(rows).toEqual([pointAt(day, 1), pointAt(day + 60, 2)])
  })

  test('returns stored changes of liquidity, newest first', async () => {
    const { store } = await open()
    const change = (block: number) => ({
      pool: 1,
      block,
      logIndex: 0,
      ts: day + block,
      txHash: blockRefAt(block).hash,
      tickLower: -60,
      tickUpper: 60,
      liquidityDelta: 5n,
      ...noOrigin,
    })
    await store.seedPools(seedBatchOf())
    await store.commitRange(batchOf({ before: 100, to: 105 }, { liquidity: [change(103)] }))
    const liquidity = [change(85), change(95)]
    await store.commitBackfill(backfillBatchOf({ before: 100, after: 80 }, { liquidity }))
    expect(await store.readLiquidityAfter(85)).toEqual([change(103), change(95)])
  })
}

const half = fc.record({
  open: fc.double({ min: 1, max: 9, noNaN: true }),
  high: fc.double({ min: 9, max: 12, noNaN: true }),
  low: fc.double({ min: 0.1, max: 1, noNaN: true }),
  close: fc.double({ min: 1, max: 9, noNaN: true }),
  usdMicro: anyUsdMicro,
  swaps: fc.nat(2),
  unpriced: fc.nat(2),
  estimated: fc.nat(2),
  implausible: fc.nat(2),
  feeYield: fc.nat(),
  yielded: fc.nat(2),
  reserve0: fc.option(fc.double({ min: 0, max: 1e77, noNaN: true })),
})

const describeHalves = (open: OpenBench): void => {
  test('merges earlier halves of a bucket as the domain does', async () => {
    const key = { pool: 1, width: 60, ts: day } as const
    await fc.assert(
      fc.asyncProperty(fc.array(half, { minLength: 1, maxLength: 5 }), async (values) => {
        const { store, dispose } = await open()
        await store.seedPools(seedBatchOf())
        const halves: readonly Candle[] = values.map((value) => candleAt(key, value))
        for (const [index, candle] of halves.entries()) {
          const place = { before: 100 - index, after: 99 - index }
          await store.commitBackfill(backfillBatchOf(place, { candles: [candle] }))
        }
        const span = { fromTs: 0, toTs: day + 60 }
        const { rows } = await store.snapshot((each) => each.candles({ ...key, ...span }))
        expect(rows).toEqual([halves.toReversed().reduce(mergeCandles)])
        await dispose()
      }),
      { numRuns: 25 },
    )
  })
}

export const describeBackfill = (open: OpenBench): void => {
  describe('pools seeded with past swaps', () => describeAdoption(open))
  describe('backfill, newest range first', () => describeRanges(open))
  describe('candles of backfilled swaps', () => describeHalves(open))
  test('stores progress, and the same progress again changes nothing', async () => {
    const { store } = await open()
    const backfill = { phase: 'liquidity', done: 3, total: 9 } as const
    await store.recordProgress(backfill)
    const first = await headerOf(store)
    await store.recordProgress(backfill)
    expect(await headerOf(store)).toEqual(first)
    expect(first?.progress).toEqual(backfill)
  })

  test('keeps searches by address, the last of each, until they are forgotten', async () => {
    const { store } = await open()
    const readSearches = () => store.snapshot((snapshot) => snapshot.searches())
    const venue = searchOf(8, { kind: 'venue', fromBlock: 7, done: 1 })
    await store.recordSearches([searchOf(9), venue, searchOf(10, { kind: 'trusted' })])
    expect(await readSearches()).toEqual([venue, searchOf(9), searchOf(10, { kind: 'trusted' })])
    await store.recordSearches([{ ...venue, fromBlock: 3, done: 9 }])
    await store.forgetSearches([addressOf(9), addressOf(11)])
    expect(await readSearches()).toEqual([
      { ...venue, fromBlock: 3, done: 9 },
      searchOf(10, { kind: 'trusted' }),
    ])
  })
}
