import { expect, test } from 'vitest'
import { goTo, startDashboard } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'
import { openPage } from './open-browser.ts'

/*
 * What is there stays where it is while a page loads: the sum of its layout shifts, as browsers
 * count them (Layout Instability, WICG), each the part of the view that moves times how far.
 */

const [first] = livelyPools
const paths = ['/', `/pools/${first?.id}`, '/stocks', '/stocks/NVDA', `/embed/pool/${first?.id}`]
const shiftMax = 0.05

const observe = `
  globalThis.shifts = []
  const nameOf = ({ node }) => node?.className || node?.nodeName
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      globalThis.shifts.push([value, ...sources.map(nameOf)])
    }
  }).observe({ type: 'layout-shift', buffered: true })
`

type Shift = readonly [value: number, ...names: readonly string[]]

const network = { name: 'sandbox', sandbox: true, explorerUrl: null }

test.each([
  [1360, 900],
  [390, 844],
])('nothing moves while a page of %i by %i pixels loads', async (width, height) => {
  const { url } = await startDashboard(0, { network })
  for (const path of paths) {
    const { page } = await openPage({ width, height })
    await page.addInitScript(observe)
    await goTo(page, `${url}${path}`)
    const shifts = await page.evaluate<readonly Shift[]>('globalThis.shifts')
    const sum = shifts.reduce((total, [value]) => total + value, 0)
    expect(sum, `${path} ${JSON.stringify(shifts)}`).toBeLessThanOrEqual(shiftMax)
    await page.close()
  }
})
