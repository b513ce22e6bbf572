import { expect, test } from 'vitest'
import { noon } from '../../../test/support/domain/sample-inputs.ts'
import {
  anchorAt,
  poolOf,
  sampleStore,
  swapOf,
  trusted,
} from '../../../test/support/market/sample-market.ts'
import { createStoreSync } from '../sync/store-sync.ts'
import { getByNumber } from './chunked-table.ts'

const hour = 3600
const head = 1000

/** Complete after `block`, which is `seconds` old; the backfill ends at block 10. */
const coveredAfter = (block: number, seconds: number) => ({
  cursor: anchorAt(head, noon),
  backfillCursor: {
    completeAfter: anchorAt(block, noon - seconds),
    firstBlock: 10,
    startedAt: head,
    lastPoolNumber: 1,
  },
})

const volumeOf = async (sync: ReturnType<typeof createStoreSync>, number: number) =>
  sync.read(async (_, model) => getByNumber(model.pools, number)?.volume)

test('reports null for a window until its swaps are stored, then their sum', async () => {
  const store = sampleStore()
  const sync = createStoreSync({ store, trusted })
  const swapAgo = (block: number, seconds: number) => swapOf(block, { ts: noon - seconds })
  store.write({
    header: coveredAfter(900, 60),
    pools: [poolOf(1, { lastSwapTs: null })],
    swaps: [swapAgo(950, 30)],
  })
  const first = await volumeOf(sync, 1)
  expect(first).toMatchObject({ vol1hUsd: null, vol24hUsd: null, isGap: true })

  store.write({ header: coveredAfter(700, 2 * hour), swaps: [swapAgo(800, hour / 2)] })
  const known = await volumeOf(sync, 1)
  expect(known?.vol1hUsd).not.toBeNull()
  expect(known).toMatchObject({ vol24hUsd: null, isGap: true })

  store.write({ header: coveredAfter(500, 25 * hour), swaps: [swapAgo(600, 20 * hour)] })
  const day = await volumeOf(sync, 1)
  expect(day?.vol1hUsd).toBe(known?.vol1hUsd)
  expect(day?.vol24hUsd).toBe((day?.vol1hUsd ?? 0) + 100)
  // Whether the pool traded within the week is not known yet.
  expect(day?.isGap).toBe(true)

  store.write({ header: coveredAfter(9, 50 * hour) })
  expect(await volumeOf(sync, 1)).toMatchObject({ vol24hUsd: day?.vol24hUsd, isGap: false })
})

test.each([
  ['was added after the backfill started', poolOf(2), 900],
  ['was created after the complete block', poolOf(1, { createdBlock: 950 }), 900],
])('finds no gap in a pool that %s', async (_, pool, block) => {
  const store = sampleStore()
  const sync = createStoreSync({ store, trusted })
  store.write({ header: coveredAfter(block, 60), pools: [pool] })
  const volume = await volumeOf(sync, pool.number)
  expect(volume).toMatchObject({ isGap: false })
  expect(volume?.vol24hUsd).not.toBeNull()
})
