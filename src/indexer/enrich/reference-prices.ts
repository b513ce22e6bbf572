import { type PoolPrice, stockMedianUsd, trustedMeanUsd } from '../../domain/price/pool-quotes.ts'
import type { PricingPools } from '../../domain/price/pricing-pools.ts'
import {
  noTrail,
  type PublishedQuote,
  publisherTraits,
  type Quote,
  type QuoteSourceId,
} from '../../domain/price/quote.ts'
import { confirmedQuotes, type StockQuotes } from '../../domain/price/quote-candidates.ts'
import { rejectFutureQuote, updateQuote } from '../../domain/price/quote-update.ts'
import { quotedTokenUsd } from '../../domain/price/quoted-usd.ts'
import {
  noReferencePrice,
  type ReferenceResult,
  selectStockReference,
  selectTrustedReference,
} from '../../domain/price/reference-price.ts'
import { wrappedReference } from '../../domain/price/wrapped-reference.ts'
import type { Policy } from '../../domain/status/freshness.ts'
import { isChainlinkSession } from '../../domain/stock/market-session.ts'
import { multiplierAt } from '../../domain/stock/multiplier.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { StandardOf } from '../../domain/stock/stock-standard.ts'
import { isDollarToken, type TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { toMultiplier } from '../../domain/valuation/stock-inputs.ts'

/** The latest quotes of all sources, and the reference prices that they give. */
export type ReferencePrices = {
  readonly update: (quotes: readonly PublishedQuote[]) => void
  /** Records that a source's quote of this token was rejected because its time is in the future. */
  readonly rejectFutureQuote: (
    rejected: Pick<Quote, 'address' | 'source'>,
    now: UnixSeconds,
  ) => void
  readonly quotes: () => readonly Quote[]
  readonly referenceOf: (address: Address, now: UnixSeconds) => ReferenceResult
  /** Accepts jumped quotes that other sources or the pools confirm now. */
  readonly acceptConfirmed: (now: UnixSeconds) => void
  /** Adds the prices of the pricing pools as quotes of the source `pools`. */
  readonly updatePoolQuotes: (
    pricingPools: PricingPools,
    at: { readonly ts: UnixSeconds; readonly now: UnixSeconds },
  ) => void
}

type At = { readonly ts: UnixSeconds; readonly now: UnixSeconds }

const poolQuote = (address: Address, price: PoolPrice | null, at: At): Quote => ({
  address,
  source: 'pools',
  per: 'token',
  bid: null,
  ask: null,
  last: price?.usd ?? null,
  publishedTs: at.ts,
  fetchedTs: at.now,
  halted: false,
  haltTs: null,
  lapse: null,
  ...noTrail,
  pools: price?.pools ?? null,
})

export const createReferencePrices = (deps: {
  readonly policy: Policy
  readonly trusted: readonly TrustedToken[]
  readonly stocks: () => readonly Stock[]
  readonly stockOf: (address: Address) => Stock | undefined
  readonly standardOf: StandardOf
  readonly stored: readonly Quote[]
}): ReferencePrices => {
  const { policy, trusted, stocks, stockOf, standardOf } = deps
  const trustedTokens = new Map(trusted.map((token) => [token.address, token]))
  const byToken = new Map<Address, Map<QuoteSourceId, Quote>>()

  const getQuote = ({ address, source }: Pick<Quote, 'address' | 'source'>): Quote | undefined =>
    byToken.get(address)?.get(source)

  const put = (quote: Quote): void => {
    const ofToken = byToken.get(quote.address) ?? new Map<QuoteSourceId, Quote>()
    byToken.set(quote.address, ofToken)
    ofToken.set(quote.source, quote)
  }

  /** Dollars per token of a stock's quote by the multiplier of its time. */
  const usdOf = (quote: PublishedQuote): number | null => {
    const stock = trustedTokens.has(quote.address) ? undefined : stockOf(quote.address)
    if (stock === undefined) return null
    const multiplier = toMultiplier(stock, quote.fetchedTs)
    const time = { ts: quote.publishedTs, now: quote.fetchedTs }
    return quotedTokenUsd(quote, multiplier && multiplierAt(multiplier, time))
  }

  const update = (quotes: readonly PublishedQuote[]): void => {
    for (const quote of quotes) put(updateQuote(getQuote(quote), quote, usdOf))
  }
  for (const quote of deps.stored) put(quote)

  const quotesOf = (address: Address): readonly Quote[] => [
    ...(byToken.get(address)?.values() ?? []),
  ]

  const stockQuotes = (stock: Stock, now: UnixSeconds): StockQuotes => ({
    quotes: quotesOf(stock.address),
    multiplier: toMultiplier(stock, now),
    oracleSession: isChainlinkSession(now),
    policy,
    now,
  })

  const referenceOf = (address: Address, now: UnixSeconds): ReferenceResult => {
    const quotes = quotesOf(address)
    const token = trustedTokens.get(address)
    if (token !== undefined) {
      return selectTrustedReference({ quotes, isDollar: isDollarToken(token), policy, now })
    }
    const stock = stockOf(address)
    if (stock === undefined) return noReferencePrice
    const { wraps } = standardOf(address)
    if (wraps === null) return selectStockReference(stockQuotes(stock, now))
    const asset = stockOf(wraps.asset)
    return asset === undefined || asset.verdict === 'disproven'
      ? noReferencePrice
      : wrappedReference(
          selectStockReference(stockQuotes(asset, now)),
          toMultiplier(stock, now)?.current ?? null,
        )
  }

  const acceptConfirmed = (now: UnixSeconds): void => {
    for (const stock of stocks()) {
      for (const quote of confirmedQuotes(stockQuotes(stock, now), publisherTraits)) put(quote)
    }
  }

  /** Null withdraws an earlier pool quote at once, instead of letting it age. */
  const updatePoolQuote = (address: Address, price: PoolPrice | null, at: At): void => {
    const isChange = price !== null || getQuote({ address, source: 'pools' }) !== undefined
    if (isChange) put(poolQuote(address, price, at))
  }

  const updatePoolQuotes: ReferencePrices['updatePoolQuotes'] = (pricingPools, at) => {
    /** A trusted token is priced by the other one's external price only: never in a circle. */
    const externalUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.independent ? reference.usd : null
    }
    for (const { address } of trusted) {
      const options = { usdOf: externalUsdOf, ts: at.ts }
      updatePoolQuote(address, trustedMeanUsd(pricingPools, address, options), at)
    }
    const trustedUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.fresh ? reference.usd : null
    }
    for (const { address } of stocks()) {
      const options = { usdOf: trustedUsdOf, ts: at.ts }
      updatePoolQuote(address, stockMedianUsd(pricingPools, address, options), at)
    }
  }

  return {
    update,
    rejectFutureQuote: ({ address, source }, now) =>
      put(rejectFutureQuote(getQuote({ address, source }), { address, source, now })),
    referenceOf,
    updatePoolQuotes,
    acceptConfirmed,
    quotes: () => [...byToken.values()].flatMap((ofToken) => [...ofToken.values()]),
  }
}
