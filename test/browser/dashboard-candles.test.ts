import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatUsd, formatUsdPrice } from '../../dashboard/format/number.ts'
import { formatTs } from '../../dashboard/format/time.ts'
import type { CandleWidthName } from '../../src/domain/history/candle-range.ts'
import { contrastFaults, nameFaults, structureFaults } from './access-audit.ts'
import { addCandles, candleAt, candleCount, candleTs } from './candle-market.ts'
import { lookAt, search, soon, startDashboard, unhurried, whole } from './dashboard-page.ts'
import { livelyPools, swapOf } from './lively-market.ts'

type Look = Parameters<typeof lookAt>[1]
type Parts = Parameters<typeof addCandles>[1] & { readonly look?: Look; readonly query?: string }

const [pool] = livelyPools as readonly [(typeof livelyPools)[number]]
const meme = livelyPools.find(({ kind }) => kind === 'meme')

const openCandles = async ({ look = {}, query = '?chart=candles', ...parts }: Parts = {}) => {
  const { url, market } = await startDashboard()
  addCandles(market, parts)
  return { url, market, ...(await lookAt(`${url}/pools/${pool.id}${query}`, look)) }
}

const chart = (page: Page) => page.getByRole('slider', { name: 'Candles of NVDA' })
const legend = (page: Page) => page.locator('.candle-legend').textContent()
const status = (page: Page) => page.locator('.candle-tools [role=status]').textContent()

const wordsOf = (width: CandleWidthName, before: number): string => {
  const { ts, open, high, low, close, volumeUsd, swaps } = candleAt(candleTs(width, before), width)
  const [o, h, l, c] = [open, high, low, close].map(formatUsdPrice)
  const time = formatTs(ts).replace(/GMT|UTC/, 'UTC')
  return (
    `${time}Open ${o}High ${h}Low ${l}Close ${c}` + `Volume ${formatUsd(volumeUsd)}Swaps ${swaps}`
  )
}

const candleQuestions = (market: { readonly queries: readonly unknown[] }) =>
  market.queries.filter((each) => JSON.stringify(each).includes('"width"'))

test('lines become candles and back, of the width that the reader chooses', async () => {
  const { page, market, complaints } = await openCandles({ query: '?range=7d' })
  expect(candleQuestions(market)).toEqual([])
  const height = () => page.evaluate('document.querySelector(".plots").offsetHeight')
  const lines = await height()
  await page.getByLabel('Candles', { exact: true }).check()
  await soon(() => legend(page)).toBe(wordsOf('15m', 0))
  expect(await search(page)).toBe('?range=7d&chart=candles')
  expect(await height()).toBe(lines)
  await page.getByLabel('1h', { exact: true }).check()
  await soon(() => legend(page)).toBe(wordsOf('1h', 0))
  expect(await search(page)).toBe('?range=7d&chart=candles&width=1h')
  await page.keyboard.press('ArrowRight')
  await soon(() => legend(page)).toBe(wordsOf('4h', 0))
  await page.reload()
  await soon(() => legend(page)).toBe(wordsOf('4h', 0))
  await page.getByLabel('Line', { exact: true }).check()
  await soon(() => search(page)).toBe('?range=7d&width=4h')
  await soon(() => page.locator('.plots canvas').count()).toBe(3)
  expect(await page.getByLabel('7d', { exact: true }).isChecked()).toBe(true)
  expect(complaints).toEqual([])
})

