import { expect, test } from 'vitest'
import { hexOf, noon, quoteOf } from '../../../test/support/domain/sample-inputs.ts'
import {
  anyPool,
  marketOver,
  poolOf,
  sampleStore,
} from '../../../test/support/market/sample-market.ts'

const manyPools = Array.from({ length: 3000 }, (_, index) =>
  poolOf(index + 10, { id: hexOf(index + 10, 32) }),
)

const pageAt = async ({ market }: ReturnType<typeof marketOver>) => {
  const { items } = await market.pools(anyPool)
  return { pool: items[0]?.liquidityUsd, asOf: items[0]?.asOfBlock, count: items.length }
}

test('returns the previous market while thousands of pools are valued', async () => {
  const store = sampleStore()
  store.write({ pools: manyPools })
  const followed = marketOver(store)
  await followed.market.refresh()
  const before = await pageAt(followed)
  expect(before.pool).toBe(250_000)

  store.write({ quotes: [quoteOf({ bid: 110, ask: 110, publishedTs: noon })] })
  const refreshed = followed.market.refresh()
  // The model is read, its pools are not valued yet.
  await new Promise((resolve) => setImmediate(resolve))
  expect(await pageAt(followed)).toEqual(before)
  await refreshed
  expect(await pageAt(followed)).toMatchObject({ pool: 260_000 })
  expect(followed.market.health().pools).toMatchObject({ total: 3003, v3: 3002, meme: 1 })
})

test('waits when the previous market is older than two seconds', async () => {
  const store = sampleStore()
  store.write({ pools: manyPools })
  const followed = marketOver(store)
  await followed.market.refresh()
  // All states grow old at once: every pool has to be looked at.
  followed.clock.ts = noon + 100
  const { items } = await followed.market.pools(anyPool)
  expect(items.every(({ dataStatus }) => dataStatus === 'stale')).toBe(true)
})
