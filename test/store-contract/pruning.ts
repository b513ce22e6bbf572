import { describe, expect, test } from 'vitest'
import { candleWidths } from '../../src/domain/pool/stored-rows.ts'
import type { Store } from '../../src/ports/store.ts'
import { backfillBatchOf, seedBatchOf } from './backfill.ts'
import type { OpenBench } from './bench.ts'
import {
  batchOf,
  blockRefAt,
  candleAt,
  contentsOf,
  day,
  identityOf,
  noOrigin,
  passAt,
  pointAt,
  swapAt,
} from './fixtures.ts'

/** A swap, a candle of each width and a reference of either width, every minute for so long. */
const trade = (minutes: number) => {
  const all = Array.from({ length: minutes }, (_, minute) => minute)
  const swaps = all.map((minute) => swapAt({ pool: 1 + (minute % 2), block: minute * 60 }))
  return {
    pools: [identityOf(1), identityOf(2)],
    blocks: swaps.map(({ block }) => blockRefAt(block)),
    swaps,
    liquidity: [
      {
        ...swapAt({ pool: 1, block: 60, logIndex: 5 }),
        tickLower: -60,
        tickUpper: 60,
        liquidityDelta: 1n,
        ...noOrigin,
      },
    ],
    candles: swaps.flatMap(({ pool, ts }) =>
      candleWidths.map((width) => candleAt({ pool, width, ts: ts - (ts % width) })),
    ),
    references: all.flatMap((minute) => [
      pointAt(day + minute * 60, 1 + minute),
      { ...pointAt(day, minute), width: 3600 as const },
    ]),
  }
}

const hour = 3_600

export const describePruning = (open: OpenBench): void => {
  describe('pruning', () => {
    test('forgets old swaps and minutes, however many, and keeps hours and days', async () => {
      const { store } = await open()
      const minutes = 1_300
      await store.commitRange(batchOf({ before: null, to: 60 * minutes }, trade(minutes)))
      const before = await contentsOf(store)
      const limits = { swapsBeforeTs: day + 60 * 700, minuteRowsBeforeTs: day + 60 * 1_200 }
      // 700 swaps, their 700 blocks, 1,200 minutes of candles and as many of references.
      expect(await store.prune(limits)).toBe(700 + 700 + 1_200 + 1_200)
      expect(await store.prune(limits)).toBe(0)
      const after = await contentsOf(store)
      expect(after.volume.map(({ swaps }) => swaps)).toEqual([300, 300])
      expect(after.pools).toEqual(before.pools)
      for (const [at, { series, swaps }] of after.perPool.entries()) {
        const old = before.perPool[at] as (typeof before.perPool)[number]
        expect(swaps).toEqual(old.swaps.filter(({ ts }) => ts >= limits.swapsBeforeTs))
        const [minute, ...wider] = series
        const kept = old.series[0]?.map(({ rows }) =>
          rows.filter(({ ts }) => ts >= limits.minuteRowsBeforeTs),
        )
        expect(minute?.map(({ rows }) => rows)).toEqual(kept)
        expect(wider).toEqual(old.series.slice(1))
      }
      expect(after.header?.revision).toBeGreaterThan(before.header?.revision ?? 0)
      expect(before.header?.swapsKeptSince).toBeNull()
      const swapsKeptSince = limits.swapsBeforeTs
      expect({ ...after.header, revision: 0 }).toEqual({
        ...{ ...before.header, revision: 0, swapsKeptSince },
      })
      const none = { ...limits, swapsBeforeTs: limits.swapsBeforeTs - 60 }
      expect(await store.prune(none)).toBe(0)
      expect((await contentsOf(store)).header?.swapsKeptSince).toBe(swapsKeptSince)
    })

    const blocksOf = async (store: Store): Promise<readonly number[]> => {
      const { blocks } = await store.readEvents({ from: 0, to: 10 * hour })
      return blocks.map(({ block }) => block)
    }

    test('forgets blocks a day before the finalized one, and none of their swaps', async () => {
      const { store } = await open()
      const blocks = [1, hour, 2 * hour, 26 * hour, 27 * hour]
      const swaps = blocks.map((block) => swapAt({ pool: 1, block }))
      const rest = {
        pools: [identityOf(1)],
        blocks: blocks.map((block) => blockRefAt(block)),
        swaps,
      }
      await store.commitRange(batchOf({ before: null, to: 27 * hour }, rest))
      const limits = { swapsBeforeTs: 0, minuteRowsBeforeTs: 0 }
      expect(await store.prune(limits)).toBe(0)
      const to = blockRefAt(26 * hour)
      await store.advanceFinalized({ expectedCursor: null, to, crossChecked: true })
      expect(await store.prune(limits)).toBe(2)
      expect(await blocksOf(store)).toEqual([2 * hour])
      expect(await store.readBlockAtOrBelow(hour)).toBeNull()
      expect((await store.readEvents({ from: 0, to: 27 * hour })).swaps).toHaveLength(5)
      expect(await store.prune(limits)).toBe(0)
    })

    test('adds no blocks that it would forget', async () => {
      const { store } = await open()
      const at = blockRefAt(26 * hour)
      const backfillCursor = {
        completeAfter: at,
        firstBlock: 1,
        startedAt: at.block,
        lastPoolNumber: 2,
      }
      await store.seedPools(seedBatchOf({ at, head: at, backfillCursor }))
      await store.advanceFinalized({ expectedCursor: null, to: at, crossChecked: true })
      const blocks = [hour, 3 * hour].map((block) => blockRefAt(block))
      const swaps = blocks.map(({ block }) => swapAt({ pool: 1, block }))
      const place = { before: at.block, after: 0 }
      expect(await store.commitBackfill(backfillBatchOf(place, { blocks, swaps }))).toBe(
        'committed',
      )
      expect(await blocksOf(store)).toEqual([3 * hour])
      expect((await store.readEvents({ from: 0, to: at.block })).swaps).toHaveLength(2)
    })

    test('leaves the fence standing, however old it is', async () => {
      const { store } = await open()
      await store.commitRange(batchOf({ before: null, to: 5 }, { blocks: [blockRefAt(3)] }))
      await store.commitRange(batchOf({ before: 5, to: 9 }))
      await store.recordEnrichment(passAt(day))
      const future = day * 2
      expect(await store.prune({ swapsBeforeTs: future, minuteRowsBeforeTs: future })).toBe(2)
      expect(await store.commitRange(batchOf({ before: 5, to: 9 }))).toBe('committed')
      expect(await store.commitRange(batchOf({ before: 9, to: 10 }))).toBe('committed')
    })
  })
}