test('each candle is read by keyboard and by pointer', async () => {
  const { page, complaints } = await openCandles()
  await chart(page).focus()
  await soon(() => legend(page)).toBe(wordsOf('15m', 0))
  for (const before of [1, 2, 3]) {
    await page.keyboard.press('ArrowLeft')
    await soon(() => legend(page)).toBe(wordsOf('15m', before))
  }
  const { open, volumeUsd } = candleAt(candleTs('15m', 3), '15m')
  const spoken = (await chart(page).getAttribute('aria-valuetext')) ?? ''
  expect(spoken).toContain(`open ${formatUsdPrice(open)}`)
  expect(spoken).toContain(formatUsd(volumeUsd))
  await page.keyboard.press('PageDown')
  await soon(() => legend(page)).toBe(wordsOf('15m', 13))
  await page.keyboard.press('End')
  await soon(() => legend(page)).toBe(wordsOf('15m', 0))
  expect(await chart(page).getAttribute('aria-valuetext')).toContain('still open')
  const box = await chart(page).boundingBox()
  if (box === null) throw new Error('the chart is not on the screen')
  // The newest candle is the last before the axis; each takes eight pixels.
  const newestX = box.x + box.width - 72
  await page.mouse.move(newestX - 8 * 20, box.y + 100)
  await soon(() => legend(page)).not.toBe(wordsOf('15m', 0))
  const shown = await legend(page)
  const nearby = Array.from({ length: 9 }, (_, at) => wordsOf('15m', 16 + at))
  expect(nearby).toContain(shown)
  await page.mouse.move(0, 0)
  await soon(() => legend(page)).toBe(wordsOf('15m', 0))
  expect(complaints).toEqual([])
})

const ways = {
  buttons: async (page: Page) => page.getByRole('button', { name: 'Older candles' }).click(),
  keys: async (page: Page) => {
    await chart(page).focus()
    await page.keyboard.press('Home')
  },
  wheel: async (page: Page) => {
    await chart(page).hover()
    await page.mouse.wheel(-900, 0)
  },
  drag: async (page: Page) => {
    const box = await chart(page).boundingBox()
    if (box === null) throw new Error('the chart is not on the screen')
    await page.mouse.move(box.x + 40, box.y + 100)
    await page.mouse.down()
    await page.mouse.move(box.x + 640, box.y + 100, { steps: 5 })
    await page.mouse.up()
  },
} as const

