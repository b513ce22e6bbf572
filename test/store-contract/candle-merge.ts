import { describe, expect, test } from 'vitest'
import { type Candle, usdMicroMax } from '../../src/domain/pool/stored-rows.ts'
import { mergeCandles } from '../../src/domain/series/candles.ts'
import { backfillBatchOf, seedBatchOf } from './backfill.ts'
import type { OpenBench } from './bench.ts'
import { batchOf, candleAt, day } from './fixtures.ts'

const flat = (price: number): Partial<Candle> => ({
  open: price,
  high: price,
  low: price,
  close: price,
})

/** Halves of one bucket: without and with swaps, and at the limit of the dollar sum. */
const halves: Readonly<Record<string, Partial<Candle>>> = {
  'no swap at 3': { ...flat(3), reserve0: 7, reserve1: 8 },
  'no swap at 9': flat(9),
  'one swap at 5': { ...flat(5), swaps: 1, usdMicro: 40, reserve0: 1.5 },
  'swaps from 2 to 8': { open: 2, high: 8, low: 2, close: 8, swaps: 3, unpriced: 1, reserve1: 2 },
  'swaps from 6 to 4': { open: 6, high: 7, low: 4, close: 4, swaps: 2, usdMicro: 9, estimated: 2 },
  'the largest sum': { ...flat(1), swaps: 1, usdMicro: usdMicroMax, implausible: 1, reserve0: 4 },
}

const names = Object.keys(halves)
const pairs = names.flatMap((early) => names.map((late) => [early, late] as const))

export const describeCandleMerge = (open: OpenBench): void => {
  describe('merging candles', () => {
    test.each(pairs)('%s, then %s: equals mergeCandles in both orders', async (first, second) => {
      const { store } = await open()
      const candle = (pool: number, half: string): Candle =>
        candleAt({ pool, width: 60, ts: day }, halves[half])
      const expected = (pool: number) => mergeCandles(candle(pool, first), candle(pool, second))
      // Pool 1 receives the later half first, pool 2 the earlier one.
      await store.seedPools(seedBatchOf({ candles: [candle(1, second)] }))
      const past = { candles: [candle(1, first)] }
      await store.commitBackfill(backfillBatchOf({ before: 100, after: 90 }, past))
      for (const [at, half] of [first, second].entries()) {
        const range = { before: 100 + at, to: 101 + at }
        await store.commitRange(batchOf(range, { candles: [candle(2, half)] }))
      }
      for (const pool of [1, 2]) {
        const { rows } = await store.snapshot((snapshot) =>
          snapshot.candles({ pool, width: 60, fromTs: day, toTs: day }),
        )
        expect(rows).toEqual([expected(pool)])
      }
    })
  })
}
