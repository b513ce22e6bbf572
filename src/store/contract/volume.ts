import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredSwap } from '../../domain/pool/stored-events.ts'
import type { VolumeSecond } from '../../ports/store-rows.ts'
import type { OpenBench } from '../contract.ts'
import { anchorAt, batchOf, day, swapAt } from './fixtures.ts'

type After = { readonly ts: number; readonly block: number }

/** The seconds that answer, counted anew from the swaps. */
const recount = (swaps: readonly StoredSwap[], after: After): readonly VolumeSecond[] => {
  const within = swaps.filter(({ ts, block }) => ts > after.ts && block > after.block)
  const groups = Map.groupBy(within, ({ pool, ts }) => ts * 10 + pool)
  return [...groups]
    .toSorted(([one], [other]) => one - other)
    .map(([second, group]) => ({
      pool: second % 10,
      ts: Math.floor(second / 10),
      usdMicro: group.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0),
      swaps: group.length,
      unpriced: group.filter(({ usdMicro }) => usdMicro === null).length,
      estimated: group.filter(({ estimated }) => estimated).length,
    }))
}

/** Blocks of three swaps each, up to four in one second. */
const history = fc.array(
  fc.record({
    pool: fc.integer({ min: 1, max: 3 }),
    usdMicro: fc.option(fc.nat(2 ** 40)),
    estimated: fc.boolean(),
  }),
  { minLength: 1, maxLength: 80 },
)

const tsOf = (block: number): number => day + Math.floor(block / 4)

const describeMoments = (open: OpenBench): void => {
  test('is by (second, pool) what the swaps sum up to, from any moment on', async () => {
    const moments = fc.array(fc.record({ ts: fc.nat(8), block: fc.integer({ min: -1, max: 30 }) }))
    await fc.assert(
      fc.asyncProperty(history, moments, fc.boolean(), async (rows, asked, isNamed) => {
        const { store, dispose } = await open()
        const swaps = rows.map((row, at) => {
          const block = Math.floor(at / 3)
          return swapAt({ pool: row.pool, block, logIndex: at % 3 }, { ...row, ts: tsOf(block) })
        })
        const last = Math.floor((rows.length - 1) / 3)
        const anchors = Array.from({ length: last + 1 }, (_, block) => ({
          ...anchorAt(block),
          ts: tsOf(block),
        }))
        const to = anchors[last] as (typeof anchors)[number]
        const blocks = isNamed ? anchors : []
        await store.commit({ ...batchOf({ before: null, to: last }), to, blocks, swaps })
        for (const { ts, block } of asked) {
          const after = { ts: day + ts - 1, block }
          const read = await store.snapshot((snapshot) => snapshot.volume(after))
          expect(read).toEqual(recount(swaps, after))
        }
        await dispose()
      }),
      { numRuns: 25 },
    )
  })
}

const describeBatches = (open: OpenBench): void => {
  test('batch after batch sums up to the whole, within one second too', async () => {
    const { store } = await open()
    const swaps = [2, 2, 5, 9].map((block, logIndex) =>
      swapAt({ pool: 1, block, logIndex }, { ts: tsOf(block) }),
    )
    const read = (after: After) => store.snapshot((snapshot) => snapshot.volume(after))
    let before: number | null = null
    const parts: VolumeSecond[] = []
    for (const to of [4, 8, 12]) {
      const part = swaps.filter(({ block }) => block > (before ?? -1) && block <= to)
      const anchor = { ...anchorAt(to), ts: tsOf(to) }
      await store.commit(batchOf({ before, to }, { to: anchor, swaps: part }))
      parts.push(...(await read({ ts: day - 86_400, block: before ?? -1 })))
      before = to
    }
    expect(parts).toEqual(await read({ ts: day - 86_400, block: -1 }))
  })
}

export const describeVolume = (open: OpenBench): void => {
  describe('volume', () => {
    describeMoments(open)
    describeBatches(open)
  })
}
