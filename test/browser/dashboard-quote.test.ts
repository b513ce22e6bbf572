import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { assumptionWords, quoteReasonWords } from '../../dashboard/words/quote-words.ts'
import { success } from '../../src/domain/outcome.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { swapAssumptions, swapQuoteReasons } from '../../src/domain/views/swap-quote.ts'
import type { SampleMarket } from '../support/api/sample-market.ts'
import { contrastFaults, nameFaults, structureFaults } from './access-audit.ts'
import { lookAt, soon, startDashboard, whole } from './dashboard-page.ts'
import { livelyPools } from './lively-market.ts'

const [first] = livelyPools as readonly [PoolView]

type Look = Parameters<typeof lookAt>[1]

const openPool = async (look: Look = {}, pool: PoolView = first) => {
  const { url, market } = await startDashboard()
  return { market, url, ...(await lookAt(`${url}/pools/${pool.id}`, look)) }
}

const ordersOf = (market: SampleMarket) =>
  market.queries.flatMap((query) => {
    const { order } = query as { readonly order?: unknown }
    return order === undefined ? [] : [order]
  })

const amount = (page: Page) => page.locator('#order-amount')
const figures = (page: Page) => page.locator('.quote-figures').textContent()

describe('what would I get', () => {
  test('is asked once when the hand rests, and again when the pool has changed', async () => {
    const { page, market, complaints, keep } = await openPool()
    await amount(page).pressSequentially('10,000', { delay: 20 })
    await soon(() => figures(page)).toContain('$226.24')
    await whole(page)
    expect(ordersOf(market)).toEqual([{ side: 'buy', amount: { of: 'usd', usd: 10_000 } }])
    expect(await figures(page)).toMatch(
      /You pay2\.50.*USDG.*receive41\.10.*NVDA.*impact0\.07%.*cost0\.37%.*filledCompletely/,
    )
    expect(await page.locator('.quote-box .origin').textContent()).toMatch(
      /block #24,880,420, \d+s old/,
    )
    await keep('quote')
    const about = { symbols: ['NVDA'], poolId: first.id }
    const publish = (part: Partial<PoolView>) =>
      market.publish([{ topic: 'pool', data: { ...first, ...part }, about }])
    let block = first.asOfBlock ?? 0
    await soon(() => {
      block++
      publish({ asOfBlock: block, sqrtPriceX96: '79228162514264337593543950999' })
      return ordersOf(market).length
    }).toBe(2)
    expect(complaints).toEqual([])
  })

  test('by the keyboard alone: side, amount, Enter, unit', async () => {
    const { page, market, complaints } = await openPool()
    await page.locator('.order input[value=buy]').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.id')).toBe('order-amount')
    await page.keyboard.type('2.5')
    await page.keyboard.press('Enter')
    const sell = { side: 'sell', amount: { of: 'usd', usd: 2.5 } }
    await soon(() => ordersOf(market)).toContainEqual(sell)
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    const stock = { of: 'stock', whole: { digits: 25n, decimals: 1 } }
    await soon(() => ordersOf(market)).toContainEqual({ side: 'sell', amount: stock })
    expect(await page.getByText('Amount you pay').count()).toBe(1)
    await page.keyboard.press('ArrowDown')
    await soon(() => ordersOf(market)).toContainEqual({
      side: 'sell',
      amount: { ...stock, of: 'other' },
    })
    expect(await page.getByText('Amount you receive').count()).toBe(1)
    await soon(() => page.locator('.quote-notes [role=status]').last().textContent()).toMatch(
      /^You pay .* and receive .*, total cost 0\.37%\.$/,
    )
    expect(complaints).toEqual([])
  })

  test.each([
    ['many', 'usd', 'a number above 0 and up to 1000000000000000 in decimal digits'],
    ['0', 'usd', 'a number above 0 and up to 1000000000000000 in decimal digits'],
    ['-1', 'stock', 'a number above 0 in decimal digits'],
    ['0.0000001', 'other', 'at most the 6 decimals of the token'],
  ])('%s %s is refused at its field, once, and can be corrected', async (text, unit, words) => {
    const { page, market } = await openPool()
    await page.getByLabel('Unit of the amount').selectOption(unit)
    let refused = 0
    page.on('response', (response) => {
      if (response.status() === 400) refused++
    })
    await amount(page).fill(text)
    const refusal = page.locator('#order-error')
    await soon(() => refusal.textContent()).toContain(words)
    expect(await refusal.textContent()).toMatch(/^The amount must be /)
    expect(await amount(page).getAttribute('aria-invalid')).toBe('true')
    expect(await figures(page)).not.toMatch(/\d/)
    await amount(page).fill('1')
    await soon(() => figures(page)).toContain('$226.24')
    expect([refused, await refusal.textContent()]).toEqual([1, ''])
    expect(await amount(page).getAttribute('aria-invalid')).toBe('false')
    await amount(page).fill('')
    await soon(() => figures(page)).not.toMatch(/\d/)
    expect(ordersOf(market).at(-1)).toMatchObject({ side: 'buy' })
  })

  test('every reason and assumption stands in words', async () => {
    const { page, market, complaints } = await openPool()
    const answer = market.quote
    Object.assign(market, {
      quote: async (...question: Parameters<typeof answer>) => {
        const result = await answer(...question)
        if (result?.ok !== true) return result
        const isBuy = question[1].side === 'buy'
        const { quote } = result.value
        return success({
          ...result.value,
          ...(isBuy ? { reasons: swapQuoteReasons } : { assumptions: swapAssumptions }),
          quote: isBuy || quote === null ? null : { ...quote, filled: false },
        })
      },
    } satisfies Partial<SampleMarket>)
    const notes = page.locator('.quote-notes li')
    await amount(page).fill('1')
    const reasons = swapQuoteReasons.map((code) => quoteReasonWords[code])
    await soon(() => notes.allTextContents()).toEqual(reasons)
    expect(await figures(page)).not.toMatch(/\d/)
    await page.locator('.order input[value=sell]').check()
    await soon(() => notes.allTextContents()).toEqual([
      'The liquidity of the pool ends before the order: the amounts are what is possible.',
      ...swapAssumptions.map((code) => assumptionWords[code]),
    ])
    expect(await figures(page)).toContain('Only in part')
    expect(new Set([...reasons, ...Object.values(assumptionWords)]).size).toBe(
      swapQuoteReasons.length + swapAssumptions.length,
    )
    expect(complaints).toEqual([])
  })

  test('too many requests and a lost line are said, and the question is repeated', async () => {
    const { page, market } = await openPool()
    let asked = 0
    await page.route(/\/quote\?/, (route) => {
      asked++
      if (asked === 2) return route.abort()
      return asked > 2
        ? route.fallback()
        : route.fulfill({ status: 429, headers: { 'retry-after': '2' }, body: '{}' })
    })
    const notes = page.locator('.quote-notes li')
    await amount(page).fill('1')
    await soon(() => notes.allTextContents()).toEqual([
      'Too many requests from your address. Asking again in 2 s.',
    ])
    await soon(() => notes.allTextContents()).toEqual([
      'The service cannot be reached. Asking again …',
    ])
    await soon(() => figures(page)).toContain('$226.24')
    expect([asked, ordersOf(market).length, await notes.count()]).toEqual([3, 1, 0])
  })

  test.each([
    { width: 360, colorScheme: 'dark' },
    { width: 1360, colorScheme: 'light' },
  ] as const)('$width pixels: fits, can be read, and moves nothing', async (each) => {
    const { width, colorScheme } = each
    const hostile = livelyPools.find(({ otherSymbol }) => otherSymbol?.startsWith('">')) ?? first
    const viewport = { width, height: 740 }
    const look = { viewport, colorScheme, reducedMotion: 'reduce' } as const
    const { page, complaints } = await openPool(look, hostile)
    const heights = () =>
      page.evaluate(`[
      document.querySelector('.quote-box').offsetHeight,
      document.querySelector('.swaps').getBoundingClientRect().top + scrollY,
    ]`)
    const before = await heights()
    await amount(page).fill('1')
    await soon(() => figures(page)).toContain('$226.24')
    await whole(page)
    expect(await heights()).toEqual(before)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(await contrastFaults(page)).toEqual([])
    expect([...(await nameFaults(page)), ...(await structureFaults(page))]).toEqual([])
    expect(complaints).toEqual([])
  })
})
