import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { goTo, lookAt, search, soon, startDashboard, unhurried, whole } from './dashboard-page.ts'
import { holdAnswers } from './held-answers.ts'
import { livelyPools } from './lively-market.ts'
import { openPage } from './open-browser.ts'
import { lateFrames } from './slowly.ts'

/*
 * On a slow line what was asked is not there yet, and answers come in any order:
 *
 *   asked    A ────── B ────
 *   answered ──────── B ── A      the rows are of A's question before, of B, and stay of B
 */

const lists = /\/api\/v1\/pools\?/
const [first, second] = livelyPools as readonly [PoolView, PoolView]
const block = (first.asOfBlock ?? 0) + 9
const about = { symbols: ['NVDA'], poolId: first.id }

const busyTable = '.pools[aria-busy=true]'
const pairs = (page: Page) => page.locator('.pools tbody .pair').allTextContents()
const pages = (page: Page) => page.locator('.pager [role=status]').textContent()
const price = (page: Page, row: number) => page.locator('.pools .price').nth(row).textContent()

/** The list as it is, but for this pool. */
const changePool = (market: SampleMarket, change: Partial<PoolView> & Pick<PoolView, 'id'>) => {
  const { pools } = market
  const changed = (row: PoolView) => (row.id === change.id ? { ...row, ...change } : row)
  Object.assign(market, {
    pools: async (query) => {
      const found = await pools(query)
      return { ...found, items: found.items.map(changed) }
    },
  } satisfies Partial<SampleMarket>)
}

/** Sent repeatedly until the stream is open. */
const hearPrice = (page: Page, market: SampleMarket, stockPriceUsd: number) =>
  soon(async () => {
    const data = { ...first, stockPriceUsd, asOfBlock: block }
    market.publish([{ topic: 'pool', data, about }])
    return price(page, 0)
  }).toBe(`$${stockPriceUsd.toFixed(2)}`)

const rollBack = (market: SampleMarket, afterBlock: number | null) =>
  market.publish([{ topic: 'rollback', data: { afterBlock, ts: 9 }, about: null }])

describe('the table', () => {
  test('until the answer comes, order, rows and pages say what they are of', async () => {
    const { url } = await startDashboard()
    const { page, complaints } = await lookAt(`${url}/`, { script: unhurried })
    const before = await pairs(page)
    const { letAllGo } = await holdAnswers(page, lists)
    await page.getByRole('button', { name: 'Vol 24 h' }).click()
    await page.waitForSelector(busyTable)
    expect(await search(page)).toBe('?sort=vol24h')
    expect(await page.locator('th[aria-sort=descending]').textContent()).toContain('Liquidity')
    expect(await pairs(page)).toEqual(before)
    await page.getByRole('button', { name: 'Next page' }).click()
    await soon(() => search(page)).toBe('?sort=vol24h&page=2')
    expect(await pages(page)).toBe('1–50 of 135')
    await letAllGo()
    await whole(page)
    expect(await page.locator('th[aria-sort=descending]').textContent()).toContain('Vol 24 h')
    expect(await pages(page)).toBe('51–100 of 135')
    expect(await pairs(page)).not.toEqual(before)
    expect(complaints).toEqual([])
  })

  test('a late answer to an older question changes nothing', async () => {
    const { url } = await startDashboard()
    const { page, complaints } = await lookAt(`${url}/`, { script: unhurried })
    const { answerTo, letAllGo } = await holdAnswers(page, lists)
    await page.getByLabel('Stock').selectOption('NVDA')
    const older = await answerTo('symbol=NVDA')
    await page.getByLabel('Stock').selectOption('TSLA')
    const newer = await answerTo('symbol=TSLA')
    newer.letGo()
    await whole(page)
    const shown = await pairs(page)
    expect(new Set(shown.map((pair) => pair.slice(0, 5)))).toEqual(new Set(['TSLA/']))
    older.letGo()
    await letAllGo()
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(await pairs(page)).toEqual(shown)
    expect(complaints).toEqual([])
  })

  test('keeps newer stream events when an older response arrives', async () => {
    const { url, market } = await startDashboard()
    const { page } = await lookAt(`${url}/`, { script: unhurried })
    await hearPrice(page, market, 300)
    const { answerTo } = await holdAnswers(page, lists)
    changePool(market, { id: second.id, stockPriceUsd: 111 })
    rollBack(market, block - 1)
    const answer = await answerTo('limit=50')
    await hearPrice(page, market, 321.5)
    answer.letGo()
    await soon(() => price(page, 1)).toBe('$111.00')
    expect(await price(page, 0)).toBe('$321.50')
  })

  test('what no longer holds goes, and is asked of the service, not of the browser', async () => {
    const { url, market } = await startDashboard()
    const { page } = await lookAt(`${url}/`, { script: unhurried })
    await hearPrice(page, market, 300)
    changePool(market, { id: first.id, stockPriceUsd: 250, asOfBlock: block - 5 })
    rollBack(market, block - 6)
    await soon(() => price(page, 0)).toBe('$250.00')
  })
})

/** Types into the search, and does something else before the hand has come to rest. */
const typeAnd = (page: Page, act: string) =>
  page.evaluate(`{
    const input = document.querySelector('[aria-label="Search pools"]')
    input.value = 'tsla'
    input.dispatchEvent(new Event('input', { bubbles: true }))
    ${act}
  }`)

describe('the search, while its question waits for the hand to rest', () => {
  test('keeps a filter that is chosen during a request', async () => {
    const { url } = await startDashboard()
    const { page } = await lookAt(`${url}/`)
    await typeAnd(page, `document.querySelector('.toggle').click()`)
    await soon(() => search(page)).toBe('?q=tsla&hot=true')
    await typeAnd(page, `document.querySelector('.clear').click()`)
    // The page's own timers are in order: what was to come has come.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))')
    expect(await search(page)).toBe('')
    expect(await page.getByLabel('Search pools').inputValue()).toBe('')
  })

  test.each([
    { what: 'a page', look: {} },
    { what: 'a page that was never painted', look: { script: lateFrames } },
  ])('a pending $what does not navigate back from the page opened after it', async ({ look }) => {
    const { url } = await startDashboard()
    const { page } = await lookAt(`${url}/`, look)
    await typeAnd(page, `document.querySelector('.row-link').click()`)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))')
    expect(await page.evaluate('location.pathname')).toBe(`/pools/${first.id}`)
  })
})

test('the latest swaps are asked for again when the first answer has been lost', async () => {
  const { url } = await startDashboard()
  const { page } = await openPage()
  let lost = 0
  await page.route(/api\/v1\/swaps/, (route) => (lost++ === 0 ? route.abort() : route.fallback()))
  await goTo(page, `${url}/`)
  expect(lost).toBeGreaterThan(1)
  expect(await page.locator('.tape tbody tr').count()).toBeGreaterThan(0)
})

test.each([
  { what: 'a pool', path: `/pools/${first.id}`, answers: /\/api\/v1\/pools\/0x/ },
  { what: 'a stock', path: '/stocks/NVDA', answers: /\/api\/v1\/stocks\/NVDA/ },
])('another range of $what: the chart says that it is of the one before', async (each) => {
  const { url } = await startDashboard()
  const { page } = await lookAt(`${url}${each.path}`, { script: unhurried })
  const { letAllGo } = await holdAnswers(page, each.answers)
  await page.getByText('7d', { exact: true }).click()
  await page.waitForSelector('.chart-panel[aria-busy=true]')
  expect(await search(page)).toBe('?range=7d')
  await letAllGo()
  await whole(page)
})
