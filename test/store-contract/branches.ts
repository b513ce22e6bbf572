import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../src/ports/store.ts'
import type { BranchReplacement, RangeBatch } from '../../src/ports/store-batches.ts'
import type { OpenBench } from './bench.ts'
import { recount, storedCandles } from './candles.ts'
import {
  batchOf,
  blockRefAt,
  candleAt,
  contentsOf,
  day,
  identityOf,
  noOrigin,
  stateOf,
  swapAt,
} from './fixtures.ts'

const changeAt = (block: number, logIndex = 9) => {
  const { pool, ts, txHash } = swapAt({ pool: 1, block })
  const range = { tickLower: -60, tickUpper: 60, liquidityDelta: 3n }
  return { pool, block, ts, txHash, logIndex, ...range, ...noOrigin }
}

/** Blocks 1 to 10 hold one pool, and stay; 11 to 20 a second pool, and more of the first. */
const kept = batchOf(
  { before: null, to: 10 },
  {
    blocks: [blockRefAt(5), blockRefAt(8)],
    pools: [identityOf(1)],
    states: [{ pool: 1, state: stateOf(10n) }],
    ticks: [{ pool: 1, tick: -60, net: 10n, gross: 10n }],
    swaps: [swapAt({ pool: 1, block: 5 })],
    liquidity: [changeAt(8)],
    candles: [candleAt({ pool: 1, width: 60, ts: day }, { swaps: 1, usdMicro: 1_500_000 })],
  },
)
const left = batchOf(
  { before: 10, to: 20 },
  {
    blocks: [blockRefAt(12), blockRefAt(15)],
    pools: [{ ...identityOf(2), createdBlock: 12 }],
    states: [
      { pool: 1, state: stateOf(99n) },
      { pool: 2, state: stateOf(77n) },
    ],
    ticks: [
      { pool: 1, tick: -60, net: 13n, gross: 13n },
      { pool: 1, tick: 120, net: -3n, gross: 3n },
      { pool: 2, tick: 0, net: 7n, gross: 7n },
    ],
    swaps: [swapAt({ pool: 1, block: 15 }), swapAt({ pool: 2, block: 15, logIndex: 1 })],
    liquidity: [changeAt(15)],
    candles: [
      candleAt({ pool: 1, width: 60, ts: day }, { swaps: 1, usdMicro: 1_500_000, high: 9 }),
      candleAt({ pool: 2, width: 60, ts: day }, { swaps: 1 }),
    ],
  },
)
const taken = batchOf(
  { before: 10, to: 18 },
  {
    to: blockRefAt(18, 1),
    blocks: [blockRefAt(14, 1)],
    pools: [{ ...identityOf(4), number: 2, createdBlock: 14 }],
    states: [{ pool: 2, state: stateOf(55n) }],
    swaps: [swapAt({ pool: 2, block: 14 })],
    candles: [candleAt({ pool: 2, width: 60, ts: day }, { swaps: 1, high: 3 })],
  },
)

const replacementOf = (
  branch: RangeBatch,
  rest: Partial<BranchReplacement> = {},
): BranchReplacement => ({
  epoch: 0,
  cursor: blockRefAt(20),
  ancestor: blockRefAt(10),
  restored: [{ pool: 1, state: stateOf(10n), ticks: kept.ticks, candles: kept.candles }],
  branch,
  repairs: 0,
  ...rest,
})

const openTwice = async (open: OpenBench) => {
  const { store } = await open()
  await store.commitRange(kept)
  await store.commitRange(left)
  return store
}

/** What depends on how the rows came to be there. */
const withoutHistory = async (store: Store) => {
  const { header, ...rows } = await contentsOf(store)
  return { ...rows, header: { ...header, revision: 0, epoch: 0, lastReplacement: null } }
}

