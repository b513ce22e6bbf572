import { expect, test } from 'vitest'
import { lookAt, search, soon, startDashboard } from './dashboard-page.ts'

/*
 * What a reader does with the table, in a real browser: the address always says what is shown.
 */

const rows = '.pools tbody tr'
const firstPair = '.pools tbody tr:first-child .pair'

test('search, filter, sort and page; the address follows, and going back goes back', async () => {
  const { url } = await startDashboard()
  const { page, complaints, keep } = await lookAt(`${url}/`)
  const count = () => page.locator(rows).count()
  const pagerText = () => page.locator('.pager [role=status]').textContent()
  expect([await count(), await pagerText()]).toEqual([50, '1–50 of 135'])
  expect(await page.locator('.banner.sandbox').count()).toBe(0)
  await keep('overview')

  await page.getByRole('button', { name: 'Next page' }).click()
  await soon(pagerText).toBe('51–100 of 135')
  expect(await search(page)).toBe('?page=2')

  await page.keyboard.press('/')
  await page.keyboard.type('dog1')
  await soon(count).toBe(13)
  expect(await search(page)).toBe('?q=dog1')

  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Stock').selectOption('TSLA')
  await page.getByLabel('Version').selectOption('v4')
  await soon(count).toBe(22)
  expect(await search(page)).toBe('?symbol=TSLA&version=v4')
  await page.goBack()
  await soon(count).toBe(43)

  const volume = page.getByRole('button', { name: 'Vol 24 h' })
  await volume.focus()
  await page.keyboard.press('Enter')
  await page.waitForSelector('th[aria-sort=descending] >> text=Vol 24 h')
  await page.keyboard.press('Enter')
  await page.waitForSelector('th[aria-sort=ascending] >> text=Vol 24 h')
  expect(await search(page)).toBe('?symbol=TSLA&sort=vol24h&order=asc')

  await page.getByRole('button', { name: 'Depth 2 %' }).click()
  await page.waitForSelector('th[aria-sort=descending] >> text=Depth 2 %')
  expect(await search(page)).toBe('?symbol=TSLA&sort=depth')
  expect(complaints).toEqual([])
})

test('the search says which token a text is, and warns of what only looks like one', async () => {
  const { url, market } = await startDashboard()
  const { resolve } = market
  Object.assign(market, {
    resolve: async (q: string) => {
      const answer = await resolve(q)
      if (q === 'NVDA') return { ...answer, asked: null }
      const candidates = answer.token === null ? [] : [answer.token]
      return { ...answer, result: 'look_alike', token: null, asked: null, candidates }
    },
  })
  const { page, complaints } = await lookAt(`${url}/?q=NVDA`)
  const resolved = page.locator('.resolved')
  await soon(() => resolved.textContent()).toContain('NVDA (NVIDIA) is 0xd060')
  expect(await page.locator('.resolved.warning').count()).toBe(0)
  await page.getByLabel('Search pools').fill('NVDА')
  await page.waitForSelector('.resolved.warning >> text=only looks like another one')
  expect(await resolved.locator('a').getAttribute('href')).toBe('/stocks/NVDA')
  await page.getByRole('button', { name: 'Clear' }).click()
  await soon(() => resolved.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a shared link shows the same rows and ignores invalid values', async () => {
  const { url } = await startDashboard()
  const { page } = await lookAt(`${url}/?kind=meme&sort=lastSwap&page=1&hot=true&dogs=7`)
  expect(await page.getByLabel('Kind').inputValue()).toBe('meme')
  expect(await page.getByRole('button', { name: 'Hot' }).getAttribute('aria-pressed')).toBe('true')
  expect(await page.locator(firstPair).first().textContent()).toBe('AAPL/DOG20')
})

test('numbers say where they come from, badges why; tiny prices count their zeros', async () => {
  const { url } = await startDashboard()
  const { page, complaints } = await lookAt(`${url}/?q=DOG2`)
  const price = page.locator('.price').first()
  expect(await price.textContent()).toBe('$0.0₈45')
  await price.hover()
  const said = await page.locator('.tip-box').textContent()
  expect(said).toContain('$0.0000000045')
  expect(said).toMatch(/2s old, of 20 Nov 2026|\d+[smhd] old/)
  await page.locator('.badge').first().hover()
  await page.waitForSelector('.tip-box >> text=Fresh: every input')
  expect(complaints).toEqual([])
})

test('a row changes when the stream says so', async () => {
  const { url, market } = await startDashboard()
  const { page } = await lookAt(`${url}/?q=usdg`)
  const { items } = await market.pools({
    ...{ symbol: null, kind: null, q: null, version: null, venue: null, active: null, hot: null },
    ...{ comparable: null, minLiquidityUsd: null, minDepthUsd: null, sort: null, order: 'desc' },
    ...{ limit: 1, offset: 0 },
  })
  const [first] = items as [(typeof items)[number]]
  const data = { ...first, stockPriceUsd: 321.5, asOfBlock: (first.asOfBlock ?? 0) + 9 }
  const about = { symbols: ['NVDA'], poolId: first.id }
  await soon(async () => {
    market.publish([{ topic: 'pool', data, about }])
    return page.locator('.price').first().textContent()
  }).toBe('$321.50')
})

test('while the past is read its progress shows; a source in trouble says why', async () => {
  // Whatever its name: the API says that it is one.
  const network = { name: 'my-box', sandbox: true, explorerUrl: null }
  const { url, market } = await startDashboard(0, { network })
  const status = market.status()
  const [row] = status.sources as [(typeof status.sources)[number]]
  const backfill = { phase: 'swaps', done: 45_000, total: 120_000 }
  const chain = { ...status.chain, backfill }
  const lastError = 'HTTP 503 from quotes.example'
  const sources = (['quotes', 'pools', 'swaps', 'screener'] as const).map((source, at) => ({
    ...{ ...row, source },
    ...(at === 0 ? { state: 'stale' as const, lastError } : {}),
    ...(at === 3 ? { state: 'disabled' as const, lastSuccessTs: null } : {}),
  }))
  Object.assign(market, { status: () => ({ ...status, chain, sources }) })
  const { page, complaints, keep } = await lookAt(`${url}/`)
  await page.waitForSelector('.banner.sandbox >> text=not a real market')
  await page.waitForSelector('.banner.bootstrap >> text=45,000 of 120,000 (37 %)')
  await page.locator('.source.stale .tip').focus()
  await page.waitForSelector('.tip-box >> text=Reference prices of the stocks: is older')
  await keep('bootstrap')
  expect(complaints).toEqual([])
})
