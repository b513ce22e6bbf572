import {
  ageOf,
  chainlinkEquityMaxAgeSeconds,
  chainlinkHeartbeatSeconds,
  conflictMaxAgeSeconds,
  isWithin,
  type Policy,
} from '../freshness/policy.ts'
import type { UnixSeconds } from '../units.ts'
import { type Multiplier, multiplierAt, usdPerToken } from './multiplier.ts'
import type { Quote, QuoteSourceId } from './quote.ts'

/** A wider book is no price: off hours the issuer's bid and ask drift apart (methodology §3). */
const spreadMax = 0.02
/** Two young references further apart than this contradict each other. */
const conflictMax = 0.05

/** The price of one token in US dollars, with who says so and since when. */
export type Reference = {
  /** US dollars per token. */
  readonly usd: number
  readonly source: QuoteSourceId
  /** The publisher's time. */
  readonly publishedTs: UnixSeconds
  /** Not derived from our own pools, and within its own age limit: good for comparisons. */
  readonly independent: boolean
  /** Within its own age limit. */
  readonly fresh: boolean
}

export type ReferenceReading = {
  readonly reference: Reference | null
  /** The last price that came from outside our pools, however old: what drift is measured by. */
  readonly lastOutside: Reference | null
  /** Two young sources contradict each other. */
  readonly conflict: boolean
  /** A source was refused because its time lies in our future. */
  readonly clockAhead: boolean
}

export const noReference: ReferenceReading = {
  reference: null,
  lastOutside: null,
  conflict: false,
  clockAhead: false,
}

/** The mid of a two-sided quote, or null when it is one-sided, crossed or too wide. */
export const midOf = (quote: Quote): number | null => {
  const { bid, ask } = quote
  if (bid === null || ask === null || !(bid > 0) || !(ask >= bid)) return null
  const mid = (bid + ask) / 2
  return (ask - bid) / mid > spreadMax ? null : mid
}

/** US dollars per token by this quote; null when it gives no usable price (methodology §3). */
export const tokenUsdOf = (quote: Quote, multiplier: bigint | null): number | null => {
  const price = quote.last ?? midOf(quote)
  if (price === null || !(price > 0) || !Number.isFinite(price)) return null
  if (quote.per === 'token') return price
  return multiplier === null ? null : usdPerToken(price, multiplier)
}

type Candidate = { readonly quote: Quote; readonly usd: number }

type Pricing = { readonly multiplier: Multiplier | null; readonly now: UnixSeconds }

const candidateOf = (
  quotes: readonly Quote[],
  source: QuoteSourceId,
  { multiplier, now }: Pricing,
): Candidate | null => {
  const quote = quotes.find((each) => each.source === source)
  if (quote === undefined) return null
  const ofItsTime = multiplier && multiplierAt(multiplier, { ts: quote.publishedTs, now })
  const usd = tokenUsdOf(quote, ofItsTime)
  return usd === null ? null : { quote, usd }
}

const referenceOf = ({ quote, usd }: Candidate, trust: { readonly fresh: boolean }): Reference => ({
  usd,
  source: quote.source,
  publishedTs: quote.publishedTs,
  fresh: trust.fresh,
  independent: trust.fresh && quote.source !== 'pools',
})

const newestOf = (candidates: readonly (Candidate | null)[]): Candidate | null =>
  candidates.reduce<Candidate | null>((best, each) => {
    if (each === null) return best
    return best === null || each.quote.publishedTs > best.quote.publishedTs ? each : best
  }, null)

const areInConflict = (
  share: Candidate | null,
  oracle: Candidate | null,
  now: UnixSeconds,
): boolean => {
  if (share === null || oracle === null) return false
  const limits = { now, maxSeconds: conflictMaxAgeSeconds - 1 }
  if (!isWithin(share.quote.publishedTs, limits)) return false
  if (!isWithin(oracle.quote.publishedTs, limits)) return false
  return Math.abs(share.usd / oracle.usd - 1) > conflictMax
}

/**
 * The reference of a stock token (methodology §3): an issuer's or file's quote within the policy;
 * else Chainlink in its session; else the median over deep pools; else the last quote, stale.
 */
export const stockReferenceOf = (input: {
  readonly quotes: readonly Quote[]
  /** Null when never read: then shares can not be priced as tokens. */
  readonly multiplier: Multiplier | null
  /** Whether the 24/5 equity feeds are live now. */
  readonly oracleSession: boolean
  readonly policy: Policy
  readonly now: UnixSeconds
}): ReferenceReading => {
  const { now, policy } = input
  const usable = input.quotes.filter((quote) => ageOf(quote.publishedTs, now).kind === 'age')
  const issuer = candidateOf(usable, 'issuer', input)
  const file = candidateOf(usable, 'file', input)
  const oracle = candidateOf(usable, 'chainlink', input)
  const pools = candidateOf(usable, 'pools', input)
  const isFresh = (each: Candidate | null, maxSeconds: number): each is Candidate =>
    each !== null && isWithin(each.quote.publishedTs, { now, maxSeconds })
  const last = newestOf([issuer, file, oracle])
  const lastOutside = last === null ? null : referenceOf(last, { fresh: false })
  const select = (): Reference | null => {
    for (const share of [issuer, file]) {
      if (isFresh(share, policy.quoteMaxAgeSeconds)) return referenceOf(share, { fresh: true })
    }
    if (input.oracleSession && isFresh(oracle, chainlinkEquityMaxAgeSeconds)) {
      return referenceOf(oracle, { fresh: true })
    }
    if (isFresh(pools, policy.reserveMaxAgeSeconds)) return referenceOf(pools, { fresh: false })
    return lastOutside
  }
  return {
    reference: select(),
    lastOutside,
    conflict: areInConflict(newestOf([issuer, file]), oracle, now),
    clockAhead: usable.length < input.quotes.length,
  }
}

/**
 * The reference of a trusted quote token (ETH, WETH, USDG, ...): Chainlink within its heartbeat,
 * else what the pools say while that is young (methodology §3; the writer records a pool price
 * of a dollar token only while its cross-check holds).
 */
export const trustedReferenceOf = (input: {
  readonly quotes: readonly Quote[]
  readonly policy: Policy
  readonly now: UnixSeconds
}): ReferenceReading => {
  const { now, policy } = input
  const usable = input.quotes.filter((quote) => ageOf(quote.publishedTs, now).kind === 'age')
  const clockAhead = usable.length < input.quotes.length
  const oracle = candidateOf(usable, 'chainlink', { multiplier: null, now })
  const lastOutside = oracle === null ? null : referenceOf(oracle, { fresh: false })
  const limits = { now, maxSeconds: chainlinkHeartbeatSeconds }
  if (oracle !== null && isWithin(oracle.quote.publishedTs, limits)) {
    const reference = referenceOf(oracle, { fresh: true })
    return { reference, lastOutside, conflict: false, clockAhead }
  }
  const pools = candidateOf(usable, 'pools', { multiplier: null, now })
  const poolLimits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
  const isYoung = pools !== null && isWithin(pools.quote.publishedTs, poolLimits)
  const reference = isYoung ? referenceOf(pools, { fresh: true }) : null
  return { reference, lastOutside, conflict: false, clockAhead }
}
