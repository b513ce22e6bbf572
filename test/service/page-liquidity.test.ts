import { expect, test } from 'vitest'
import { formatCompact, formatUsd } from '../../dashboard/format/number.ts'
import type { PoolDepthView } from '../../src/domain/views/pool-depth.ts'
import { lookAt, soon } from '../browser/dashboard-page.ts'
import { baseUrl } from './shared.ts'

/* The dashboard of the real service on the sandbox: its chart shows what the API answers. */

test.each([
  { what: 'a v3 pool', query: 'version=v3&kind=canonical&symbol=NVDA' },
  { what: 'a v4 pool', query: 'version=v4&kind=canonical&symbol=TSLA' },
  { what: 'a meme pool', query: 'kind=meme&symbol=NVDA' },
])('$what: each segment of the chart is one of the API', async ({ query }) => {
  const pools = await (await fetch(`${baseUrl}/api/v1/pools?limit=1&${query}`)).json()
  const { items } = pools as { items: { id: string }[] }
  const { page, complaints } = await lookAt(`${baseUrl}/pools/${items[0]?.id}`)
  let latest: PoolDepthView | null = null
  page.on('response', async (response) => {
    if (response.url().includes('/depth?')) latest = await response.json()
  })
  await page.locator('.liquidity-panel').scrollIntoViewIfNeeded()
  await page.getByLabel('½ to 2×').check()
  const plot = page.getByRole('slider')
  const readAll = async () => {
    const { depth } = latest ?? {}
    if (!depth) return []
    await plot.focus()
    await page.keyboard.press('Home')
    const read: (string | null)[] = []
    for (const _each of depth.segments) {
      read.push(await page.locator('.liquidity-head .legend').textContent())
      await page.keyboard.press('ArrowRight')
    }
    return read
  }
  const expected = () =>
    latest?.depth?.segments.map(({ stockAmount, otherAmount, usd }) =>
      expect.stringMatching(
        new RegExp(
          `${formatCompact(otherAmount)}\\S* ${formatCompact(stockAmount)}Worth ` +
            `${formatUsd(usd).replace('$', '\\$')}$`,
        ),
      ),
    )
  // The pool trades, and the chart is read again, while the keys are pressed.
  await soon(async () => {
    const read = await readAll()
    try {
      expect(read).toEqual(expected())
      return read.length
    } catch {
      return 0
    }
  }).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})
