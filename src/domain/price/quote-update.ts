import type { UnixSeconds } from '../units.ts'
import { noTrail, type PublishedQuote, publisherTraits, type Quote } from './quote.ts'
import { followJump } from './quote-jump.ts'
import { quotedUsd } from './quoted-usd.ts'

/**
 * The quote to store when a source sends its next one. A one-sided or too wide book is no price
 * (methodology §3), so the last good quote stays with its own time and is marked as lapsed; the
 * halt and its time are always updated.
 * `usdOf` gives dollars per token; null also where jumps are not followed.
 */
export const updateQuote = (
  before: Quote | undefined,
  next: PublishedQuote,
  usdOf: (quote: PublishedQuote) => number | null,
): Quote => {
  const usd = usdOf(next)
  const trail = before ?? noTrail
  if (usd !== null) {
    const usdBefore = before === undefined ? null : usdOf(before)
    return { ...next, ...followJump(before, next, { usd, usdBefore }) }
  }
  if (before === undefined || quotedUsd(next) !== null || quotedUsd(before) === null) {
    return { ...trail, ...next }
  }
  const { fetchedTs, halted, haltTs } = next
  return { ...before, fetchedTs, halted, haltTs, lapse: 'unpriced' }
}

/**
 * The quote to store when a source's quote was rejected for a time ahead of our clock: the last
 * good one, marked as lapsed, because its age is unknown while one of the clocks is wrong. Without
 * one, a quote without a price states the reason.
 */
export const rejectFutureQuote = (
  before: Quote | undefined,
  refused: Pick<Quote, 'address' | 'source'> & { readonly now: UnixSeconds },
): Quote => {
  const { address, source, now } = refused
  if (before !== undefined) return { ...before, fetchedTs: now, lapse: 'clock-ahead' }
  const times = { publishedTs: now, fetchedTs: now }
  const prices = { bid: null, ask: null, last: null }
  const per = source === 'pools' ? 'token' : publisherTraits[source].per
  const halt = { halted: false, haltTs: null }
  return { address, source, per, ...prices, ...times, ...halt, ...noTrail, lapse: 'clock-ahead' }
}

/** Whether a quote has any price. */
export const isReported = ({ bid, ask, last }: PublishedQuote): boolean =>
  bid !== null || ask !== null || last !== null
