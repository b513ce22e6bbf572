import {
  chainlinkHeartbeatSeconds,
  conflictMaxAgeSeconds,
  isWithin,
  type Policy,
} from '../status/freshness.ts'
import { secondsPerDay } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import { publisherTraits, type Quote, type QuoteSourceId } from './quote.ts'
import {
  type Candidate,
  candidateOf,
  candidatesOf,
  isCurrent,
  type JudgedCandidate,
  judgeQuotes,
  lastPriceOf,
  newestOf,
  type Publishers,
  type StockQuotes,
  usableOf,
  youngPools,
} from './quote-candidates.ts'
import { isFar } from './quote-jump.ts'

/** Two young references further apart than this contradict each other. */
export const referenceConflictRatioMax = 0.05
/** A price by pools further from the last independent one is refused. */
export const poolRefusalMax = 0.25
/** The last answer for ETH or USDG limits the pools for a day after its heartbeat. */
export const trustedBaseMaxAgeSeconds = chainlinkHeartbeatSeconds + secondsPerDay
/** So many pools whose price differs from the reference by more contradict it. */
export const poolContradictionMax = 0.5
export const contradictingPoolsMin = 2
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
  /** Two young sources, or the source and the pools, contradict each other. */
  readonly conflict: boolean
  /** The source whose newest quote waits for confirmation; null if there is none. */
  readonly unconfirmed: QuoteSourceId | null
  /** A source was rejected because its time is ahead of our clock. */
  readonly clockAhead: boolean
}

export const noReferencePrice: ReferenceResult = {
  reference: null,
  lastExternal: null,
  conflict: false,
  unconfirmed: null,
  clockAhead: false,
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

const areInConflict = (share: Candidate, oracle: Candidate, now: UnixSeconds): boolean => {
  const limits = { now, maxSeconds: conflictMaxAgeSeconds - 1 }
  if (!isWithin(share.quote.publishedTs, limits)) return false
  if (!isWithin(oracle.quote.publishedTs, limits)) return false
  return isFar(share.usd, oracle.usd, referenceConflictRatioMax)
}

/** Whether enough pools say something else than a reference. */
const isContradicted = (reference: ReferencePrice | null, pools: Candidate | null): boolean =>
  reference !== null &&
  pools !== null &&
  (pools.quote.pools ?? 0) >= contradictingPoolsMin &&
  isFar(pools.usd, reference.usd, poolContradictionMax)

/** The source that waits, if its quote would be the reference or the last price. */
const unconfirmedOf = (
  judged: readonly JudgedCandidate[],
  reference: ReferencePrice | null,
): QuoteSourceId | null => {
  const waiting = judged.find(
    ({ verdict, isCurrent }) =>
      (verdict !== 'accepted' && isCurrent) || (verdict === 'jumped' && !reference?.fresh),
  )
  return waiting?.quote.source ?? null
}

/**
 * The reference of a stock token (methodology §3): an issuer's or file's accepted quote within the
 * policy; else Chainlink in its session; else the median over deep pools, unless it is far from the
 * last price; else that price, stale.
 */
export const selectStockReference = (
  input: StockQuotes,
  publishers: Publishers = publisherTraits,
): ReferenceResult => {
  const { now } = input
  const { usable: quotes, clockAhead } = usableOf(input.quotes, now)
  const judged = judgeQuotes({ ...input, quotes }, publishers)
  const pools = youngPools({ ...input, quotes })
  const last = newestOf(judged.map(lastPriceOf))
  const lastExternal = last === null ? null : referenceOf(last, { fresh: false })
  const accepted = judged.filter(({ verdict }) => verdict === 'accepted')
  // Candidates are in the order of the rules.
  const current = accepted.find((each) => each.isCurrent)
  const isRefused = pools !== null && last !== null && isFar(pools.usd, last.usd, poolRefusalMax)
  const byPools = pools !== null && !isRefused ? referenceOf(pools, { fresh: false }) : lastExternal
  const reference = current === undefined ? byPools : referenceOf(current, { fresh: true })
  const shares = accepted.filter(({ rule }) => rule === 1)
  const oracles = accepted.filter(({ rule }) => rule === 2)
  return {
    reference,
    lastExternal,
    conflict:
      shares.some((share) => oracles.some((each) => areInConflict(share, each, now))) ||
      (current === undefined && isRefused) ||
      isContradicted(reference, pools),
    unconfirmed: unconfirmedOf(judged, reference),
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
  const poolLimits = { now, maxSeconds: policy.reserveMaxAgeSeconds }
  const baseLimits = { now, maxSeconds: trustedBaseMaxAgeSeconds }
  const last = newestOf(oracles)
  const lastExternal = last === null ? null : referenceOf(last, { fresh: false })
  const oracle = oracles.find((each) => isCurrent(each, limits)) ?? null
  const byPools = oracle === null && pools !== null && isCurrent(pools, poolLimits) ? pools : null
  const base = last !== null && isWithin(last.quote.publishedTs, baseLimits) ? last : null
  const isRefused =
    byPools !== null && base !== null && isFar(byPools.usd, base.usd, poolRefusalMax)
  const current = oracle ?? (isRefused ? null : byPools)
  const lapsed = last !== null && isWithin(last.quote.publishedTs, limits) ? lastExternal : null
  const reference = current === null ? lapsed : referenceOf(current, { fresh: true })
  return { reference, lastExternal, conflict: isRefused, unconfirmed: null, clockAhead }
}
