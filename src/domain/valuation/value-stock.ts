import { publisherTraits, type Quote, type QuoteSourceId } from '../price/quote.ts'
import { isReported } from '../price/quote-update.ts'
import { quotedTokenUsd, quotedUsd } from '../price/quoted-usd.ts'
import type { DataStatus, StatusReason } from '../status/data-status.ts'
import {
  effectiveMultiplier,
  type Multiplier,
  multiplierAt,
  multiplierText,
  pendingMultiplier,
  usdPerShare,
} from '../stock/multiplier.ts'
import type { Stock } from '../stock/stock.ts'
import type { UnixSeconds } from '../units.ts'
import type { StockView } from '../views/stock.ts'
import { isStockReadUsable, type StockInputs, stockStatusReasons } from './stock-inputs.ts'
import type { PoolSummary, StockTotals } from './stock-totals.ts'

export type StockViewInput = {
  readonly stock: Stock
  readonly inputs: StockInputs
  /** From the token contract; null when never read. */
  readonly multiplier: Multiplier | null
  readonly quotes: readonly Quote[]
  readonly pools: StockTotals
  readonly now: UnixSeconds
}

const isOfRule1 = (source: QuoteSourceId): boolean =>
  source !== 'pools' && publisherTraits[source].rule === 1

/** US dollars per share by one quote; null if a token price cannot be converted. */
const shareUsdOf = (quote: Quote, factor: bigint | null): number | null => {
  const price = quotedUsd(quote)
  if (price === null || quote.per === 'share') return price
  return factor === null ? null : usdPerShare(price, factor)
}

/**
 * A quote that waits for confirmation, else that of the stock's reference, else the last external
 * one; never one without a price.
 */
const shownQuoteOf = ({ inputs, quotes }: StockViewInput): Quote | null => {
  const { reference, lastExternal, unconfirmed } = inputs.reading
  const priced = quotes.filter((each) => each.source !== 'pools' && quotedUsd(each) !== null)
  const ofReference = reference?.source === 'pools' ? lastExternal?.source : reference?.source
  const source = unconfirmed ?? ofReference
  return priced.find((each) => source === undefined || each.source === source) ?? null
}

/**
 * Status of a stock (docs/api.md): by the freshness of its external quote, or without one by
 * whether the chain has a price.
 */
const stockStatusOf = (
  { inputs }: StockViewInput,
  quote: Quote | null,
  best: PoolSummary | null,
): { readonly dataStatus: DataStatus; readonly statusReasons: readonly StatusReason[] } => {
  const { reference, clockAhead, unconfirmed } = inputs.reading
  const isGood = quote !== null && reference?.fresh === true
  const isFresh = isGood && isOfRule1(reference.source)
  const isWaiting = isGood && unconfirmed !== null
  const reasons = new Set<StatusReason>()
  if (quote === null || reference === null) reasons.add('quote_missing')
  else if (!isFresh && !isWaiting) reasons.add('quote_old')
  if (!isFresh && clockAhead) reasons.add('clock_ahead')
  for (const reason of stockStatusReasons(inputs)) {
    if (reason !== 'quote_old' && reason !== 'quote_missing') reasons.add(reason)
  }
  const status = (): DataStatus => {
    if (isGood) return isFresh && !inputs.multiplierOld ? 'fresh' : 'partial'
    if (quote !== null) return 'stale'
    return best === null && reference === null ? 'unavailable' : 'partial'
  }
  return { dataStatus: status(), statusReasons: [...reasons] }
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

const namedSourceOf = (quote: Quote | null): StockView['quoteSource'] =>
  quote === null || quote.source === 'pools' ? null : quote.source

const quotePart = ({ multiplier, quotes, now }: StockViewInput, quote: Quote | null) => {
  const time = quote && { ts: quote.publishedTs, now }
  const factor = multiplier && time && multiplierAt(multiplier, time)
  const quoteUsd = quote === null ? null : shareUsdOf(quote, factor)
  const oracle = quotes.find((each) => each.source === 'chainlink' && isReported(each)) ?? null
  const oracleTime = oracle && { ts: oracle.publishedTs, now }
  const oracleFactor = multiplier && oracleTime && multiplierAt(multiplier, oracleTime)
  return {
    quoteUsd,
    quoteBid: quote?.bid ?? null,
    quoteAsk: quote?.ask ?? null,
    quoteTs: quote?.publishedTs ?? null,
    quoteSource: namedSourceOf(quote),
    tokenUsd: quote === null ? null : quotedTokenUsd(quote, factor),
    oracleUsd: oracle && quotedTokenUsd(oracle, oracleFactor),
    oracleTs: oracle?.publishedTs ?? null,
  }
}

/** Builds a stock's view (docs/api.md) from its listing, token, quotes and pools. */
export const toStockView = (input: StockViewInput): StockView => {
  const { stock, inputs, pools } = input
  const { best, counts, liquidityUsd, vol24hUsd, vol24hFilteredUsd, washShare24h } = pools
  const quote = shownQuoteOf(input)
  return {
    symbol: stock.symbol,
    name: stock.name,
    address: stock.address,
    decimals: stock.decimals,
    issuer: stock.issuer,
    ...multiplierPart(input),
    ...quotePart(input, quote),
    marketSession: inputs.session,
    tradingHalt: inputs.halted,
    oraclePaused: isStockReadUsable(stock, input.now) ? stock.oraclePaused : null,
    poolPriceUsd: best?.stockPriceUsd ?? null,
    bestPoolId: best?.pool.id ?? null,
    premiumBps: best?.premiumBps ?? null,
    driftBps: best?.driftBps ?? null,
    pools: counts,
    liquidityUsd,
    vol24hUsd,
    vol24hFilteredUsd,
    washShare24h,
    ...stockStatusOf(input, quote, best),
  }
}
