import {
  ageOf,
  chainlinkEquityMaxAgeSeconds,
  chainlinkHeartbeatSeconds,
  conflictMaxAgeSeconds,
  isWithin,
  type Policy,
} from '../status/freshness.ts'
import { type Multiplier, multiplierAt, usdPerToken } from '../stock/multiplier.ts'
import type { UnixSeconds } from '../units.ts'
import { type PublisherTraits, publisherTraits, type Quote, type QuoteSourceId } from './quote.ts'

/** A wider book is no price: bid and ask drift apart off hours (methodology §3). */
export const quoteSpreadRatioMax = 0.02
/** Two young references further apart than this contradict each other. */
export const referenceConflictRatioMax = 0.05
/** A dollar token counts as one dollar while pools agree within this. */
export const pegTolerance = 0.01

/** US dollar price of one token, with source and freshness. */
export type ReferencePrice = {
  /** US dollars per token. */
  readonly usd: number
  readonly source: QuoteSourceId
  /** The publisher's time. */
  readonly publishedTs: UnixSeconds
  /** Not derived from indexed pools, and within its age limit. */
  readonly independent: boolean
  /** Within its own age limit. */
  readonly fresh: boolean
}

export type ReferenceResult = {
  readonly reference: ReferencePrice | null
  /** Last price from an external source, of any age; the base of drift. */
  readonly lastExternal: ReferencePrice | null
  /** Two young sources contradict each other. */
  readonly conflict: boolean
  /** A source was rejected because its time is ahead of our clock. */
  readonly clockAhead: boolean
}

export const noReferencePrice: ReferenceResult = {
  reference: null,
  lastExternal: null,
  conflict: false,
  clockAhead: false,
}

/** Middle of bid and ask; null when the quote is one-sided, crossed or too wide. */
export const quoteMid = (quote: Quote): number | null => {
  const { bid, ask } = quote
  if (bid === null || ask === null || !(bid > 0) || !(ask >= bid)) return null
  const mid = (bid + ask) / 2
  return (ask - bid) / mid > quoteSpreadRatioMax ? null : mid
}

/** US dollars per share or per token, as the quote says; null when it gives no usable price. */
export const quotedUsd = (quote: Quote): number | null => {
  const price = quote.last ?? quoteMid(quote)
  return price !== null && price > 0 && Number.isFinite(price) ? price : null
}

/** US dollars per token by this quote; null when it gives no usable price (methodology §3). */
export const quotedTokenUsd = (quote: Quote, multiplier: bigint | null): number | null => {
  const price = quotedUsd(quote)
  if (price === null) return null
  if (quote.per === 'token') return price
  return multiplier === null ? null : usdPerToken(price, multiplier)
}

type Candidate = { readonly quote: Quote; readonly usd: number }

/** The table of publishers, or one with another line. */
type Publishers = Readonly<Record<string, PublisherTraits>>

type Pricing = { readonly multiplier: Multiplier | null; readonly now: UnixSeconds }

const candidateOf = (
  quotes: readonly Quote[],
  source: string,
  { multiplier, now }: Pricing,
): Candidate | null => {
  const quote = quotes.find((each) => each.source === source)
  if (quote === undefined) return null
  const ofItsTime = multiplier && multiplierAt(multiplier, { ts: quote.publishedTs, now })
  const usd = quotedTokenUsd(quote, ofItsTime)
  return usd === null ? null : { quote, usd }
}

const referenceOf = (
  { quote, usd }: Candidate,
  trust: { readonly fresh: boolean },
): ReferencePrice => ({
  usd,
  source: quote.source,
  publishedTs: quote.publishedTs,
  fresh: trust.fresh,
  independent: trust.fresh && quote.source !== 'pools',
})

/** The candidates of one selection rule, in the order of the table of publishers. */
const candidatesOf = (
  quotes: readonly Quote[],
  rule: PublisherTraits['rule'],
  pricing: Pricing & { readonly publishers: Publishers },
): readonly Candidate[] =>
  Object.entries(pricing.publishers).flatMap(([source, traits]) => {
    const candidate = traits.rule === rule ? candidateOf(quotes, source, pricing) : null
    return candidate === null ? [] : [candidate]
  })

const newestOf = (candidates: readonly Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (best, each) =>
      best === null || each.quote.publishedTs > best.quote.publishedTs ? each : best,
    null,
  )

type Limits = { readonly now: UnixSeconds; readonly maxSeconds: number }

/** The candidate if it is within its age limit and its source still confirms it. */
const isCurrent = ({ quote }: Candidate, limits: Limits): boolean =>
  quote.lapse === null && isWithin(quote.publishedTs, limits)

