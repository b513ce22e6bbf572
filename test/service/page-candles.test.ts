import { expect, test } from 'vitest'
import { formatPrice, formatUsd, formatUsdPrice } from '../../dashboard/format/number.ts'
import { formatTs } from '../../dashboard/format/time.ts'
import { createClient } from '../../src/client/client.ts'
import type { CandleView } from '../../src/domain/views/history.ts'
import { lookAt, soon, whole } from '../browser/dashboard-page.ts'
import { baseUrl } from './shared.ts'

/* The dashboard of the real service on the sandbox: its candles are those of the API. */

const client = createClient(baseUrl)
const candlesRead = 40

const inverse = ({ open, high, low, close, ...rest }: CandleView): CandleView => {
  const [o, h, l, c] = [open, low, high, close].map((price) => 1 / (price ?? Number.NaN))
  return { ...rest, open: o ?? 0, high: h ?? 0, low: l ?? 0, close: c ?? 0 }
}

test.each([
  { what: 'a v3 pool', filter: { version: 'v3', kind: 'canonical', symbol: 'NVDA' } },
  { what: 'a v4 pool', filter: { version: 'v4', kind: 'canonical', symbol: 'TSLA' } },
  { what: 'a meme pool', filter: { kind: 'meme', symbol: 'NVDA' } },
] as const)('$what: each candle that is over is one of the API', async ({ filter }) => {
  const { items } = await client.pools({ ...filter, sort: 'vol24h', limit: 1 })
  const [pool] = items
  if (pool === undefined) throw new Error('the sandbox has no such pool')
  const isMeme = pool.kind === 'meme'
  const format = isMeme ? formatPrice : formatUsdPrice
  const { page, complaints } = await lookAt(`${baseUrl}/pools/${pool.id}?chart=candles&width=5m`, {
    timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
  })
  const legend = page.locator('.candle-legend')
  await legend.waitFor()
  await page.getByRole('slider', { name: /^Candles of/ }).focus()
  const read = async (count: number) => {
    const words: (string | null)[] = []
    await page.keyboard.press('End')
    for (let at = 0; at < count; at++) {
      await page.keyboard.press('ArrowLeft')
      words.push(await legend.textContent())
    }
    return words.toReversed()
  }
  const price = isMeme ? 'other' : 'usd'
  const expected = async () => {
    const asked = { width: '5m', price, limit: candlesRead + 1 } as const
    const found = await client.candles(pool.id, asked)
    const over = found.items.slice(1, candlesRead + 1).toReversed()
    return over.map((each) => {
      const { ts, open, high, low, close, volumeUsd, swaps } = isMeme ? inverse(each) : each
      const [o, h, l, c] = [open, high, low, close].map(format)
      const rest = `Volume ${formatUsd(volumeUsd)}Swaps ${swaps}`
      return `${formatTs(ts)}Open ${o}High ${h}Low ${l}Close ${c}${rest}`
    })
  }
  // A candle may end while the keys are pressed.
  await soon(async () => {
    await whole(page)
    const wanted = await expected()
    const words = await read(wanted.length)
    return wanted.length > 10 && wanted.every((each, at) => words[at] === each)
  }).toBe(true)
  expect(complaints).toEqual([])
})
