import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { QuoteRefusal } from '../domain/price/quote.ts'
import { clockAheadToleranceSeconds } from '../domain/status/freshness.ts'
import type { UnixSeconds } from '../domain/units.ts'
import { readDecimal } from '../net/json.ts'

/** US dollars per share; at most one side is null. */
export type BidAsk = { readonly bid: number | null; readonly ask: number | null }

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === ''

const sideRefusals = {
  bid: { malformed: 'bid-not-a-number', notPositive: 'bid-not-positive' },
  ask: { malformed: 'ask-not-a-number', notPositive: 'ask-not-positive' },
} as const

const readSide = (value: unknown, side: 'bid' | 'ask'): Outcome<number | null, QuoteRefusal> => {
  if (isMissing(value)) return success(null)
  const price = readDecimal(value)
  if (price === null) return failure(sideRefusals[side].malformed)
  return price > 0 ? success(price) : failure(sideRefusals[side].notPositive)
}

/** Reads both sides of a quote from numbers or decimal texts. */
export const readBidAsk = (bidValue: unknown, askValue: unknown): Outcome<BidAsk, QuoteRefusal> => {
  const bid = readSide(bidValue, 'bid')
  if (!bid.ok) return bid
  const ask = readSide(askValue, 'ask')
  if (!ask.ok) return ask
  const sides = { bid: bid.value, ask: ask.value }
  if (sides.bid === null && sides.ask === null) return failure('price-missing')
  if (sides.bid !== null && sides.ask !== null && sides.ask < sides.bid) return failure('crossed')
  return success(sides)
}

/** An earlier time is a default value (before 2001), a later one is in milliseconds. */
const tsMin = 1_000_000_000
const tsMax = 100_000_000_000
const millisecondsMax = tsMax * 1000

/** Rejects an impossible publication time (methodology §3). */
export const checkPublishedTs = (
  ts: number,
  now: UnixSeconds,
): Outcome<UnixSeconds, QuoteRefusal> => {
  if (!Number.isInteger(ts) || ts < tsMin || ts > millisecondsMax) return failure('time-malformed')
  if (ts > tsMax) return failure('time-in-milliseconds')
  return ts - now > clockAheadToleranceSeconds ? failure('clock-ahead') : success(ts)
}
