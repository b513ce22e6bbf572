import type { APIResponse, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { formatLoss, formatPrice, formatUsdPrice } from '../../dashboard/format/number.ts'
import type { StockQuoteView } from '../../src/domain/views/stock-order.ts'
import type { PoolQuoteView } from '../../src/domain/views/swap-quote.ts'
import { lookAt, soon, whole } from '../browser/dashboard-page.ts'
import { baseUrl } from './shared.ts'

/* The dashboard of the real service on the sandbox: what it shows is what the API answers. */

const read = async <T>(path: string): Promise<T> =>
  (await (await fetch(`${baseUrl}${path}`)).json()) as T

const findPool = async (query: string): Promise<string> => {
  const { items } = await read<{ items: { id: string }[] }>(`/api/v1/pools?limit=1&${query}`)
  return items[0]?.id ?? ''
}

/** The answers to the page's own questions, by what was asked. */
const listen = <Answer>(page: Page) => {
  const answers: { readonly asked: string; readonly answer: Answer }[] = []
  page.on('response', async (response) => {
    const { pathname, search } = new URL(response.url())
    if (!pathname.endsWith('/quote') || !response.ok()) return
    answers.push({ asked: search, answer: await response.json() })
  })
  return answers
}

/** Answers each question as the service first did: the pools trade on while the page is read. */
const holdAnswers = async (page: Page): Promise<void> => {
  const held = new Map<string, APIResponse>()
  await page.route(/\/quote\?/, async (route) => {
    const url = route.request().url()
    const response = held.get(url) ?? (await route.fetch())
    held.set(url, response)
    await route.fulfill({ response })
  })
}

/** The exact value of each line of the answer, as its tip says it. */
const exactFigures = async (page: Page): Promise<Record<string, string>> => {
  const facts = page.locator('.quote-figures .fact')
  const found: Record<string, string> = {}
  // A scroll under the mouse would hide the tip of what has the focus.
  await page.locator('.quote-figures').scrollIntoViewIfNeeded()
  for (const fact of await facts.all()) {
    const name = (await fact.locator('dt').textContent()) ?? ''
    const figure = fact.locator('.figure').first()
    if ((await figure.count()) === 0) continue
    await figure.focus()
    found[name] = ((await page.locator('.tip-box').textContent()) ?? '').split('\n')[0] ?? ''
  }
  return found
}

const digits = (value: number | null | undefined) =>
  new Intl.NumberFormat('en-US', { maximumFractionDigits: 12 }).format(value ?? Number.NaN)

test.each([
  { what: 'a v3 pool', query: 'version=v3&kind=canonical&symbol=NVDA' },
  { what: 'a v4 pool', query: 'version=v4&kind=canonical&symbol=TSLA' },
  { what: 'a meme pool', query: 'kind=meme&symbol=NVDA' },
])('$what: the box shows what the API answers, in both directions', async ({ query }) => {
  const id = await findPool(query)
  const { page, complaints } = await lookAt(`${baseUrl}/pools/${id}`)
  await holdAnswers(page)
  const answers = listen<PoolQuoteView>(page)
  for (const side of ['buy', 'sell'] as const) {
    await page.locator(`input[value=${side}]`).check()
    await page.getByLabel('Amount you pay').fill('1000')
    const find = () => answers.findLast(({ asked }) => asked === `?side=${side}&usd=1000`)
    await soon(() => find() !== undefined).toBe(true)
    await whole(page)
    const isShown = async () => {
      const { quote } = find()?.answer ?? {}
      if (!quote) return false
      const figures = await exactFigures(page)
      return (
        figures['You pay'] === digits(quote.amountIn) &&
        figures['You receive'] === digits(quote.amountOut) &&
        figures['Execution price'] === digits(quote.executionPriceUsd) &&
        figures['Price impact'] === `${digits(quote.priceImpactBps)} bps` &&
        figures['Total cost'] === `${digits(quote.costBps)} bps`
      )
    }
    await soon(isShown).toBe(true)
    const block = await page.locator('.quote-box .origin').textContent()
    expect(block).toMatch(/^block #[\d,]+, \d+s old/)
  }
  expect(complaints).toEqual([])
})

test('a stock: the box shows the split and its parts as the API answers them', async () => {
  const { page, complaints } = await lookAt(`${baseUrl}/stocks/NVDA`)
  await holdAnswers(page)
  const answers = listen<StockQuoteView>(page)
  await page.locator('input[value=sell]').check()
  await page.getByLabel('Unit of the amount').selectOption('stock')
  await page.getByLabel('Amount you pay').fill('500')
  await soon(() => answers.length).toBeGreaterThan(0)
  const isShown = async () => {
    await whole(page)
    const { quote } = answers.at(-1)?.answer ?? {}
    if (!quote || quote.legs.length < 2) return false
    const figures = await exactFigures(page)
    const legs = await page
      .locator('.legs tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [
          row.querySelector('a')?.pathname,
          ...[...row.querySelectorAll('td')].map((cell) => cell.textContent),
        ]),
      )
    const expected = quote.legs.map((leg) => [
      `/pools/${leg.poolId}`,
      formatLoss(leg.share * 10_000),
      formatPrice(leg.amountIn),
      formatPrice(leg.amountOut),
      formatUsdPrice(leg.executionPriceUsd),
      formatLoss(leg.costBps),
    ])
    return (
      figures['You pay'] === digits(quote.stockAmount) &&
      figures['You receive'] === digits(quote.usd) &&
      figures['Total cost'] === `${digits(quote.costBps)} bps` &&
      JSON.stringify(legs) === JSON.stringify(expected)
    )
  }
  await soon(isShown).toBe(true)
  expect(await page.locator('.quote-notes').textContent()).toMatch(/Split over \d+ pools: /)
  expect(complaints).toEqual([])
})
