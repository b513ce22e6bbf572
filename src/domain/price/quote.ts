import type { Address, UnixSeconds } from '../units.ts'

/** Who publishes quotes: one id for each source in the registry of src/quotes. */
export const quotePublishers = ['issuer', 'chainlink', 'file'] as const
export type QuotePublisher = (typeof quotePublishers)[number]

/** Who says a price. `pools` is our own median over pools: never independent of them. */
export type QuoteSourceId = QuotePublisher | 'pools'

/** Why a source's row is no quote; the same words for every source, so that they can be counted. */
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
  | 'answer-malformed'
  | 'answer-not-positive'
  | 'round-incomplete'
  | 'decimals-unknown'

export const quoteExpiryReasons = ['clock-ahead', 'unpriced'] as const
/** What a source has sent since its last good quote: a time in our future, or a book too wide. */
type QuoteLapse = (typeof quoteExpiryReasons)[number]

/**
 * The latest good price of one token by one source.
 * `per`: the issuer and files quote a *share*; Chainlink and pools the *token*, which already
 * contains the multiplier (methodology §3: never multiply twice).
 */
export type Quote = {
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
  /** Our clock when it was read. */
  readonly fetchedTs: UnixSeconds
  readonly halted: boolean
  /**
   * Null while this is the newest that the source has said. Else it is kept for what it is, the
   * last price, and is never fresh however young: its source no longer stands by it.
   */
  readonly lapse: QuoteLapse | null
}
