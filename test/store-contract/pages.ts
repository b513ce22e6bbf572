import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { historyOrders } from '../../src/domain/views/history.ts'
import type { OpenBench } from './bench.ts'
import { batchOf, day, swapAt } from './fixtures.ts'

const blocks = 60
const secondOf = (block: number): number => day + Math.floor(block / 4)

/** Four blocks a second, many of them without swaps, in the others up to five of three pools. */
const swaps = Array.from({ length: blocks }, (_, block) =>
  Array.from({ length: block % 7 === 3 ? 0 : 1 + ((block * 5) % 5) }, (_none, at) =>
    swapAt(
      { pool: 1 + ((block + at * at) % 3), block, logIndex: at * 2 + (block % 2) },
      { ts: secondOf(block), usdMicro: block * 10 + at },
    ),
  ),
).flat()

const seconds = fc.option(fc.integer({ min: day - 2, max: secondOf(blocks) + 2 }))
const places = fc
  .record({
    block: fc.integer({ min: -1, max: blocks }),
    logIndex: fc.integer({ min: -1, max: 9 }),
  })
  .map((place) => ({ ...place, ts: secondOf(place.block) }))

const drawn = fc.record({
  pool: fc.option(fc.integer({ min: 1, max: 4 })),
  after: fc.option(places),
  fromTs: seconds,
  toTs: seconds,
  order: fc.constantFrom(...historyOrders),
  rowsMax: fc.integer({ min: 1, max: 200 }),
})

export const describePages = (open: OpenBench): void => {
  describe('pages of events', () => {
    test('swaps lie behind a place, in either order, within times, and only so many', async () => {
      const { store } = await open()
      await store.commitRange(batchOf({ before: null, to: blocks }, { swaps }))
      await fc.assert(
        fc.asyncProperty(drawn, async (query) => {
          const { pool, after, fromTs, toTs, order, rowsMax } = query
          const isForward = order === 'asc'
          const inOrder = isForward ? swaps : swaps.toReversed()
          const expected = inOrder.filter(({ block, logIndex, ts, ...swap }) => {
            if (pool !== null && swap.pool !== pool) return false
            if (ts < (fromTs ?? 0) || ts > (toTs ?? day * 2)) return false
            const ahead = after === null ? 0 : block - after.block || logIndex - after.logIndex
            return after === null || (isForward ? ahead > 0 : ahead < 0)
          })
          const rows = await store.snapshot((snapshot) => snapshot.swapPage(query))
          expect(rows).toEqual(expected.slice(0, rowsMax))
        }),
        { numRuns: 150 },
      )
    })
  })
}
