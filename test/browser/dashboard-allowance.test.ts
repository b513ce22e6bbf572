import type { Page, Request } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { goTo, lookAt, soon, startDashboard, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'
import { openPage } from './open-browser.ts'

/*
 * The dashboard asks its own service, which limits the requests of each address: its pages ask
 * little, have an allowance of their own, and say when they are refused.
 */

const [first] = livelyPools
const paths = ['/', '/pools', `/pools/${first?.id}`, '/stocks/NVDA', `/embed/pool/${first?.id}`]
const callsMax = 3

const isCall = (request: Request): boolean => {
  const { pathname } = new URL(request.url())
  return pathname.startsWith('/api/') && pathname !== '/api/v1/stream'
}

/** What the pages of this tab ask, and how many of it is refused. */
const watch = (page: Page) => {
  const seen = { calls: [] as string[], refused: 0 }
  page.on('request', (request) => {
    if (isCall(request)) seen.calls.push(request.url())
  })
  page.on('response', (response) => {
    if (response.status() === 429) seen.refused += 1
  })
  return seen
}

test('of forty pages each asks three times at most, and none is refused', async () => {
  const { url } = await startDashboard(0, { rateLimitPerMinute: 120 })
  const { page } = await openPage()
  const seen = watch(page)
  for (let count = 0; count < 40; count++) {
    // Ends what the page before still asks.
    await page.goto('about:blank')
    seen.calls.length = 0
    await goTo(page, `${url}${paths[count % paths.length]}`)
    expect(seen.calls.length, seen.calls.join('\n')).toBeLessThanOrEqual(callsMax)
  }
  expect(seen.refused).toBe(0)
})

test('a page that is refused says so and counts down, then continues', async () => {
  const { url } = await startDashboard()
  const { page } = await lookAt(`${url}/`)
  const refusal = { status: 429, headers: { 'retry-after': '3' }, body: '{}' }
  let isRefused = true
  await page.route(/api\/v1\/status/, (route) =>
    isRefused ? route.fulfill(refusal) : route.fallback(),
  )
  const banner = page.locator('.banner.lost')
  await soon(() => banner.textContent()).toMatch(/asked too often. It asks again in [123] s/)
  isRefused = false
  await banner.waitFor({ state: 'detached' })
  await whole(page)
})

describe('the sandbox', () => {
  const network = { name: 'sandbox', sandbox: true, explorerUrl: null }

  test('its banner is in the document, before anything is asked', async () => {
    const { url } = await startDashboard(0, { network })
    const textOf = async (path: string) => (await fetch(`${url}${path}`)).text()
    for (const path of ['/', '/pools', '/stocks', '/pools/0x0']) {
      expect(await textOf(path)).toContain('invented prices and traders')
    }
    const live = await startDashboard()
    expect(await (await fetch(live.url)).text()).not.toContain('invented')
  })
})
