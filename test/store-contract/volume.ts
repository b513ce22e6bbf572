import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type StoredSwap, usdMicroMax } from '../../src/domain/pool/stored-rows.ts'
import type { Store } from '../../src/ports/store.ts'
import type { VolumeSum } from '../../src/ports/store-batches.ts'
import type { OpenBench } from './bench.ts'
import { recount as candlesOf } from './candles.ts'
import { batchOf, blockRefAt, candleAt, day, ever, identityOf, swapAt } from './fixtures.ts'

/** Computes the sums from the swaps, one by one. */
const recount = (swaps: readonly StoredSwap[]): readonly VolumeSum[] =>
  [...Map.groupBy(swaps, ({ pool }) => pool)]
    .toSorted(([one], [other]) => one - other)
    .map(([pool, group]) => ({
      pool,
      usdMicro: group.reduce((sum, { usdMicro }) => sum + BigInt(usdMicro ?? 0), 0n),
      swaps: group.length,
      unpriced: group.filter(({ usdMicro }) => usdMicro === null).length,
      estimated: group.filter(({ estimated }) => estimated).length,
      implausible: group.filter(({ implausible }) => implausible).length,
      feeYield: group.reduce((sum, { feeYield }) => sum + BigInt(feeYield ?? 0), 0n),
      yielded: group.filter(({ feeYield }) => feeYield !== null).length,
    }))

const pools = [1, 2, 3].map(identityOf)

/** Sometimes more than a sum of numbers can hold. */
const anyUsdMicro = fc.oneof(
  { weight: 4, arbitrary: fc.nat(2 ** 40) },
  { weight: 1, arbitrary: fc.integer({ min: usdMicroMax - 2, max: usdMicroMax }) },
)

const history = fc.array(
  fc.record({
    pool: fc.integer({ min: 1, max: pools.length }),
    usdMicro: fc.option(anyUsdMicro),
    estimated: fc.boolean(),
    implausible: fc.boolean(),
    feeYield: fc.option(anyUsdMicro),
  }),
  { minLength: 1, maxLength: 80 },
)

type Row = typeof history extends fc.Arbitrary<readonly (infer T)[]> ? T : never

/** Blocks of three swaps each. */
const swapsOf = (rows: readonly Row[], tsOf: (block: number) => number): readonly StoredSwap[] =>
  rows.map((row, at) => {
    const block = Math.floor(at / 3)
    return swapAt({ pool: row.pool, block, logIndex: at % 3 }, { ...row, ts: tsOf(block) })
  })

/** Writes the swaps with their candles, a fixed number of blocks at a time. */
const write = async (store: Store, swaps: readonly StoredSwap[], blocksEach: number) => {
  const last = swaps.at(-1)?.block ?? 0
  let before: number | null = null
  while (before === null || before < last) {
    const to = Math.min(last, (before ?? -1) + blocksEach)
    const part = swaps.filter(({ block }) => block > (before ?? -1) && block <= to)
    const anchor = { ...blockRefAt(to), ts: part.at(-1)?.ts ?? day }
    const rest = { to: anchor, pools: before === null ? pools : [], swaps: part }
    await store.commitRange(batchOf({ before, to }, { ...rest, candles: candlesOf(part) }))
    before = to
  }
}

const describeSpans = (open: OpenBench): void => {
  test('of any period of time and blocks is the sum of its swaps', async () => {
    const spans = fc.array(
      fc.record({ from: fc.nat(8), seconds: fc.nat(8), block: fc.integer({ min: -1, max: 30 }) }),
    )
    await fc.assert(
      fc.asyncProperty(history, spans, async (rows, asked) => {
        const { store, dispose } = await open()
        // Up to four blocks in one second.
        const swaps = swapsOf(rows, (block) => day + Math.floor(block / 4))
        await write(store, swaps, 100)
        for (const { from, seconds, block: afterBlock } of asked) {
          const afterTs = day + from - 1
          const toTs = afterTs + seconds
          const read = await store.snapshot((one) => one.volume({ afterTs, toTs, afterBlock }))
          const within = swaps.filter(
            ({ ts, block }) => ts > afterTs && ts <= toTs && block > afterBlock,
          )
          expect(read).toEqual(recount(within))
        }
        await dispose()
      }),
      { numRuns: 25 },
    )
  })
}

const hour = 3600

const describeHours = (open: OpenBench): void => {
  test('of whole hours is the sum of their swaps, even beyond what candles can hold', async () => {
    // Most blocks are at the boundary of two hours or one second away from it.
    const steps = fc.array(fc.constantFrom(0, 1, hour - 2, hour - 1, hour, 2 * hour), {
      minLength: 30,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(
        history,
        steps,
        fc.integer({ min: 1, max: 9 }),
        async (rows, waits, each) => {
          const { store, dispose } = await open()
          const times: number[] = [day]
          for (const wait of waits) times.push((times.at(-1) as number) + wait)
          const swaps = swapsOf(rows, (block) => times[block] as number)
          await write(store, swaps, each)
          for (const [first, hours] of [
            [0, 0],
            [0, 1],
            [0, 24],
            [1, 5],
            [2, 1],
            [3, 60],
          ] as const) {
            const fromTs = day + first * hour
            const toTs = fromTs + hours * hour
            const read = await store.snapshot((one) => one.hourlyVolume({ fromTs, toTs }))
            const expected = recount(swaps.filter(({ ts }) => ts >= fromTs && ts < toTs))
            expect(read).toEqual(expected)
            for (const { number: pool } of pools) {
              const minutes = await store.snapshot((of) => of.minuteVolume({ pool, fromTs, toTs }))
              expect(minutes).toEqual(expected.find((sum) => sum.pool === pool) ?? null)
            }
          }
          await dispose()
        },
      ),
      { numRuns: 25 },
    )
  })

  test('of an hour omits a pool without swaps', async () => {
    const { store } = await open()
    const candles = [candleAt({ pool: 1, width: 3600, ts: day })]
    await store.commitRange(batchOf({ before: null, to: 1 }, { pools, candles }))
    const hours = { fromTs: day, toTs: day + hour }
    expect(await store.snapshot((one) => one.hourlyVolume(hours))).toEqual([])
  })
}

export const describeVolume = (open: OpenBench): void => {
  describe('volume', () => {
    describeSpans(open)
    describeHours(open)
    test('of nothing is nothing', async () => {
      const { store } = await open()
      expect(await store.snapshot((one) => one.volume(ever))).toEqual([])
    })
  })
}