test.each(Object.keys(ways) as (keyof typeof ways)[])(
  'by %s the reader goes back to the first candle, page by page',
  async (way) => {
    const { page, market, complaints } = await openCandles()
    const cursors = () =>
      candleQuestions(market).filter((each) => /"ts"/.test(JSON.stringify(each)))
    await soon(async () => {
      await ways[way](page)
      return status(page)
    }).toContain('first candle is on the left')
    expect(cursors()).toHaveLength(2)
    await chart(page).focus()
    await page.keyboard.press('Home')
    await soon(() => legend(page)).toBe(wordsOf('15m', candleCount - 1))
    expect(await page.getByRole('button', { name: 'Older candles' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Newest candles' }).click()
    await soon(() => page.getByRole('button', { name: 'Newest candles' }).isDisabled()).toBe(true)
    expect(complaints).toEqual([])
  },
)

test('what is not kept, and what could not be loaded, is said', async () => {
  const { page, market } = await openCandles({ complete: false })
  const { poolCandles } = market
  let fails = true
  Object.assign(market, {
    poolCandles: async (...question: Parameters<typeof poolCandles>) => {
      if (fails && question[1].cursor !== null) throw new Error('the disk is gone')
      return poolCandles(...question)
    },
  })
  await chart(page).focus()
  await page.keyboard.press('Home')
  await soon(() => status(page)).toContain('could not be loaded')
  fails = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await soon(async () => {
    await ways.keys(page)
    return status(page)
  }).toBe('Older candles are not kept.')
})

const about = { symbols: ['NVDA'], poolId: pool.id }
const block = (pool.asOfBlock ?? 0) + 1
const price = (pool.stockPriceInOther ?? 0) * (pool.otherPriceUsd ?? 0)

test('swaps change the newest candle and not the place; a rollback undoes them', async () => {
  const { page, market, complaints } = await openCandles({ look: { script: unhurried } })
  const { sqrtPriceX96 } = pool
  const of = { poolId: pool.id, stockSymbol: 'NVDA', sqrtPriceX96: sqrtPriceX96 ?? '' }
  const swap = { ...swapOf(9, 2), ...of, block, ts: candleTs('15m', 0) + 5 }
  // Sent repeatedly until the stream is open; a duplicate counts once.
  await soon(async () => {
    market.publish([{ topic: 'swap', data: swap, about }])
    return legend(page)
  }).toContain(`Close ${formatUsdPrice(price)}`)
  const { swaps } = candleAt(candleTs('15m', 0), '15m')
  expect(await legend(page)).toContain(`Swaps ${swaps + 1}`)

  const next = { ...swap, ...swapOf(10, 2), ...of, block: block + 1, ts: candleTs('15m', -1) + 1 }
  market.publish([{ topic: 'swap', data: next, about }])
  const opened = formatTs(candleTs('15m', -1)).replace('GMT', 'UTC')
  await soon(() => legend(page)).toContain(`${opened}Open ${formatUsdPrice(price)}`)
  expect(await legend(page)).toContain('Swaps 1')

  await page.getByRole('button', { name: 'Older candles' }).click()
  await chart(page).focus()
  const read = await legend(page)
  expect(read).not.toContain(opened)
  const later = { ...next, ...swapOf(11, 2), ...of, block: block + 2, ts: candleTs('15m', -2) }
  market.publish([{ topic: 'swap', data: later, about }])
  await soon(() => chart(page).getAttribute('aria-valuemax')).toBe('301')
  expect(await legend(page)).toBe(read)

  market.publish([{ topic: 'rollback', data: { afterBlock: block - 1, ts: 9 }, about: null }])
  await soon(() => chart(page).getAttribute('aria-valuemax')).toBe('299')
  expect(await legend(page)).toBe(read)
  await page.getByRole('button', { name: 'Newest candles' }).click()
  await soon(() => legend(page)).toBe(wordsOf('15m', 0))
  expect(complaints).toEqual([])
})

test.each([
  { what: 'none', parts: { count: 0 }, words: 'no candle' },
  { what: 'few', parts: { count: 3 }, words: 'first candle is on the left' },
])('$what: the place is kept and words say so', async ({ parts, words }) => {
  const { page } = await openCandles(parts)
  await soon(() => page.locator('.chart-panel').textContent()).toContain(words)
  expect(await page.evaluate('document.querySelector(".plots").offsetHeight')).toBe(514)
})

test('a meme is in stock tokens, rising when it rises', async () => {
  const { url, market } = await startDashboard()
  addCandles(market)
  const { page } = await lookAt(`${url}/pools/${meme?.id}?chart=candles`)
  expect(await page.locator('.chart-panel h2').textContent()).toContain(`in ${meme?.stockSymbol}`)
  const { open } = candleAt(candleTs('15m', 0), '15m')
  await soon(() => legend(page)).toContain(`Open 0.00${String(1 / (open ?? 1)).slice(4, 6)}`)
  expect(market.queries).toContainEqual(
    expect.objectContaining({ query: expect.objectContaining({ price: 'other' }) }),
  )
})

test.each([
  { width: 360, colorScheme: 'dark' },
  { width: 1360, colorScheme: 'light' },
] as const)('$width pixels: fits, can be read, and moves nothing', async (each) => {
  const { width, colorScheme } = each
  const viewport = { width, height: 900 }
  const { page, keep, complaints } = await openCandles({
    look: { viewport, colorScheme, reducedMotion: 'reduce' },
  })
  await keep(`candles-${width}`)
  const top = () =>
    page.evaluate('document.querySelector(".chart-panel").getBoundingClientRect().height')
  const before = await top()
  await chart(page).focus()
  await page.keyboard.press('Home')
  await whole(page)
  expect(await top()).toBe(before)
  const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  expect(overflow).toBeLessThanOrEqual(0)
  expect(await contrastFaults(page)).toEqual([])
  expect([...(await nameFaults(page)), ...(await structureFaults(page))]).toEqual([])
  expect(complaints).toEqual([])
})
