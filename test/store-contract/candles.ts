import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Candle,
  candleWidths,
  type StoredSwap,
  usdMicroMax,
} from '../../src/domain/pool/stored-rows.ts'
import { mergeCandles } from '../../src/domain/series/candles.ts'
import type { Store } from '../../src/ports/store.ts'
import type { RangeBatch } from '../../src/ports/store-batches.ts'
import type { OpenBench } from './bench.ts'
import { batchOf, candleAt, day, hexOf, swapAt } from './fixtures.ts'

const priceOf = (swap: StoredSwap): number => Number(swap.sqrtPriceX96)

/** Computes the buckets from the swaps alone. */
export const recount = (swaps: readonly StoredSwap[]): readonly Candle[] => {
  const keyed = swaps.flatMap((swap) =>
    candleWidths.map((width) => ({ swap, width, ts: swap.ts - (swap.ts % width) })),
  )
  const groups = Map.groupBy(keyed, ({ swap, width, ts }) => `${swap.pool} ${width} ${ts}`)
  return [...groups.values()].map((group) => {
    const prices = group.map(({ swap }) => priceOf(swap))
    const { swap, width, ts } = group[0] as (typeof group)[number]
    return {
      pool: swap.pool,
      width,
      ts,
      open: prices[0] as number,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) as number,
      usdMicro: group.reduce((sum, row) => sum + (row.swap.usdMicro ?? 0), 0),
      swaps: group.length,
      unpriced: group.filter((row) => row.swap.usdMicro === null).length,
      estimated: group.filter((row) => row.swap.estimated).length,
      implausible: group.filter((row) => row.swap.implausible).length,
      feeYield: group.reduce((sum, row) => sum + (row.swap.feeYield ?? 0), 0),
      yielded: group.filter((row) => row.swap.feeYield !== null).length,
      reserve0: group.length,
      reserve1: null,
    }
  })
}

export const storedCandles = async (
  store: Store,
  pools: readonly number[],
): Promise<readonly Candle[]> =>
  store.snapshot(async (snapshot) => {
    const queries = pools.flatMap((pool) => candleWidths.map((width) => ({ pool, width })))
    const span = { fromTs: 0, toTs: day * 2 }
    const series = queries.map((query) => snapshot.candles({ ...query, ...span }))
    return (await Promise.all(series)).flatMap(({ rows }) => rows)
  })

const byKey = (one: Candle, other: Candle): number =>
  one.pool - other.pool || one.width - other.width || one.ts - other.ts

/** Omits the reserves, which are not sums: the value of the last half counts. */
const counted = (candles: readonly Candle[]) =>
  candles.toSorted(byKey).map(({ reserve0: _0, reserve1: _1, ...rest }) => rest)

/** Some swaps in chain order and the blocks after which a batch ends. */
const history = fc
  .array(
    fc.record({
      pool: fc.integer({ min: 1, max: 3 }),
      seconds: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 90 }), fc.constant(4_000)),
      price: fc.integer({ min: 1, max: 1_000 }),
      usdMicro: fc.option(fc.nat(1_000_000)),
      estimated: fc.boolean(),
      implausible: fc.boolean(),
      feeYield: fc.option(fc.nat(1_000_000)),
      cut: fc.boolean(),
    }),
    { maxLength: 60 },
  )
  .map((rows) => {
    let ts = day
    return rows.map(({ pool, seconds, price, cut, ...swap }, at) => {
      ts += seconds
      const rest = { ...swap, ts, sqrtPriceX96: BigInt(price), txHash: hexOf(at, 32) }
      return { cut, swap: swapAt({ pool, block: at + 1 }, rest) }
    })
  })

/** The batches that the cuts make. */
const batchesOf = (rows: readonly { readonly cut: boolean; readonly swap: StoredSwap }[]) => {
  const batches: RangeBatch[] = []
  let swaps: StoredSwap[] = []
  for (const [at, { cut, swap }] of rows.entries()) {
    swaps.push(swap)
    if (!cut && at < rows.length - 1) continue
    const before = batches.at(-1)?.to.block ?? null
    batches.push(batchOf({ before, to: swap.block }, { swaps, candles: recount(swaps) }))
    swaps = []
  }
  return batches
}

const key = { pool: 1, width: 60, ts: day } as const

/** Two of the greatest are more than a bucket holds: as in the domain, the sum ends there. */
export const anyUsdMicro = fc.oneof(
  fc.nat(),
  fc.integer({ min: usdMicroMax - 1000, max: usdMicroMax }),
)

const half = fc
  .record({
    open: fc.double({ min: 1, max: 9, noNaN: true }),
    high: fc.double({ min: 9, max: 12, noNaN: true }),
    low: fc.double({ min: 0.1, max: 1, noNaN: true }),
    close: fc.double({ min: 1, max: 9, noNaN: true }),
    usdMicro: anyUsdMicro,
    swaps: fc.nat(2),
    unpriced: fc.nat(2),
    estimated: fc.nat(2),
    implausible: fc.nat(2),
    feeYield: anyUsdMicro,
    yielded: fc.nat(2),
    reserve0: fc.option(fc.double({ min: 0, max: 1e77, noNaN: true })),
    reserve1: fc.option(fc.double({ min: 0, max: 1e77, noNaN: true })),
  })
  .map((values) => candleAt(key, values))

export const describeCandles = (open: OpenBench): void => {
  describe('candles', () => {
    test('the buckets do not depend on how the swaps are split into batches', async () => {
      await fc.assert(
        fc.asyncProperty(history, async (rows) => {
          const { store, dispose } = await open()
          for (const batch of batchesOf(rows)) await store.commitRange(batch)
          const stored = await storedCandles(store, [1, 2, 3])
          expect(counted(stored)).toEqual(counted(recount(rows.map(({ swap }) => swap))))
          await dispose()
        }),
        { numRuns: 25 },
      )
    })

    test('merges halves of a bucket as the domain does', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(half, { minLength: 1, maxLength: 5 }), async (halves) => {
          const { store, dispose } = await open()
          for (const [block, candle] of halves.entries()) {
            const before = block === 0 ? null : block - 1
            await store.commitRange(batchOf({ before, to: block }, { candles: [candle] }))
          }
          expect(await storedCandles(store, [1])).toEqual([halves.reduce(mergeCandles)])
          await dispose()
        }),
        { numRuns: 25 },
      )
    })
  })
}