const describeReplacing = (open: OpenBench): void => {
  test('leaves what the new branch alone would have made', async () => {
    const store = await openTwice(open)
    const other = (await open()).store
    await other.commitRange(kept)
    await other.commitRange(taken)
    expect(await store.replaceBranch(replacementOf(taken, { repairs: 3 }))).toBe('committed')
    const expected = await withoutHistory(other)
    const header = { ...expected.header, repairs: 3 }
    expect(await withoutHistory(store)).toEqual({ ...expected, header })
    const range = { from: 0, to: 100 }
    expect(await store.readEvents(range)).toEqual(await other.readEvents(range))
  })

  test('replaces everything where nothing stays', async () => {
    const store = await openTwice(open)
    const other = (await open()).store
    await other.commitRange({
      ...left,
      expectedCursor: null,
      pools: [identityOf(1), ...left.pools],
    })
    const branch = { ...left, expectedCursor: null, pools: [identityOf(1), ...left.pools] }
    const all = replacementOf(branch, { ancestor: null, restored: [] })
    expect(await store.replaceBranch(all)).toBe('committed')
    const { header } = await contentsOf(store)
    expect(header?.lastReplacement).toEqual({ epoch: 1, ancestor: null })
    expect(await withoutHistory(store)).toEqual(await withoutHistory(other))
  })

  test('grows revision and epoch, and doing it again changes nothing', async () => {
    const store = await openTwice(open)
    const { header } = await contentsOf(store)
    await store.replaceBranch(replacementOf(taken))
    const after = await contentsOf(store)
    const revision = (header?.revision ?? 0) + 1
    expect(after.header).toMatchObject({ revision, epoch: 1, cursor: blockRefAt(18, 1) })
    const { block, ts } = blockRefAt(10)
    expect(after.header?.lastReplacement).toEqual({ epoch: 1, ancestor: { block, ts } })
    expect(await store.replaceBranch(replacementOf(taken))).toBe('committed')
    expect(await contentsOf(store)).toEqual(after)
    expect(await store.commitRange(left)).toBe('stale-cursor')
    expect(await store.commitRange(batchOf({ before: 18, to: 19 }))).toBe('committed')
  })

  test('lists the pools that were created or changed their liquidity, by block', async () => {
    const store = await openTwice(open)
    await store.snapshot(async ({ touchedPools }) => {
      const range = { afterBlock: 7, toBlock: 14, rowsMax: 9 }
      const rows = [
        { block: 8, pool: 1 },
        { block: 12, pool: 2 },
        { block: 15, pool: 1 },
      ]
      expect(await touchedPools(range)).toEqual(rows.slice(0, 2))
      expect(await touchedPools({ ...range, rowsMax: 1 })).toEqual(rows.slice(0, 1))
      expect(await touchedPools({ afterBlock: 8, toBlock: 15, rowsMax: 9 })).toEqual(rows.slice(1))
    })
  })

  test('remembers every replacement, and which blocks are stored now', async () => {
    const store = await openTwice(open)
    const { block, ts } = blockRefAt(10)
    await store.replaceBranch(replacementOf(taken))
    const cursor = blockRefAt(18, 1)
    const all = batchOf({ before: null, to: 3 }, { pools: [identityOf(1)] })
    const rest = { epoch: 1, cursor, ancestor: null, restored: [] }
    expect(await store.replaceBranch(replacementOf(all, rest))).toBe('committed')
    const replacements = [
      { epoch: 1, ancestor: { block, ts } },
      { epoch: 2, ancestor: null },
    ]
    await store.snapshot(async (snapshot) => {
      expect(await snapshot.replacementsAfter(0)).toEqual(replacements)
      expect(await snapshot.replacementsAfter(1)).toEqual(replacements.slice(1))
      expect(await snapshot.replacementsAfter(2)).toEqual([])
      expect(await snapshot.block(3)).toEqual(blockRefAt(3))
      expect(await snapshot.block(18)).toBe(null)
    })
  })

  test.each([
    ['another epoch', { epoch: 1 }, 'stale-cursor'],
    ['another indexed block', { cursor: blockRefAt(20, 1) }, 'stale-cursor'],
    ['an ancestor below the settled block', { ancestor: blockRefAt(4) }, 'below-finalized'],
    ['no ancestor', { ancestor: null }, 'below-finalized'],
  ] as const)('touches nothing when made for %s', async (_, rest, outcome) => {
    const store = await openTwice(open)
    await store.advanceFinalized({ expectedCursor: null, to: blockRefAt(5), crossChecked: false })
    const before = await contentsOf(store)
    expect(await store.replaceBranch(replacementOf(taken, rest))).toBe(outcome)
    expect(await contentsOf(store)).toEqual(before)
  })

  test('leaves the old branch whole when the new one does not fit', async () => {
    const store = await openTwice(open)
    const before = await contentsOf(store)
    const twice = swapAt({ pool: 2, block: 14 })
    const broken = { ...taken, swaps: [twice, twice] }
    await expect(store.replaceBranch(replacementOf(broken))).rejects.toThrow()
    expect(await contentsOf(store)).toEqual(before)
    expect(await store.replaceBranch(replacementOf(taken))).toBe('committed')
  })
}

