import { expect, test } from 'vitest'
import { lookAt, startDashboard } from './dashboard-page.ts'
import { livelyPools, swapOf } from './lively-market.ts'

const [first] = livelyPools as readonly [(typeof livelyPools)[number]]

test('a pool opens from its row: charts, ranges, and a swap when it is confirmed', async () => {
  const { url, market } = await startDashboard()
  const { page, complaints, keep } = await lookAt(`${url}/`)
  await page.locator('.row-link').first().click()
  await page.waitForSelector('.plots canvas')
  expect(new URL(page.url()).pathname).toBe(`/pools/${first.id}`)
  expect(await page.locator('.plots canvas').count()).toBe(3)
  expect(await page.locator('.legend').textContent()).toMatch(/NVDA \$\d.*Reference.*Gap.*Volume/)
  expect(await page.title()).toBe('$225.40 NVDA/USDG')
  await keep('pool')

  await page.getByText('7d', { exact: true }).click()
  await expect.poll(() => market.asked).toContainEqual({ id: first.id, range: '7d' })
  expect(new URL(page.url()).search).toBe('?range=7d')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => market.asked).toContainEqual({ id: first.id, range: '30d' })

  const before = await page.locator('.swaps tbody tr').count()
  const about = { symbols: ['NVDA'], poolId: first.id }
  const data = { ...swapOf(9, 777.25), poolId: first.id, stockSymbol: 'NVDA' }
  await expect
    .poll(async () => {
      market.tell([{ topic: 'swap', data, about }])
      return page.locator('.swaps tbody tr').first().textContent()
    })
    .toContain('777.25')
  expect(await page.locator('.swaps tbody tr').count()).toBe(before + 1)
  expect(complaints).toEqual([])
})

test('a stock: reference, session, pools, and a warning of tokens with its name', async () => {
  const { url } = await startDashboard()
  const { page, complaints, keep } = await lookAt(`${url}/stocks/NVDA`)
  await page.waitForSelector('.plots canvas')
  await page.waitForSelector('.warning >> text=Look-alikes')
  expect(await page.locator('aside').textContent()).toContain('Market open')
  expect(await page.locator('.pools tbody tr').count()).toBe(livelyPools.length)
  await keep('stock')
  expect(complaints).toEqual([])
})

test('what does not exist says so', async () => {
  const { url } = await startDashboard()
  const { page } = await lookAt(`${url}/pools/0x${'9'.repeat(40)}`)
  await page.waitForSelector('text=no pool of a stock has this id')
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
  expect(await overflow()).toBeLessThanOrEqual(0)
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  const dark = await background()
  await page.locator('.theme').click()
  expect(await background()).not.toBe(dark)
  await keep('phone-pool')
  expect(complaints).toEqual([])
})
