import { ageOf, isWithin, type Policy } from '../status/freshness.ts'
import { lastSessionStart } from '../stock/market-session.ts'
import type { UnixSeconds } from '../units.ts'
import type { Quote } from './quote.ts'

type Context = { readonly now: UnixSeconds; readonly policy: Policy }

/** Whether what a publisher said of a halt at `ts` still holds (methodology §3). */
const isCurrent = (ts: UnixSeconds | null, { now, policy }: Context): boolean => {
  if (isWithin(ts, { now, maxSeconds: policy.quoteMaxAgeSeconds })) return true
  const sinceTs = lastSessionStart(now)
  if (ts === null || sinceTs === null) return false
  return ageOf(ts, now).kind === 'age' && ts >= sinceTs
}

/**
 * Whether trading of the share is halted: one current source that says so is enough. Null if no
 * source has said anything recently, so that a source that falls silent in a halt ends it.
 */
export const isTradingHalted = (quotes: readonly Quote[], context: Context): boolean | null => {
  const current = quotes.filter(({ haltTs }) => isCurrent(haltTs, context))
  return current.length === 0 ? null : current.some(({ halted }) => halted)
}
