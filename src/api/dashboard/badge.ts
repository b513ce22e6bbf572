import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import type { StockView } from '../../domain/views/stock.ts'
import { html } from '../docs/html.ts'
import type { TextRoute } from '../routes/route.ts'
import { stockKeyField } from '../schemas/query-fields.ts'

const formatAge = (seconds: number): string => {
  if (seconds < secondsPerMinute) return `${Math.max(0, seconds)} s`
  if (seconds < secondsPerHour) return `${Math.floor(seconds / secondsPerMinute)} min`
  if (seconds < secondsPerDay) return `${Math.floor(seconds / secondsPerHour)} h`
  return `${Math.floor(seconds / secondsPerDay)} d`
}

const formatPrice = (usd: number | null): string =>
  usd === null ? 'no price' : `$${usd.toLocaleString('en-US', { maximumFractionDigits: 2 })}`

const colors = {
  fresh: '#0f7b52',
  partial: '#9a6700',
  stale: '#9a6700',
  unavailable: '#6b7280',
} as const

/** Wide enough for digits and capitals of 11 px in any sans-serif font. */
const characterWidth = 7
const padding = 12

const drawBadge = (stock: StockView, nowTs: number, isSandbox: boolean): string => {
  const { symbol, tokenUsd, poolPriceUsd, quoteTs, marketSession, dataStatus } = stock
  const age = quoteTs === null ? '' : `, ${formatAge(nowTs - quoteTs)} old`
  const label = isSandbox ? `${symbol} (sandbox)` : symbol
  const value = `${formatPrice(tokenUsd ?? poolPriceUsd)} · ${marketSession}${age}`
  const left = label.length * characterWidth + padding
  const right = value.length * characterWidth + padding
  const title = `${label}: ${value}`
  const middle = left + right / 2
  const { html: drawn } = html`<svg xmlns="http://www.w3.org/2000/svg" role="img"
 width="${left + right}" height="20" aria-label="${title}"><title>${title}</title>
<rect width="${left + right}" height="20" rx="4" fill="#24292f"/>
<path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${right - 4}z"
 fill="${colors[dataStatus]}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14" textLength="${left - padding}">${label}</text>
<text x="${middle}" y="14" textLength="${right - padding}">${value}</text></g></svg>
`
  return drawn
}

/** Parses `NVDA.svg`. */
const parseStockKey = (file: string | undefined) => {
  const name = /^(.+)\.svg$/.exec(file ?? '')?.[1]
  return name === undefined ? undefined : stockKeyField.parse(name)
}

/** An image of a stock's price with its age and session, for a README or a wiki. */
export const badgeRoute: TextRoute = {
  path: '/badge/:file',
  summary: 'Price of a stock as an image.',
  type: 'image/svg+xml; charset=utf-8',
  cache: 'data',
  rateLimited: true,
  render: async ({ market, network }, { file }) => {
    const key = parseStockKey(file)
    if (key === undefined || !market.isReady()) return null
    const found = await market.stock(key, '1h')
    return found === null ? null : drawBadge(found.stock, market.status().ts, network.sandbox)
  },
}
