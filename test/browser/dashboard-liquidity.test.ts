import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatCompact, formatPrice, formatUsd } from '../../dashboard/format/number.ts'
import type { DepthProfile, LiquiditySegment } from '../../src/domain/views/pool-depth.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { contrastFaults, nameFaults, structureFaults } from './access-audit.ts'
import { lookAt, soon, startDashboard, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'

type Look = Parameters<typeof lookAt>[1]

const mid = 225
const [pool] = livelyPools
/** In whole tokens between two prices, of which one side is empty away from the price. */
const segment = (from: number, to: number, stockAmount: number, otherAmount: number) => ({
  tickLower: 0,
  tickUpper: 1,
  liquidity: '1',
  priceLower: from,
  priceUpper: to,
  ...{ stockAmount, otherAmount, usd: stockAmount * mid + otherAmount },
})
const segments: readonly LiquiditySegment[] = [
  segment(1e-27, 200, 0, 500_000),
  segment(200, 220, 0, 80_000),
  segment(220, 230, 400, 90_000),
  segment(230, 250, 300, 0),
  segment(250, 1e50, 900, 0),
]

const openPool = async (changes: Partial<DepthProfile> | null, look: Look = {}) => {
  const { url, market } = await startDashboard()
  const answer = market.depth
  Object.assign(market, {
    depth: async (...question: Parameters<typeof answer>) => {
      const found = await answer(...question)
      if (found === null || found.depth === null) return found
      const depth = { ...found.depth, midPriceInOther: mid, segments, ...changes }
      return { ...found, depth: changes === null ? null : depth }
    },
  } satisfies Partial<SampleMarket>)
  return { market, ...(await lookAt(`${url}/pools/${pool?.id}`, look)) }
}

const questions = (market: SampleMarket) =>
  market.queries.filter((query) => typeof query === 'object' && 'segments' in (query ?? {}))

const plot = (page: Page) => page.getByRole('slider', { name: /^Liquidity of NVDA/ })
const readout = (page: Page) => page.locator('.liquidity-head .legend').textContent()

const show = async (page: Page) => {
  await page.locator('.liquidity-panel').scrollIntoViewIfNeeded()
  await page.waitForSelector('.liquidity-panel .liquidity')
  await whole(page)
}

const wordsOf = ({ priceLower, priceUpper, ...amounts }: LiquiditySegment): string => {
  const lower = priceLower < 1 ? '0' : formatPrice(priceLower)
  const upper = priceUpper > 1e6 ? '∞' : formatPrice(priceUpper)
  const { stockAmount, otherAmount, usd } = amounts
  return (
    `${lower} – ${upper} USDGUSDG ${formatCompact(otherAmount)}` +
    `NVDA ${formatCompact(stockAmount)}Worth ${formatUsd(usd)}`
  )
}

test('the chart asks when it comes into sight, and is read by keyboard and pointer', async () => {
  const { page, market, complaints, keep } = await openPool({})
  expect(questions(market)).toEqual([])
  await show(page)
  expect(questions(market)).toMatchObject([{ segments: 'near' }])
  await soon(() => readout(page)).toBe('Price 225.00 USDGUSDG below the priceNVDA above it')
  await soon(() => page.locator('.liquidity-plot .mid').count()).toBe(1)
  await page.getByLabel('½ to 2×').check()
  await plot(page).focus()
  await soon(() => readout(page)).toBe(wordsOf(segments[2] as LiquiditySegment))
  await page.keyboard.press('Home')
  for (const each of segments) {
    await soon(() => readout(page)).toBe(wordsOf(each))
    expect(await plot(page).getAttribute('aria-valuetext')).toContain(formatUsd(each.usd))
    await page.keyboard.press('ArrowRight')
  }
  // It ends at the last one.
  expect(await readout(page)).toBe(wordsOf(segments[4] as LiquiditySegment))
  await page.keyboard.press('PageDown')
  await soon(() => readout(page)).toBe(wordsOf(segments[0] as LiquiditySegment))
  await page.keyboard.press('End')
  await keep('liquidity')
  const box = await plot(page).boundingBox()
  if (box === null) throw new Error('the plot is not on the screen')
  await page.mouse.move(box.x + 5, box.y + 100)
  await soon(() => readout(page)).toBe(wordsOf(segments[0] as LiquiditySegment))
  await page.mouse.move(0, 0)
  await soon(() => readout(page)).toContain('Price 225.00')
  // Closer, the segments out of sight are not read.
  await page.getByLabel('±2 %').check()
  await plot(page).focus()
  await page.keyboard.press('Home')
  await soon(() => readout(page)).toBe(wordsOf(segments[2] as LiquiditySegment))
  expect(complaints).toEqual([])
})

test.each([
  { what: 'no swap', changes: null, words: 'cannot be computed' },
  { what: 'no price', changes: { midPriceInOther: null }, words: 'cannot be computed' },
  { what: 'no segment', changes: { segments: [] }, words: 'no liquidity between half and twice' },
  {
    what: 'nothing in sight',
    changes: { segments: [segment(240, 260, 3, 0)], midPriceInOther: 100 },
    words: 'No liquidity lies within these prices',
  },
])('$what is said in words', async ({ changes, words }) => {
  const { page, complaints } = await openPool(changes)
  await show(page)
  expect(await page.locator('.liquidity-panel').textContent()).toContain(words)
  expect(await plot(page).count()).toBe(0)
  expect(complaints).toEqual([])
})

test.each([
  { width: 360, colorScheme: 'dark' },
  { width: 1360, colorScheme: 'light' },
] as const)('$width pixels: fits, can be read, and moves nothing', async (each) => {
  const { width, colorScheme } = each
  const viewport = { width, height: 740 }
  const { page, complaints } = await openPool(
    {},
    { viewport, colorScheme, reducedMotion: 'reduce' },
  )
  const height = () => page.evaluate('document.querySelector(".liquidity-panel").offsetHeight')
  const before = await height()
  await show(page)
  await page.waitForSelector('.liquidity-plot path')
  expect(await height()).toBe(before)
  await plot(page).focus()
  expect(await height()).toBe(before)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  expect(await contrastFaults(page)).toEqual([])
  expect([...(await nameFaults(page)), ...(await structureFaults(page))]).toEqual([])
  expect(complaints).toEqual([])
})
