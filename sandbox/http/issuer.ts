import { getAddress, keccak256, stringToHex } from 'viem'
import { chainId } from '../chain/anvil.ts'
import { nowMillis, nowSeconds } from '../clock.ts'
import { stockUid } from '../deploy/tokens.ts'
import type { Prices } from '../market/prices.ts'
import type { StockSpec } from '../world/tokens.ts'
import { multiplierAt, stockSpecs, tokenOf, type World } from '../world/world.ts'
import { faultModes, sendWithFault } from './faults.ts'
import { type Handler, sendJson } from './server.ts'

/** Faults of quotes, besides those of any response. */
const quoteModes = ['ok', 'partial', 'lacking', 'future', 'frozen', 'wide', 'one-sided'] as const

export const issuerModes: readonly string[] = [...quoteModes, ...faultModes]

export type Issuer = {
  readonly handler: Handler
  /** Generates new quotes from the current prices. */
  readonly refresh: () => void
  readonly mode: () => string
  readonly setMode: (mode: string) => void
}

type Quote = {
  readonly tokenSymbol: string
  readonly bid: string
  readonly ask: string
  readonly isTradingHalt: boolean
  readonly generatedAt: string
  readonly dailyHigh: string
  readonly dailyLow: string
}

/** The issuer's clock is five minutes ahead. */
const futureSeconds = 300

const futureQuote = (quote: Quote): Quote => ({
  ...quote,
  generatedAt: nanosecondTime(Date.parse(quote.generatedAt) + futureSeconds * 1_000),
})

const distort: Readonly<Record<string, (quote: Quote) => Quote>> = {
  future: futureQuote,
  wide: (quote) => ({ ...quote, ask: (Number(quote.bid) * 1.06).toFixed(2) }),
  'one-sided': (quote) => ({ ...quote, bid: '0' }),
}

/**
 * The issuer's HTTP API as recorded: `/rhj/assets`, `/rhj/prices`, `/rhj/prices/NVDA`. Prices are
 * per share (the token's price without the multiplier), and the market never closes.
 */
export function createIssuer(world: World, prices: Prices): Issuer {
  let mode = 'ok'
  let quotes: readonly Quote[] = makeQuotes(world, prices)
  let madeTs = nowSeconds()
  const refresh = (): void => {
    if (mode === 'frozen') return
    quotes = makeQuotes(world, prices)
    madeTs = nowSeconds()
  }
  /** Quotes from before a multiplier's effect would be multiplied wrongly after it. */
  const refreshWhenMultiplied = (): void => {
    const plans = Object.values(world.multipliers)
    const now = nowSeconds()
    if (plans.some((plan) => plan.effectiveTs > madeTs && plan.effectiveTs <= now)) refresh()
  }
  /** Drops every second quote in the given modes. */
  const listedQuotes = (lackingModes: readonly string[]) =>
    lackingModes.includes(mode) ? quotes.filter((_, index) => index % 2 === 0) : quotes
  const withQuoteFault = (chosen: readonly Quote[]) =>
    chosen.map(distort[mode] ?? ((quote) => quote))

  const handler: Handler = ({ segments }, response) => {
    const [resource, symbol, ...more] = segments
    if (more.length > 0) return false
    if (resource === 'assets' && symbol === undefined) {
      const assets = stockSpecs(world).map((stock) => assetOf(world, stock))
      return sendWithFault(response, mode, JSON.stringify({ assets }))
    }
    if (resource !== 'prices') return false
    refreshWhenMultiplied()
    if (symbol === undefined) {
      const rows = withQuoteFault(listedQuotes(['partial', 'lacking'])).map((quote) =>
        bulkRow(world, quote),
      )
      return sendWithFault(response, mode, JSON.stringify({ quotes: rows }))
    }
    const key = symbol.toUpperCase()
    const rows = withQuoteFault(
      listedQuotes(['lacking']).filter((quote) => quote.tokenSymbol === key),
    )
    if (rows.length === 0) return sendJson(response, 404, { code: 5, message: 'not found' })
    const body = JSON.stringify({ quotes: rows.map((quote) => singleRow(world, quote)) })
    return sendWithFault(response, mode, body)
  }
  return {
    handler,
    refresh,
    mode: () => mode,
    setMode: (next) => {
      mode = next
      refresh()
    },
  }
}

