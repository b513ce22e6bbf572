import {
  type PricingPoolPath,
  peggedUsd,
  stockMedianUsd,
  trustedTwapUsd,
} from '../../domain/price/pool-quotes.ts'
import type { Quote, QuoteSourceId } from '../../domain/price/quote.ts'
import { rejectFutureQuote, updateQuote } from '../../domain/price/quote-update.ts'
import {
  noReferencePrice,
  type ReferenceResult,
  selectStockReference,
  selectTrustedReference,
} from '../../domain/price/reference-price.ts'
import type { Policy } from '../../domain/status/freshness.ts'
import { isChainlinkSession } from '../../domain/stock/market-session.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { TrustedToken } from '../../domain/token/trusted-token.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { toMultiplier } from '../../domain/valuation/stock-inputs.ts'

/** A token whose price comes from outside our pools. */

/** The latest quotes of all sources, and what they make of each token. */
export type ReferencePrices = {
  readonly update: (quotes: readonly Quote[]) => void
  /** A source's quote for this token was refused for a time in our future. */
  readonly rejectFutureQuote: (refused: Pick<Quote, 'address' | 'source'>, now: UnixSeconds) => void
  readonly quotes: () => readonly Quote[]
  readonly referenceOf: (address: Address, now: UnixSeconds) => ReferenceResult
  /** What our own pools say, as quotes of the source `pools`; they are taken too. */
  readonly updatePoolQuotes: (
    anchored: ReadonlyMap<Address, readonly PricingPoolPath[]>,
    at: { readonly ts: UnixSeconds; readonly now: UnixSeconds },
  ) => void
}

/** Trusted tokens that are meant to be worth a dollar, by their registered name. */
const dollarSymbol = /^USD/

export const createReferencePrices = (deps: {
  readonly policy: Policy
  readonly trusted: readonly TrustedToken[]
  readonly stocks: () => readonly Stock[]
  readonly stockOf: (address: Address) => Stock | undefined
  readonly before: readonly Quote[]
}): ReferencePrices => {
  const { policy, trusted, stocks, stockOf } = deps
  const trustedAddresses = new Set(trusted.map((token) => token.address))
  const byToken = new Map<Address, Map<QuoteSourceId, Quote>>()

  const heldOf = ({ address, source }: Pick<Quote, 'address' | 'source'>): Quote | undefined =>
    byToken.get(address)?.get(source)

  const hold = (quote: Quote): void => {
    const ofToken = byToken.get(quote.address) ?? new Map<QuoteSourceId, Quote>()
    byToken.set(quote.address, ofToken)
    ofToken.set(quote.source, quote)
  }

  const take = (quotes: readonly Quote[]): void => {
    for (const quote of quotes) hold(updateQuote(heldOf(quote), quote))
  }
  for (const quote of deps.before) hold(quote)

  const quotesOf = (address: Address): readonly Quote[] => [
    ...(byToken.get(address)?.values() ?? []),
  ]

  const referenceOf = (address: Address, now: UnixSeconds): ReferenceResult => {
    const quotes = quotesOf(address)
    if (trustedAddresses.has(address)) return selectTrustedReference({ quotes, policy, now })
    const stock = stockOf(address)
    if (stock === undefined) return noReferencePrice
    const multiplier = toMultiplier(stock)
    const oracleSession = isChainlinkSession(now)
    return selectStockReference({ quotes, multiplier, oracleSession, policy, now })
  }

  type At = { readonly ts: UnixSeconds; readonly now: UnixSeconds }

  const poolQuote = (address: Address, last: number | null, at: At): Quote => ({
    address,
    source: 'pools',
    per: 'token',
    bid: null,
    ask: null,
    last,
    publishedTs: at.ts,
    fetchedTs: at.now,
    halted: false,
    lapse: null,
  })

  /** What the pools no longer say is taken back, not left to grow old. */
  const takePools = (address: Address, last: number | null, at: At): void => {
    const isNews = last !== null || heldOf({ address, source: 'pools' }) !== undefined
    if (isNews) take([poolQuote(address, last, at)])
  }

  const quotePools: ReferencePrices['updatePoolQuotes'] = (anchored, at) => {
    /** Trusted tokens are priced by what outsiders say of the other one, never in a circle. */
    const outsideUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.independent ? reference.usd : null
    }
    for (const { address, symbol } of trusted) {
      const pools = anchored.get(address) ?? []
      const twap = trustedTwapUsd(pools, { usdOf: outsideUsdOf, ts: at.ts })
      const usd = dollarSymbol.test(symbol) ? peggedUsd(twap) : twap
      takePools(address, usd, at)
    }
    const trustedUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.fresh ? reference.usd : null
    }
    for (const { address } of stocks()) {
      const pools = anchored.get(address) ?? []
      takePools(address, stockMedianUsd(pools, { usdOf: trustedUsdOf, ts: at.ts }), at)
    }
  }

  return {
    update: take,
    rejectFutureQuote: ({ address, source }, now) =>
      hold(rejectFutureQuote(heldOf({ address, source }), { address, source, now })),
    referenceOf,
    updatePoolQuotes: quotePools,
    quotes: () => [...byToken.values()].flatMap((ofToken) => [...ofToken.values()]),
  }
}
