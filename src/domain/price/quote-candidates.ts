import { ageOf, chainlinkEquityMaxAgeSeconds, isWithin, type Policy } from '../status/freshness.ts'
import { type Multiplier, multiplierAt } from '../stock/multiplier.ts'
import type { UnixSeconds } from '../units.ts'
import type { PublisherTraits, Quote } from './quote.ts'
import { isFar, isStanding, quoteJumpMax } from './quote-jump.ts'
import { quotedTokenUsd } from './quoted-usd.ts'

/** A source that agrees within this confirms a jump. */
export const jumpConfirmedWithin = 0.1
/** Pools that agree within this confirm a share quote of before a change of the multiplier. */
export const splitConfirmedWithin = 0.25

/** A quote with the price of one token. */
export type Candidate = { readonly quote: Quote; readonly usd: number }

/** The table of publishers, or one with another line. */
export type Publishers = Readonly<Record<string, PublisherTraits>>

export type Pricing = { readonly multiplier: Multiplier | null; readonly now: UnixSeconds }

export const candidateOf = (
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

/** The candidates of one selection rule, in the order of the table of publishers. */
export const candidatesOf = (
  quotes: readonly Quote[],
  rule: PublisherTraits['rule'],
  pricing: Pricing & { readonly publishers: Publishers },
): readonly Candidate[] =>
  Object.entries(pricing.publishers).flatMap(([source, traits]) => {
    const candidate = traits.rule === rule ? candidateOf(quotes, source, pricing) : null
    return candidate === null ? [] : [candidate]
  })

export const newestOf = (candidates: readonly Candidate[]): Candidate | null =>
  candidates.reduce<Candidate | null>(
    (best, each) =>
      best === null || each.quote.publishedTs > best.quote.publishedTs ? each : best,
    null,
  )

type Limits = { readonly now: UnixSeconds; readonly maxSeconds: number }

/** Whether the candidate is within its age limit and its source still confirms it. */
export const isCurrent = ({ quote }: Candidate, limits: Limits): boolean =>
  quote.lapse === null && isWithin(quote.publishedTs, limits)

export const usableOf = (quotes: readonly Quote[], now: UnixSeconds) => {
  const usable = quotes.filter((quote) => ageOf(quote.publishedTs, now).kind === 'age')
  const isRejected = quotes.some((quote) => quote.lapse === 'clock-ahead')
  return { usable, clockAhead: isRejected || usable.length < quotes.length }
}

/** All that decides the reference of a stock. */
export type StockQuotes = Pricing & {
  readonly quotes: readonly Quote[]
  /** Whether the 24/5 equity feeds are live now. */
  readonly oracleSession: boolean
  readonly policy: Policy
}

/**
 * `jumped`: far from the last accepted quote of its source, and not confirmed. `before-split`: a
 * share's price of before a change of the multiplier, which pools do not confirm.
 */
type Verdict = 'accepted' | 'jumped' | 'before-split'

export type JudgedCandidate = Candidate & {
  readonly rule: PublisherTraits['rule']
  readonly isCurrent: boolean
  readonly verdict: Verdict
}

const hasJumped = ({ quote, usd }: Candidate): boolean =>
  quote.acceptedUsd !== null && isFar(usd, quote.acceptedUsd, quoteJumpMax)

const isBeforeSplit = ({ quote }: Candidate, { multiplier, now }: Pricing): boolean => {
  const effectiveTs = multiplier?.effectiveTs ?? null
  if (quote.per === 'token' || multiplier?.pending === null || effectiveTs === null) return false
  return effectiveTs <= now && quote.publishedTs <= effectiveTs
}

/** The price by pools while it is young. */
export const youngPools = (given: StockQuotes): Candidate | null => {
  const pools = candidateOf(given.quotes, 'pools', given)
  const limits = { now: given.now, maxSeconds: given.policy.reserveMaxAgeSeconds }
  return pools !== null && isCurrent(pools, limits) ? pools : null
}

/** Judges the publishers' quotes by each other and by the pools (methodology §3). */
export const judgeQuotes = (
  given: StockQuotes,
  publishers: Publishers,
): readonly JudgedCandidate[] => {
  const { now, policy } = given
  const maxSecondsOf = { 1: policy.quoteMaxAgeSeconds, 2: chainlinkEquityMaxAgeSeconds }
  const candidates = ([1, 2] as const).flatMap((rule) =>
    candidatesOf(given.quotes, rule, { ...given, publishers }).map((each) => {
      const isLive = rule === 1 || given.oracleSession
      const limits = { now, maxSeconds: maxSecondsOf[rule] }
      return { ...each, rule, isCurrent: isLive && isCurrent(each, limits) }
    }),
  )
  const pools = youngPools(given)
  const agrees = (other: Candidate | null, { usd }: Candidate, within: number): boolean =>
    other !== null && !isFar(other.usd, usd, within)
  const verdictOf = (each: (typeof candidates)[number]): Verdict => {
    if (hasJumped(each) && !isStanding(each.quote)) {
      const others = candidates.filter((other) => other.rule !== each.rule && other.isCurrent)
      const isConfirmed = [...others, pools].some((other) =>
        agrees(other, each, jumpConfirmedWithin),
      )
      if (!isConfirmed) return 'jumped'
    }
    const isLate = isBeforeSplit(each, given) && !agrees(pools, each, splitConfirmedWithin)
    return isLate ? 'before-split' : 'accepted'
  }
  return candidates.map((each) => ({ ...each, verdict: verdictOf(each) }))
}

/** What counts of a candidate as a last price: of a jump the last accepted quote. */
export const lastPriceOf = ({ quote, usd, verdict }: JudgedCandidate): Candidate => {
  const { acceptedUsd, acceptedTs } = quote
  if (verdict !== 'jumped' || acceptedUsd === null) return { quote, usd }
  return { usd: acceptedUsd, quote: { ...quote, publishedTs: acceptedTs ?? quote.publishedTs } }
}

/** The quotes whose jump is confirmed now, with what is accepted from now on. */
export const confirmedQuotes = (given: StockQuotes, publishers: Publishers): readonly Quote[] =>
  judgeQuotes(given, publishers)
    .filter((each) => each.verdict === 'accepted' && hasJumped(each))
    .map(({ quote, usd }) => ({
      ...quote,
      acceptedUsd: usd,
      acceptedTs: quote.publishedTs,
      jumpUsd: null,
      jumpTs: null,
      jumpUpdates: null,
    }))
