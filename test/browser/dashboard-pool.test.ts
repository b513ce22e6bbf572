import { expect, test } from 'vitest'
import {
  explorerUrl,
  goTo,
  lookAt,
  search,
  soon,
  startDashboard,
  unhurried,
  whole,
} from './dashboard-page.ts'
import { livelyPools, swapOf } from './lively-market.ts'

const [first] = livelyPools as readonly [(typeof livelyPools)[number]]

test('a pool opens from its row: charts, ranges, and a swap when it is confirmed', async () => {
  const { url, market } = await startDashboard()
  const { page, complaints, keep } = await lookAt(`${url}/`)
  await page.locator('.row-link').first().click()
  await page.waitForSelector('.plots canvas')
  await whole(page)
  expect(await page.evaluate('location.pathname')).toBe(`/pools/${first.id}`)
  expect(await page.locator('.plots canvas').count()).toBe(3)
  expect(await page.locator('.legend').textContent()).toMatch(
    /NVDA \$\d.*Reference.*Premium \/ drift.*Volume/,
  )
  expect(await page.title()).toBe('$225.40 NVDA/USDG')
  await keep('pool')

  await page.getByText('7d', { exact: true }).click()
  await soon(() => market.queries).toContainEqual({ id: first.id, range: '7d' })
  expect(await search(page)).toBe('?range=7d')
  await page.keyboard.press('ArrowRight')
  await soon(() => market.queries).toContainEqual({ id: first.id, range: '30d' })

  await whole(page)
  const before = await page.locator('.swaps tbody tr').count()
  const about = { symbols: ['NVDA'], poolId: first.id }
  const block = (first.asOfBlock ?? 0) + 1
  const data = { ...swapOf(9, 777.25), block, poolId: first.id, stockSymbol: 'NVDA' }
  await soon(async () => {
    market.publish([{ topic: 'swap', data, about }])
    return page.locator('.swaps tbody tr').first().textContent()
  }).toContain('777.25')
  expect(await page.locator('.swaps tbody tr').count()).toBe(before + 1)
  expect(complaints).toEqual([])
})

test('a stock: reference, session, pools, and a warning of tokens with its name', async () => {
  const { url } = await startDashboard()
  const { page, complaints, keep } = await lookAt(`${url}/stocks/NVDA`)
  await page.waitForSelector('.warning >> text=Look-alikes')
  expect(await page.locator('aside').textContent()).toContain('Market open')
  expect(await page.locator('.pools tbody tr').count()).toBe(livelyPools.length)
  await keep('stock')
  expect(complaints).toEqual([])
})

test('a range without a price says so, and the next one is drawn again', async () => {
  const { url, market } = await startDashboard()
  const detailOf = market.pool
  const meme = livelyPools.find(({ kind }) => kind === 'meme')
  Object.assign(market, {
    pool: async (id: Parameters<typeof detailOf>[0], range: Parameters<typeof detailOf>[1]) => {
      const detail = await detailOf(id, range)
      if (detail === null || range !== '1h') return detail
      return { ...detail, series: detail.series.map((row) => ({ ...row, otherPriceUsd: null })) }
    },
  })
  const { page } = await lookAt(`${url}/pools/${meme?.id}`)
  expect(await page.locator('.plots canvas').count()).toBe(2)
  await page.getByText('1h', { exact: true }).click()
  await page.waitForSelector('text=No price is known in this range')
  await page.getByText('24h', { exact: true }).click()
  await soon(() => page.locator('.plots canvas').count()).toBe(2)
})

test('a browser that was started without a language draws the chart as well', async () => {
  const { url } = await startDashboard()
  // What Chromium calls it under LANG=C.
  const script = `Object.defineProperty(Navigator.prototype, 'language', {
    get: () => 'en-US@posix',
  })`
  const { page, complaints } = await lookAt(`${url}/pools/${first.id}`, { script })
  expect(await page.locator('.plots canvas').count()).toBe(3)
  expect(complaints).toEqual([])
})

test('what does not exist says so', async () => {
  const { url } = await startDashboard()
  const { page } = await lookAt(`${url}/pools/0x${'9'.repeat(40)}`)
  await page.waitForSelector('text=no stock pool with this id')
})

test('on a phone nothing is wider than the screen, in the dark as in the light', async () => {
  const { url } = await startDashboard()
  const viewport = { width: 390, height: 844 }
  const { page, complaints, keep } = await lookAt(`${url}/`, { viewport, colorScheme: 'dark' })
  const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(await overflow()).toBeLessThanOrEqual(0)
  await keep('phone')
  await page.locator('.row-link').first().click()
  await page.waitForSelector('.plots canvas')
  await whole(page)
  expect(await overflow()).toBeLessThanOrEqual(0)
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.locator('.theme').click()
  expect(await background()).not.toBe(dark)
  await keep('phone-pool')
  expect(complaints).toEqual([])
})