const swapsAt = fc.array(
  fc.record({ seconds: fc.nat(2_000), price: fc.integer({ min: 1, max: 99 }) }),
  {
    minLength: 2,
    maxLength: 30,
  },
)

const describeRecount = (open: OpenBench): void => {
  test('wherever the branch is cut, the buckets are those of a recount', async () => {
    await fc.assert(
      fc.asyncProperty(swapsAt, fc.nat(29), async (rows, cut) => {
        const { store, dispose } = await open()
        let ts = day
        const swaps = rows.map(({ seconds, price }, at) => {
          ts += seconds
          return swapAt({ pool: 1, block: at + 1 }, { ts, sqrtPriceX96: BigInt(price) })
        })
        const anchors = swaps.map((swap) => ({ ...blockRefAt(swap.block), ts: swap.ts }))
        const [last, at] = [swaps.length, cut % (swaps.length - 1)]
        const [to, ancestor] = [anchors[last - 1], anchors[at]] as [
          (typeof anchors)[0],
          (typeof anchors)[0],
        ]
        const pools = [identityOf(1)]
        const candles = recount(swaps)
        const whole = batchOf({ before: null, to: last }, { to, pools, swaps, candles })
        await store.commitRange({ ...whole, blocks: anchors })
        const stays = swaps.slice(0, at + 1)
        const isOpen = ({ ts: from, width }: { ts: number; width: number }) =>
          from === ancestor.ts - (ancestor.ts % width)
        const open0 = recount(stays).filter(isOpen)
        const restored = [{ pool: 1, state: stateOf(1n), ticks: [], candles: open0 }]
        const branch = batchOf({ before: at + 1, to: last }, { to: { ...to, hash: '0xee' } })
        const replacement = replacementOf(branch, { cursor: to, ancestor, restored })
        expect(await store.replaceBranch(replacement)).toBe('committed')
        const byKey = (one: { width: number; ts: number }, other: { width: number; ts: number }) =>
          one.width - other.width || one.ts - other.ts
        const stored = await storedCandles(store, [1])
        expect(stored.toSorted(byKey)).toEqual(recount(stays).toSorted(byKey))
        await dispose()
      }),
      { numRuns: 25 },
    )
  })
}

const describeReads = (open: OpenBench): void => {
  test('the rows of a range, and of nothing around it', async () => {
    const store = await openTwice(open)
    expect(await store.readEvents({ from: 12, to: 15 })).toEqual({
      blocks: left.blocks,
      pools: left.pools,
      swaps: left.swaps,
      liquidity: left.liquidity,
    })
    const { blocks, ...rows } = await store.readEvents({ from: 9, to: 11 })
    expect(blocks).toEqual([blockRefAt(10)])
    expect(rows).toEqual({ pools: [], swaps: [], liquidity: [] })
  })

  test('the newest kept block at or below another', async () => {
    const store = await openTwice(open)
    const read = await Promise.all(
      [4, 5, 9, 10, 14, 99].map((block) => store.readBlockAtOrBelow(block)),
    )
    expect(read.map((anchor) => anchor?.block ?? null)).toEqual([null, 5, 8, 10, 12, 20])
  })

  test('every pool that was touched above a block', async () => {
    const store = await openTwice(open)
    expect((await store.readPoolsChangedAfter(blockRefAt(10))).toSorted()).toEqual([1, 2])
    expect((await store.readPoolsChangedAfter(null)).toSorted()).toEqual([1, 2])
    expect(await store.readPoolsChangedAfter({ ...blockRefAt(16), ts: day + 3600 })).toEqual([])
  })

  test("a pool's past: its newest swap up to a block, and all its changes", async () => {
    const store = await openTwice(open)
    const [early, middle] = [await store.readPoolHistory(1, 4), await store.readPoolHistory(1, 14)]
    expect(early).toEqual({ lastSwap: null, changes: [changeAt(8), changeAt(15)] })
    expect(middle.lastSwap).toEqual(kept.swaps[0])
    expect((await store.readPoolHistory(1, 15)).lastSwap).toEqual(left.swaps[0])
  })
}

export const describeBranches = (open: OpenBench): void => {
  describe('a branch that is replaced', () => {
    describeReplacing(open)
    describeRecount(open)
  })
  describe('what a replacement is made from', () => describeReads(open))
}
