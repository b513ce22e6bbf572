import { expect, test } from 'vitest'
import { structureFaults } from './access-audit.ts'
import { lookAt, soon, startDashboard, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'

const [pool] = livelyPools

const open = async (width: number) => {
  const { url, market } = await startDashboard()
  const look = await lookAt(`${url}/pools/${pool?.id}`, { viewport: { width, height: 900 } })
  await look.page.locator('.range-box').scrollIntoViewIfNeeded()
  await look.page.waitForSelector('.range-box .range-results')
  await whole(look.page)
  return { market, ...look }
}

test.each([360, 1360])(
  '%i pixels: a range is asked for as it is typed, and moves nothing',
  async (width) => {
    const { page, market, complaints } = await open(width)
    const asked = () => JSON.stringify(market.queries)
    const box = page.locator('.range-box')
    await soon(() => box.textContent()).toContain('% a year')
    expect(await box.locator('input').count()).toBe(3)
    const height = () => box.evaluate((element) => element.getBoundingClientRect().height)
    const before = await height()
    await box.getByLabel('Dollars').fill('2,500')
    await soon(asked).toContain('"usd":2500')
    await box.getByLabel(/^From/).fill('nothing')
    await soon(() => box.textContent()).toContain('must be a number above 0')
    expect(Math.abs((await height()) - before)).toBeLessThan(1)
    expect(await structureFaults(page)).toEqual([])
    expect(complaints).toEqual([])
  },
)