test('the chart’s last bucket follows each swap, and a new one opens in its time', async () => {
  const { url, market } = await startDashboard()
  const { page, complaints } = await lookAt(`${url}/pools/${first.id}`, { script: unhurried })
  const asked = market.queries.length
  const legend = () => page.locator('.legend').textContent()
  const about = { symbols: ['NVDA'], poolId: first.id }
  const block = (first.asOfBlock ?? 0) + 1
  const swap = { ...swapOf(9, 2), block, poolId: first.id, stockSymbol: 'NVDA', amountUsd: 5_000 }
  const record = { ...first, stockPriceUsd: 240, asOfBlock: block }
  const send = () =>
    market.publish([
      { topic: 'swap', data: swap, about },
      { topic: 'pool', data: record, about },
    ])
  // Sent repeatedly until the stream is open; a duplicate swap counts once.
  const sent = async () => {
    send()
    return legend()
  }
  await soon(sent).toMatch(/NVDA \$240\.00.*Volume \$12\.0K/)
  const at = /\d\d:\d\d:\d\d/
  const before = at.exec((await legend()) ?? '')?.[0]
  const later = { ...record, stockPriceUsd: 241, stateTs: (first.stateTs ?? 0) + 300 }
  market.publish([{ topic: 'pool', data: { ...later, asOfBlock: block + 3000 }, about }])
  await soon(legend).toMatch(/NVDA \$241\.00.*Volume \$0\.00/)
  expect(at.exec((await legend()) ?? '')?.[0]).not.toBe(before)
  // None of it was asked for.
  const questions = market.queries
    .slice(asked)
    .filter((each) => JSON.stringify(each).includes('range'))
  expect(questions).toEqual([])
  expect(complaints).toEqual([])
})

test('links lead to the chain’s explorer where the network has one, and nowhere else', async () => {
  const { url } = await startDashboard()
  const { page, complaints } = await lookAt(`${url}/pools/${first.id}`)
  const outside = page.locator('a[target=_blank]')
  const links = await outside.evaluateAll((all) =>
    all.map((link) => [link.getAttribute('href'), link.getAttribute('rel')]),
  )
  const hrefs = links.map(([href]) => href)
  expect(hrefs).toContain(`${explorerUrl}/address/${first.id}`)
  expect(hrefs).toContain(`${explorerUrl}/token/${first.stockAddress}`)
  expect(hrefs).toContain(`${explorerUrl}/token/${first.otherAddress}`)
  expect(hrefs).toContain(`${explorerUrl}/tx/${swapOf(1).txHash}`)
  expect(new Set(links.map(([, rel]) => rel))).toEqual(new Set(['noopener noreferrer']))
  await goTo(page, `${url}/stocks/NVDA`)
  await page.waitForSelector(`aside a[href^="${explorerUrl}/token/"]`)
  await goTo(page, `${url}/?kind=meme`)
  await page.waitForSelector(`.pools a[href^="${explorerUrl}/token/"]`)
  await page.waitForSelector(`.tape a[href^="${explorerUrl}/tx/"]`)
  const network = { name: 'bare', sandbox: false, explorerUrl: null }
  const { url: bare } = await startDashboard(0, { network })
  await goTo(page, `${bare}/pools/${first.id}`)
  await page.waitForSelector('.swaps button.hex')
  expect(await outside.count()).toBe(0)
  expect(complaints).toEqual([])
})

test('a stock’s numbers say where they come from and how old they are', async () => {
  const { url } = await startDashboard()
  const { page, complaints } = await lookAt(`${url}/stocks/NVDA`)
  const figures = page.locator('.main-price .figure, aside .figure')
  const tip = page.locator('.tip-box')
  const poolsAge = /2s old|\d+[smhd] old/
  const names = await figures.allTextContents()
  expect(names.length).toBeGreaterThanOrEqual(11)
  for (const [at, name] of names.entries()) {
    await figures.nth(at).focus()
    const said = (await tip.textContent()) ?? ''
    expect(said, name).toMatch(said.includes('token’s contract') ? /In force/ : poolsAge)
  }
  // The pools' numbers are as old as the pools were read, not as the quote is.
  await page.locator('.main-price .figure').first().hover()
  expect(await tip.textContent()).toMatch(/best canonical pool’s price/)
  const stateAt = new Date((first.stateTs ?? 0) * 1000).toISOString().slice(11, 19)
  expect(await tip.textContent()).toContain(stateAt)
  expect(complaints).toEqual([])
})
