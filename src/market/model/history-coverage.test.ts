import { expect, test } from 'vitest'
import { noon } from '../../../test/support/domain/sample-facts.ts'
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

/** Everything after a block of so many seconds ago is in; the history reaches back to block 10. */
const historyAt = (block: number, seconds: number) => ({
  cursor: anchorAt(head, noon),
  backfillCursor: {
    completeAfter: anchorAt(block, noon - seconds),
    firstBlock: 10,
    startedAt: head,
    lastPoolNumber: 1,
  },
})

const volumeOf = async (follower: ReturnType<typeof createStoreSync>, number: number) =>
  follower.read(async (_, model) => getByNumber(model.pools, number)?.volume)

test('a window is null until its swaps are in, and then is what they sum up to', async () => {
  const store = sampleStore()
  const follower = createStoreSync({ store, trusted })
  const swapAgo = (block: number, seconds: number) => swapOf(block, { ts: noon - seconds })
  store.write({
    header: historyAt(900, 60),
    pools: [poolOf(1, { lastSwapTs: null })],
    swaps: [swapAgo(950, 30)],
  })
  const first = await volumeOf(follower, 1)
  expect(first).toMatchObject({ vol1hUsd: null, vol24hUsd: null, isGap: true })

  store.write({ header: historyAt(700, 2 * hour), swaps: [swapAgo(800, hour / 2)] })
  const known = await volumeOf(follower, 1)
  expect(known?.vol1hUsd).not.toBeNull()
  expect(known).toMatchObject({ vol24hUsd: null, isGap: true })

  store.write({ header: historyAt(500, 25 * hour), swaps: [swapAgo(600, 20 * hour)] })
  const day = await volumeOf(follower, 1)
  expect(day?.vol1hUsd).toBe(known?.vol1hUsd)
  expect(day?.vol24hUsd).toBe((day?.vol1hUsd ?? 0) + 100)
  // Nobody knows yet whether the pool traded within the week.
  expect(day?.isGap).toBe(true)

  store.write({ header: historyAt(9, 50 * hour) })
  expect(await volumeOf(follower, 1)).toMatchObject({ vol24hUsd: day?.vol24hUsd, isGap: false })
})

test.each([
  ['came later than those whose past is filled in', poolOf(2), 900],
  ['is younger than what is in', poolOf(1, { createdBlock: 950 }), 900],
])('a pool has no gap that %s', async (_, pool, block) => {
  const store = sampleStore()
  const follower = createStoreSync({ store, trusted })
  store.write({ header: historyAt(block, 60), pools: [pool] })
  const volume = await volumeOf(follower, pool.number)
  expect(volume).toMatchObject({ isGap: false })
  expect(volume?.vol24hUsd).not.toBeNull()
})
