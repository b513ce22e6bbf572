import type { Policy } from '../domain/freshness/policy.ts'
import type { Quote } from '../domain/stock/quote.ts'
import {
  noReference,
  type ReferenceReading,
  stockReferenceOf,
  trustedReferenceOf,
} from '../domain/stock/reference.ts'
import { isChainlinkSession } from '../domain/stock/session.ts'
import type { Stock } from '../domain/stock/stock.ts'
import type { Address, UnixSeconds } from '../domain/units.ts'
import {
  type AnchoredPool,
  peggedUsdOf,
  stockMedianUsd,
  trustedTwapUsd,
} from '../domain/valuation/pool-quotes.ts'
import { multiplierOf } from '../domain/valuation/stock-facts.ts'

/** A token whose price comes from outside our pools. */
export type TrustedToken = { readonly address: Address; readonly symbol: string }

/** The latest quotes of all sources, and what they make of each token. */
export type PriceDesk = {
  readonly take: (quotes: readonly Quote[]) => void
  readonly quotes: () => readonly Quote[]
  readonly referenceOf: (address: Address, now: UnixSeconds) => ReferenceReading
  /** What our own pools say, as quotes of the source `pools`; they are taken too. */
  readonly quotePools: (
    anchored: ReadonlyMap<Address, readonly AnchoredPool[]>,
    at: { readonly ts: UnixSeconds; readonly now: UnixSeconds },
  ) => void
}

/** Trusted tokens that are meant to be worth a dollar, by their registered name. */
const dollarSymbol = /^USD/

const keyOf = ({ address, source }: Pick<Quote, 'address' | 'source'>): string =>
  `${address}:${source}`

export const createPriceDesk = (deps: {
  readonly policy: Policy
  readonly trusted: readonly TrustedToken[]
  readonly stocks: () => readonly Stock[]
  readonly stockOf: (address: Address) => Stock | undefined
  readonly before: readonly Quote[]
}): PriceDesk => {
  const { policy, trusted, stocks, stockOf } = deps
  const trustedAddresses = new Set(trusted.map((token) => token.address))
  const byToken = new Map<Address, Map<string, Quote>>()

  const take = (quotes: readonly Quote[]): void => {
    for (const quote of quotes) {
      const ofToken = byToken.get(quote.address) ?? new Map<string, Quote>()
      byToken.set(quote.address, ofToken)
      ofToken.set(keyOf(quote), quote)
    }
  }
  take(deps.before)

  const quotesOf = (address: Address): readonly Quote[] => [
    ...(byToken.get(address)?.values() ?? []),
  ]

  const referenceOf = (address: Address, now: UnixSeconds): ReferenceReading => {
    const quotes = quotesOf(address)
    if (trustedAddresses.has(address)) return trustedReferenceOf({ quotes, policy, now })
    const stock = stockOf(address)
    if (stock === undefined) return noReference
    const multiplier = multiplierOf(stock)
    const oracleSession = isChainlinkSession(now)
    return stockReferenceOf({ quotes, multiplier, oracleSession, policy, now })
  }

  const poolQuote = (address: Address, last: number, at: { ts: number; now: number }): Quote => ({
    address,
    source: 'pools',
    per: 'token',
    bid: null,
    ask: null,
    last,
    publishedTs: at.ts,
    fetchedTs: at.now,
    halted: false,
  })

  const quotePools: PriceDesk['quotePools'] = (anchored, at) => {
    /** Trusted tokens are priced by what outsiders say of the other one, never in a circle. */
    const outsideUsdOf = (address: Address): number | null => {
      const { reference } = referenceOf(address, at.now)
      return reference?.independent ? reference.usd : null
    }
    for (const { address, symbol } of trusted) {
      const pools = anchored.get(address) ?? []
      const twap = trustedTwapUsd(pools, { usdOf: outsideUsdOf, ts: at.ts })
      const usd = dollarSymbol.test(symbol) ? peggedUsdOf(twap) : twap
      if (usd !== null) take([poolQuote(address, usd, at)])
    }
    const trustedUsdOf = (address: Address) => referenceOf(address, at.now).reference?.usd ?? null
    for (const { address } of stocks()) {
      const pools = anchored.get(address) ?? []
      const usd = stockMedianUsd(pools, { usdOf: trustedUsdOf, ts: at.ts })
      if (usd !== null) take([poolQuote(address, usd, at)])
    }
  }

  return {
    take,
    referenceOf,
    quotePools,
    quotes: () => [...byToken.values()].flatMap((ofToken) => [...ofToken.values()]),
  }
}
