import type { UnixSeconds } from '../units.ts'
import type { Quote } from './quote.ts'
import { quotedUsd } from './reference-price.ts'

/**
 * What is kept of a source when it sends its next quote: that one; but a one-sided or too wide book
 * is no price (methodology §3, guards), so the last good one stays with its own time, as lapsed.
 * Whether the share is halted is told by either. Our own pools take a price back by telling none.
 */
export const updateQuote = (before: Quote | undefined, next: Quote): Quote => {
  if (before === undefined || next.source === 'pools') return next
  if (quotedUsd(next) !== null || quotedUsd(before) === null) return next
  return { ...before, fetchedTs: next.fetchedTs, halted: next.halted, lapse: 'unpriced' }
}

/**
 * What is kept of a source whose quote was refused for a time in our future: the last good one, as
 * lapsed, because with one of two clocks wrong nobody knows its age. Where there was none a quote
 * without a price tells why.
 */
export const rejectFutureQuote = (
  before: Quote | undefined,
  refused: Pick<Quote, 'address' | 'source'> & { readonly now: UnixSeconds },
): Quote => {
  const { address, source, now } = refused
  if (before !== undefined) return { ...before, fetchedTs: now, lapse: 'clock-ahead' }
  const times = { publishedTs: now, fetchedTs: now }
  const prices = { bid: null, ask: null, last: null }
  const per = source === 'chainlink' ? 'token' : 'share'
  return { address, source, per, ...prices, ...times, halted: false, lapse: 'clock-ahead' }
}

/** Whether a quote tells anything but why there is none. */
export const isReported = ({ bid, ask, last }: Quote): boolean =>
  bid !== null || ask !== null || last !== null