function makeQuotes(world: World, prices: Prices): Quote[] {
  const now = nowSeconds()
  const generatedAt = nanosecondTime(nowMillis())
  return stockSpecs(world).map((stock) => {
    const multiplier = Number(multiplierAt(world, stock.key, now))
    const share = prices.usd(stock.key) / multiplier
    const { low, high } = prices.dayRange(stock.key)
    // Spread of a liquid share: one cent up to $200, then half a basis point more.
    const spreadCents = 1 + Math.floor(share / 200)
    const bidCents = Math.round(share * 100 - spreadCents / 2)
    return {
      tokenSymbol: stock.symbol,
      bid: (bidCents / 100).toFixed(2),
      ask: ((bidCents + spreadCents) / 100).toFixed(2),
      isTradingHalt: world.halted[stock.key] ?? false,
      generatedAt,
      dailyHigh: (high / multiplier).toFixed(4),
      dailyLow: (low / multiplier).toFixed(4),
    }
  })
}

/** RFC 3339 with nine digits, as recorded; the last six are zero. */
function nanosecondTime(millis: number): string {
  return new Date(millis).toISOString().replace('Z', '000000Z')
}

function deployments(world: World, symbol: string) {
  const contractAddress = getAddress(tokenOf(world, symbol).address)
  return [{ contractAddress, chainId, networkName: 'Sandbox' }]
}

function singleRow(world: World, quote: Quote) {
  return row(world, quote, {
    dailyTradingVolume: String(1_000_000 + (Number(stableHash(quote.tokenSymbol)) % 50_000_000)),
    dailyHigh: quote.dailyHigh,
    dailyLow: quote.dailyLow,
    mintBurnTokenVolume: '9636.54299537',
    mintBurnUsdVolume: '2171932.24301146745',
  })
}

/** The bulk response has no volumes or ranges: all are "0". */
function bulkRow(world: World, quote: Quote) {
  return row(world, quote, {
    dailyTradingVolume: '0',
    dailyHigh: '0',
    dailyLow: '0',
    mintBurnTokenVolume: '0',
    mintBurnUsdVolume: '0',
  })
}

function row(world: World, quote: Quote, totals: Readonly<Record<string, string>>) {
  const { tokenSymbol, bid, ask, isTradingHalt, generatedAt } = quote
  const { dailyTradingVolume, ...rest } = totals
  const flags = { itnEnabled: false, atomicEnabled: false }
  return {
    tokenSymbol,
    deployments: deployments(world, tokenSymbol).map((deployment) => ({ ...deployment, ...flags })),
    ...{ bid, ask, currency: 'USD', dailyTradingVolume, isTradingHalt, generatedAt },
    ...rest,
  }
}

const tradable = { whole: 'TRADING_STATUS_TRADABLE', fractional: 'TRADING_STATUS_TRADABLE' }

function assetOf(world: World, stock: StockSpec) {
  const now = nowSeconds()
  const current = multiplierAt(world, stock.key, now)
  const plan = world.multipliers[stock.key]
  return {
    id: stockUid(stock),
    tokenSymbol: stock.symbol,
    tokenName: stock.name,
    deployments: deployments(world, stock.key),
    currentMultiplier: multiplierText(current),
    pendingMultiplier: plan && now < plan.effectiveTs ? multiplierText(plan.after) : '',
    status: 'ASSET_STATUS_ACTIVE',
    logoUrl: '',
    tradingCapabilities: { market: tradable, extended: tradable, overnight: tradable },
    tokenDecimals: stock.decimals,
    isin: '',
  }
}

/** Formats with eighteen decimals, as recorded. */
function multiplierText(multiplier: string): string {
  const [whole = '0', fraction = ''] = multiplier.split('.')
  return `${whole}.${fraction.padEnd(18, '0')}`
}

const stableHash = (text: string): bigint => BigInt(keccak256(stringToHex(text))) >> 200n
