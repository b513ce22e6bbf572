import { expect, test } from 'vitest'
import {
  assumptionWords,
  exclusionWords,
  stockReasonWords,
} from '../../dashboard/words/quote-words.ts'
import { success } from '../../src/domain/outcome.ts'
import { poolExclusions, stockOrderReasons } from '../../src/domain/views/stock-order.ts'
import { swapAssumptions } from '../../src/domain/views/swap-quote.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { contrastFaults, nameFaults, structureFaults } from './access-audit.ts'
import { lookAt, soon, startDashboard, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'

type Look = Parameters<typeof lookAt>[1]

/** Buying is split over two pools; selling has no answer. */
const openStock = async (look: Look = {}) => {
  const { url, market } = await startDashboard()
  const answer = market.stockQuote
  Object.assign(market, {
    stockQuote: async (...question: Parameters<typeof answer>) => {
      const result = await answer(...question)
      if (result?.ok !== true || result.value.quote === null) return result
      const { quote } = result.value
      const legs = livelyPools
        .slice(0, 2)
        .flatMap(({ id }, at) =>
          quote.legs
            .slice(0, 1)
            .map((leg) => ({ ...leg, poolId: id, share: at === 0 ? 0.8 : 0.2 })),
        )
      const isBuy = question[1].side === 'buy'
      return success({
        ...result.value,
        assumptions: isBuy ? swapAssumptions : [],
        reasons: isBuy ? [] : stockOrderReasons,
        excluded: poolExclusions.map((reason) => ({ poolId: livelyPools[2]?.id ?? '0x', reason })),
        quote: isBuy ? { ...quote, filled: false, savedBps: 12, legs } : null,
      })
    },
  } satisfies Partial<SampleMarket>)
  return { market, ...(await lookAt(`${url}/stocks/NVDA`, look)) }
}

test('a stock: the split, its parts, and every reason in words', async () => {
  const { page, complaints, keep } = await openStock()
  const notes = page.locator('.quote-notes li')
  const excluded = poolExclusions.map((code) => `1 pool takes no part: ${exclusionWords[code]}`)
  await page.locator('#order-amount').fill('10000')
  await soon(() => notes.allTextContents()).toEqual([
    'Split over 2 pools: 0.12% better than the best pool alone.',
    'The liquidity of all pools ends before the order: the amounts are what is possible.',
    ...swapAssumptions.map((code) => assumptionWords[code]),
    ...excluded,
  ])
  const links = page.locator('.legs a')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
    livelyPools.slice(0, 2).map(({ id }) => `/pools/${id}`),
  )
  expect(await page.locator('.legs tbody tr').allTextContents()).toEqual([
    expect.stringContaining('80.0%'),
    expect.stringContaining('20.0%'),
  ])
  await keep('split')
  await page.locator('.order input[value=sell]').check()
  await soon(() => notes.allTextContents()).toEqual([
    ...stockOrderReasons.map((code) => stockReasonWords[code]),
    ...excluded,
  ])
  expect(await links.count()).toBe(0)
  expect(new Set(excluded).size).toBe(poolExclusions.length)
  // A stock has no one other token.
  expect(await page.locator('.order option').count()).toBe(2)
  expect(complaints).toEqual([])
})

test.each([
  { width: 360, colorScheme: 'dark' },
  { width: 1360, colorScheme: 'light' },
] as const)('$width pixels: fits, can be read, and keeps the place of the parts', async (each) => {
  const { width, colorScheme } = each
  const viewport = { width, height: 740 }
  const { page, complaints } = await openStock({ viewport, colorScheme, reducedMotion: 'reduce' })
  const height = () => page.evaluate('document.querySelector(".legs").offsetHeight')
  const before = await height()
  await page.locator('#order-amount').fill('1')
  await soon(() => page.locator('.legs a').count()).toBe(2)
  await whole(page)
  expect(await height()).toBe(before)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  expect(await contrastFaults(page)).toEqual([])
  expect([...(await nameFaults(page)), ...(await structureFaults(page))]).toEqual([])
  expect(complaints).toEqual([])
})
