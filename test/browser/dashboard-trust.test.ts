import { expect, test } from 'vitest'
import { reasonWords } from '../../dashboard/words/reasons.ts'
import { statusReasons } from '../../src/domain/status/data-status.ts'
import type { PoolDetailView, PoolView } from '../../src/domain/views/pool.ts'
import { goTo, lookAt, startDashboard, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'

const [first] = livelyPools as readonly [PoolView]

const startWith = async (changes: Partial<PoolView>, detail: Partial<PoolDetailView> = {}) => {
  const { url, market } = await startDashboard()
  const detailOf = market.pool
  const stockOf = market.stock
  Object.assign(market, {
    pool: async (...query: Parameters<typeof detailOf>) => {
      const found = await detailOf(...query)
      return found && { ...found, ...detail, pool: { ...found.pool, ...changes } }
    },
    stock: async (...query: Parameters<typeof stockOf>) => {
      const found = await stockOf(...query)
      const { statusReasons: codes = [] } = changes
      return found && { ...found, stock: { ...found.stock, statusReasons: codes } }
    },
  })
  return { ...(await lookAt(`${url}/pools/${first.id}`)), url }
}

test('every reason stands in words on the pages of a pool and of a stock', async () => {
  const { page, url, complaints } = await startWith({ statusReasons })
  await whole(page)
  const words = statusReasons.map((code) => reasonWords[code])
  expect(new Set(words).size).toBe(statusReasons.length)
  expect(await page.locator('.reasons li').allTextContents()).toEqual(words)
  await goTo(page, `${url}/stocks/NVDA`)
  expect(await page.locator('.head .reasons li').allTextContents()).toEqual(words)
  expect(complaints).toEqual([])
})

const hooks = '0x00000000000000000000000000000000000000c0'

test.each([
  ['reviewed', 'Adds <b>points</b> to the trader', 'Reviewed by the operator'],
  ['unreviewed', null, 'Not reviewed'],
  ['harmless', null, 'acts on liquidity only'],
] as const)('a hook that is %s says so', async (verdict, note, words) => {
  const { page, complaints } = await startWith({ hooks }, { hookReview: { verdict, note } })
  await whole(page)
  const review = await page.locator('.hook-review').textContent()
  expect(review).toContain(words)
  if (note !== null) expect(review).toContain(note)
  expect(await page.locator('.hook-review b').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a pool without a hook has nothing to review', async () => {
  const { page } = await startWith({})
  await whole(page)
  expect(await page.locator('.hook-review').count()).toBe(0)
  expect(await page.getByText('No hook: the rules of a swap cannot change.').count()).toBe(1)
})