const currentOf = (candidates: readonly Candidate[], limits: Limits): Candidate | null =>
  candidates.find((each) => isCurrent(each, limits)) ?? null

const usableOf = (quotes: readonly Quote[], now: UnixSeconds) => {
  const usable = quotes.filter((quote) => ageOf(quote.publishedTs, now).kind === 'age')
  const isRejected = quotes.some((quote) => quote.lapse === 'clock-ahead')
  return { usable, clockAhead: isRejected || usable.length < quotes.length }
}

const areInConflict = (share: Candidate, oracle: Candidate, now: UnixSeconds): boolean => {
  const limits = { now, maxSeconds: conflictMaxAgeSeconds - 1 }
  if (!isWithin(share.quote.publishedTs, limits)) return false
  if (!isWithin(oracle.quote.publishedTs, limits)) return false
  return Math.abs(share.usd / oracle.usd - 1) > referenceConflictRatioMax
}

/**
 * The reference of a stock token (methodology §3): an issuer's or file's quote within the policy;
 * else Chainlink in its session; else the median over deep pools; else the last quote, stale.
 */
export const selectStockReference = (
  input: {
    readonly quotes: readonly Quote[]
    /** Null when never read: then a share price gives no token price. */
    readonly multiplier: Multiplier | null
    /** Whether the 24/5 equity feeds are live now. */
    readonly oracleSession: boolean
    readonly policy: Policy
    readonly now: UnixSeconds
  },
  publishers: Publishers = publisherTraits,
): ReferenceResult => {
  const { now, policy } = input
  const { usable, clockAhead } = usableOf(input.quotes, now)
  const pricing = { ...input, publishers }
  const shares = candidatesOf(usable, 1, pricing)
  const oracles = candidatesOf(usable, 2, pricing)
  const pools = candidateOf(usable, 'pools', input)
  const last = newestOf([...shares, ...oracles])
  const lastExternal = last === null ? null : referenceOf(last, { fresh: false })
  const select = (): ReferencePrice | null => {
    const shareLimits = { now, maxSeconds: policy.quoteMaxAgeSeconds }
    const share = currentOf(shares, shareLimits)
    if (share !== null) return referenceOf(share, { fresh: true })
    const oracleLimits = { now, maxSeconds: chainlinkEquityMaxAgeSeconds }
    const live = input.oracleSession ? currentOf(oracles, oracleLimits) : null
    if (live !== null) return referenceOf(live, { fresh: true })
    const poolLimits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
    const isMedian = pools !== null && isCurrent(pools, poolLimits)
    return isMedian ? referenceOf(pools, { fresh: false }) : lastExternal
  }
  return {
    reference: select(),
    lastExternal,
    conflict: shares.some((share) => oracles.some((each) => areInConflict(share, each, now))),
    clockAhead,
  }
}

/** A dollar token's price by pools: one dollar while they agree, else none. */
const pegged = (mean: Candidate | null): Candidate | null =>
  mean !== null && Math.abs(mean.usd - 1) <= pegTolerance ? { ...mean, usd: 1 } : null

/**
 * The reference of a trusted quote token (ETH, WETH, USDG, ...): Chainlink within its heartbeat,
 * else what the pools say while that is young (methodology §3). A lapsed answer is returned as
 * stale if there is nothing else.
 */
export const selectTrustedReference = (input: {
  readonly quotes: readonly Quote[]
  readonly isDollar: boolean
  readonly policy: Policy
  readonly now: UnixSeconds
}): ReferenceResult => {
  const { now, policy } = input
  const { usable, clockAhead } = usableOf(input.quotes, now)
  const pricing = { multiplier: null, now, publishers: publisherTraits }
  const oracles = candidatesOf(usable, 2, pricing)
  const mean = candidateOf(usable, 'pools', pricing)
  const pools = input.isDollar ? pegged(mean) : mean
  const limits = { now, maxSeconds: chainlinkHeartbeatSeconds }
  const select = (): ReferencePrice | null => {
    const poolLimits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
    const oracle = currentOf(oracles, limits)
    if (oracle !== null) return referenceOf(oracle, { fresh: true })
    if (pools !== null && isCurrent(pools, poolLimits)) return referenceOf(pools, { fresh: true })
    return last !== null && isWithin(last.quote.publishedTs, limits) ? lastExternal : null
  }
  const last = newestOf(oracles)
  const lastExternal = last === null ? null : referenceOf(last, { fresh: false })
  return { reference: select(), lastExternal, conflict: false, clockAhead }
}
