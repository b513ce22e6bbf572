import type { Address, UnixSeconds } from '../units.ts'

/** How the quotes of one publisher become a reference (methodology §3). */
export type PublisherTraits = {
  /** What a quote is a price of, unless the quote says otherwise. */
  readonly per: 'share' | 'token'
  /** The selection rule that uses its quotes: 1 by the age of a quote, 2 in the feeds' session. */
  readonly rule: 1 | 2
}

/**
 * Who publishes quotes: one line for each source in the registry of src/quotes. Of publishers of
 * one rule the first current one is the reference.
 */
export const publisherTraits = {
  issuer: { per: 'share', rule: 1 },
  chainlink: { per: 'token', rule: 2 },
  file: { per: 'share', rule: 1 },
} as const satisfies Readonly<Record<string, PublisherTraits>>

export type QuotePublisher = keyof typeof publisherTraits

const isPublisher = (source: string): source is QuotePublisher =>
  Object.hasOwn(publisherTraits, source)

export const quotePublishers: readonly QuotePublisher[] =
  Object.keys(publisherTraits).filter(isPublisher)

/** Source of a price. `pools` is the median over indexed pools, never independent of them. */
export type QuoteSourceId = QuotePublisher | 'pools'

export const quoteSourceIds: readonly QuoteSourceId[] = [...quotePublishers, 'pools']

/** A stored reference point never replaces one of a source with a higher rank. */
export const referenceRankOf = (source: QuoteSourceId): number =>
  source === 'pools' ? 0 : 3 - publisherTraits[source].rule

/** Why a source's row is rejected; shared by all sources, so that reasons can be counted. */
export type QuoteRefusal =
  | 'price-missing'
  | 'bid-not-a-number'
  | 'ask-not-a-number'
  | 'bid-not-positive'
  | 'ask-not-positive'
  | 'crossed'
  | 'currency-not-usd'
  | 'halt-malformed'
  | 'time-malformed'
  | 'time-in-milliseconds'
  | 'clock-ahead'
  | 'feed-reverted'
  | 'feed-unanswered'
  | 'answer-malformed'
  | 'answer-not-positive'
  | 'round-incomplete'
  | 'decimals-unknown'

export const quoteExpiryReasons = ['clock-ahead', 'unpriced'] as const
/** What a source sent after its last good quote: a time ahead of our clock, or no usable book. */
type QuoteLapse = (typeof quoteExpiryReasons)[number]

/**
 * The latest good price of one token by one source.
 * `per`: the issuer and files quote a *share*; pools, and Chainlink unless the network file says
 * otherwise, the *token*, which already contains the multiplier (methodology §3: never multiply
 * twice).
 */
export type PublishedQuote = {
  readonly address: Address
  readonly source: QuoteSourceId
  readonly per: 'share' | 'token'
  /** US dollars; null when the source has one price only, or this side is missing. */
  readonly bid: number | null
  readonly ask: number | null
  /** US dollars: Chainlink's answer, a pool median; null for two-sided sources. */
  readonly last: number | null
  /** The publisher's clock: `generatedAt`, `updatedAt`. */
  readonly publishedTs: UnixSeconds
  /** Our clock at the time of the request. */
  readonly fetchedTs: UnixSeconds
  readonly halted: boolean
  /**
   * The publisher's time of `halted`, which may be later than that of the last good price. Null if
   * the source says nothing about halts.
   */
  readonly haltTs: UnixSeconds | null
  /**
   * Null while this is the source's newest quote. Otherwise the source no longer confirms it: it
   * remains the last price and is never fresh.
   */
  readonly lapse: QuoteLapse | null
}

/** What was accepted of a source, and how long a jump of its quotes stands (methodology §3). */
export type QuoteTrail = {
  /** US dollars per token of the last accepted quote; null before the first. */
  readonly acceptedUsd: number | null
  /** The publisher's time of that quote. */
  readonly acceptedTs: UnixSeconds | null
  /** US dollars per token of the first quote of an unconfirmed jump; null while there is none. */
  readonly jumpUsd: number | null
  /** Our clock at that quote. */
  readonly jumpTs: UnixSeconds | null
  /** The publisher's updates at the new level. */
  readonly jumpUpdates: number | null
  /** Pools behind a quote of the source `pools`; null for the others. */
  readonly pools: number | null
}

export const noTrail: QuoteTrail = {
  acceptedUsd: null,
  acceptedTs: null,
  jumpUsd: null,
  jumpTs: null,
  jumpUpdates: null,
  pools: null,
}

/** A stored quote. */
export type Quote = PublishedQuote & QuoteTrail
