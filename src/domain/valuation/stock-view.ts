import { isWithin, type Policy } from '../freshness/policy.ts'
import {
  effectiveMultiplier,
  type Multiplier,
  multiplierAt,
  multiplierText,
  pendingMultiplier,
  usdPerShare,
  usdPerToken,
} from '../stock/multiplier.ts'
import type { Quote } from '../stock/quote.ts'
import { midOf } from '../stock/reference.ts'
import type { Stock } from '../stock/stock.ts'
import type { UnixSeconds } from '../units.ts'
import type { PoolView } from '../view/pool-view.ts'
import type { DataStatus, StatusReason } from '../view/status.ts'
import type { StockPoolCounts, StockView } from '../view/stock-view.ts'
import { type StockFacts, stockReasonsOf } from './stock-facts.ts'

/** What a stock's row takes from a pool's record. */
export type PoolSummary = Pick<
  PoolView,
  | 'id'
  | 'kind'
  | 'active'
  | 'stockPriceUsd'
  | 'liquidityUsd'
  | 'vol24hUsd'
  | 'premiumBps'
  | 'driftBps'
>

export type StockViewInput = {
  readonly stock: Stock
  readonly facts: StockFacts
  /** As the token contract told it; null when never read. */
  readonly multiplier: Multiplier | null
  readonly quotes: readonly Quote[]
  /** All pools that hold this stock on either side. */
  readonly pools: readonly PoolSummary[]
  readonly policy: Policy
  readonly now: UnixSeconds
}

/** US dollars per share by one quote, or null where it says only what a token is worth. */
const shareUsdOf = (quote: Quote, factor: bigint | null): number | null => {
  const price = quote.last ?? midOf(quote)
  if (price === null || quote.per === 'share') return price
  return factor === null ? null : usdPerShare(price, factor)
}

/**
 * The quote that a stock row shows: the one its reference is taken from, else the last one that
 * came from outside our pools.
 */
const shownQuoteOf = ({ facts, quotes }: StockViewInput): Quote | null => {
  const { reference, lastOutside } = facts.reading
  const source = reference?.source === 'pools' ? lastOutside?.source : reference?.source
  const shown = source ?? quotes.find((each) => each.source !== 'pools')?.source
  return quotes.find((each) => each.source === shown) ?? null
}

const countNames = {
  canonical: 'canonical',
  meme: 'meme',
  'stock-stock': 'stockStock',
} as const

const countsOf = (pools: readonly PoolSummary[]): StockPoolCounts => {
  const counts = { total: pools.length, active: 0, canonical: 0, meme: 0, stockStock: 0 }
  for (const { active, kind } of pools) {
    if (active) counts.active += 1
    counts[countNames[kind]] += 1
  }
  return counts
}

/** The active canonical pool with the most dollars in it: whose price speaks for the stock. */
const bestPoolOf = (pools: readonly PoolSummary[]): PoolSummary | null =>
  pools.reduce<PoolSummary | null>((best, pool) => {
    if (pool.kind !== 'canonical' || !pool.active || pool.stockPriceUsd === null) return best
    if (best === null) return pool
    const [more, least] = [pool.liquidityUsd ?? -1, best.liquidityUsd ?? -1]
    return more > least || (more === least && pool.id < best.id) ? pool : best
  }, null)

/** Sums what is known; null only when nothing is. */
const sumKnown = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 && values.length > 0
    ? null
    : known.reduce((sum, value) => sum + value, 0)
}

const stockStatusOf = (input: StockViewInput, quote: Quote | null, best: PoolSummary | null) => {
  const { facts, policy, now } = input
  const reasons: StatusReason[] = stockReasonsOf(facts).filter((each) => each !== 'quote_old')
  const isQuoted = quote !== null && quote.source !== 'chainlink'
  const limits = { now, maxSeconds: policy.quoteMaxAgeSeconds }
  const isQuoteFresh =
    isQuoted && isWithin(quote.publishedTs, limits) && facts.reading.reference?.fresh === true
  if (quote === null && !reasons.includes('quote_missing')) reasons.unshift('quote_missing')
  if (quote !== null && !isQuoteFresh) reasons.unshift('quote_old')
  const status = (): DataStatus => {
    if (isQuoteFresh) return 'fresh'
    // Chainlink in its session stands in for a missing or old quote.
    if (facts.reading.reference?.source === 'chainlink' && facts.reading.reference.fresh) {
      return 'partial'
    }
    if (quote !== null) return 'stale'
    return best === null && facts.reading.reference === null ? 'unavailable' : 'partial'
  }
  return { dataStatus: status(), statusReasons: reasons }
}

const multiplierPart = ({ multiplier, now }: StockViewInput) => {
  if (multiplier === null) {
    return { multiplier: null, pendingMultiplier: null, multiplierEffectiveTs: null }
  }
  const pending = pendingMultiplier(multiplier, now)
  return {
    multiplier: multiplierText(effectiveMultiplier(multiplier, now)),
    pendingMultiplier: pending === null ? null : multiplierText(pending.value),
    multiplierEffectiveTs: multiplier.effectiveTs,
  }
}

/** Only who quotes shares says whether the share is halted. */
const haltOf = ({ facts, quotes }: StockViewInput): boolean | null =>
  quotes.some((quote) => quote.per === 'share') ? facts.halted : null

const namedSourceOf = (quote: Quote | null): StockView['quoteSource'] =>
  quote === null || quote.source === 'pools' ? null : quote.source

const quotePart = ({ multiplier, quotes, now }: StockViewInput, quote: Quote | null) => {
  const moment = quote && { ts: quote.publishedTs, now }
  const factor = multiplier && moment && multiplierAt(multiplier, moment)
  const quoteUsd = quote === null ? null : shareUsdOf(quote, factor)
  const oracle = quotes.find((each) => each.source === 'chainlink') ?? null
  return {
    quoteUsd,
    quoteBid: quote?.bid ?? null,
    quoteAsk: quote?.ask ?? null,
    quoteTs: quote?.publishedTs ?? null,
    quoteSource: namedSourceOf(quote),
    tokenUsd: quoteUsd === null || factor === null ? null : usdPerToken(quoteUsd, factor),
    oracleUsd: oracle?.last ?? null,
    oracleTs: oracle?.publishedTs ?? null,
  }
}

/** A stock's record (docs/api.md) from its listing, its token, its quotes and its pools. */
export const stockViewOf = (input: StockViewInput): StockView => {
  const { stock, facts, pools } = input
  const best = bestPoolOf(pools)
  const quote = shownQuoteOf(input)
  return {
    symbol: stock.symbol,
    name: stock.name,
    address: stock.address,
    decimals: stock.decimals,
    issuer: stock.issuer,
    ...multiplierPart(input),
    ...quotePart(input, quote),
    marketSession: facts.session,
    tradingHalt: haltOf(input),
    oraclePaused: stock.oraclePaused,
    poolPriceUsd: best?.stockPriceUsd ?? null,
    bestPoolId: best?.id ?? null,
    premiumBps: best?.premiumBps ?? null,
    driftBps: best?.driftBps ?? null,
    pools: countsOf(pools),
    liquidityUsd: sumKnown(pools.map((pool) => pool.liquidityUsd)),
    vol24hUsd: sumKnown(pools.map((pool) => pool.vol24hUsd)),
    ...stockStatusOf(input, quote, best),
  }
}
