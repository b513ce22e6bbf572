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

/** The latest quotes of all sources, and the reference prices that they give. */
export type ReferencePrices = {
  readonly update: (quotes: readonly Quote[]) => void
  /** Records that a source's quote of this token was rejected because its time is in the future. */
  readonly rejectFutureQuote: (
    rejected: Pick<Quote, 'address' | 'source'>,
    now: UnixSeconds,
  ) => void
  readonly quotes: () => readonly Quote[]
  readonly referenceOf: (address: Address, now: UnixSeconds) => ReferenceResult
  /** Adds the prices of the pricing pools as quotes of the source `pools`. */
  readonly updatePoolQuotes: (
    paths: ReadonlyMap<Address, readonly PricingPoolPath[]>,
    at: { readonly ts: UnixSeconds; readonly now: UnixSeconds },
  ) => void
}

/** Trusted tokens that are pegged to the dollar, by their configured symbol. */
const dollarSymbol = /^USD/

export const createReferencePrices = (deps: {
  readonly policy: Policy
  readonly trusted: readonly TrustedToken[]
  readonly stocks: () => readonly Stock[]
  readonly stockOf: (address: Address) => Stock | undefined
  readonly stored: readonly Quote[]
}): ReferencePrices => {
  const { policy, trusted, stocks, stockOf } = deps
  const trustedAddresses = new Set(trusted.map((token) => token.address))
  const byToken = new Map<Address, Map<QuoteSourceId, Quote>>()

  const getQuote = ({ address, source }: Pick<Quote, 'address' | 'source'>): Quote | undefined =>
    byToken.get(address)?.get(source)

  const put = (quote: Quote): void => {
    const ofToken = byToken.get(quote.address) ?? new Map<QuoteSourceId, Quote>()
    byToken.set(quote.address, ofToken)
    ofToken.set(quote.source, quote)
  }

  const update = (quotes: readonly Quote[]): void => {
    for (const quote of quotes) put(updateQuote(getQuote(quote), quote))
  }
  for (const quote of deps.stored) put(quote)

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
    haltTs: null,
    lapse: null,
  })

  /** Null withdraws an earlier pool quote at once, instead of letting it age. */
  const updatePoolQuote = (address: Address, last: number | null, at: At): void => {
    const isChange = last !== null || getQuote({ address, source: 'pools' }) !== undefined
    if (isChange) update([poolQuote(address, last, at)])
  }

  const updatePoolQuotes: ReferencePrices['updatePoolQuotes'] = (paths, at) => {
    /** A trusted token is priced by the other one's external price only: never in a circle. */
    const externalUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.independent ? reference.usd : null
    }
    for (const { address, symbol } of trusted) {
      const pools = paths.get(address) ?? []
      const twap = trustedTwapUsd(pools, { usdOf: externalUsdOf, ts: at.ts })
      const usd = dollarSymbol.test(symbol) ? peggedUsd(twap) : twap
      updatePoolQuote(address, usd, at)
    }
    const trustedUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.fresh ? reference.usd : null
    }
    for (const { address } of stocks()) {
      const pools = paths.get(address) ?? []
      updatePoolQuote(address, stockMedianUsd(pools, { usdOf: trustedUsdOf, ts: at.ts }), at)
    }
  }

  return {
    update,
    rejectFutureQuote: ({ address, source }, now) =>
      put(rejectFutureQuote(getQuote({ address, source }), { address, source, now })),
    referenceOf,
    updatePoolQuotes,
    quotes: () => [...byToken.values()].flatMap((ofToken) => [...ofToken.values()]),
  }
}
