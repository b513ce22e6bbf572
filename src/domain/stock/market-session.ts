import { secondsPerHour, secondsPerMinute } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import { type MarketDay, marketDay } from './market-holidays.ts'
import { newYorkTime } from './new-york-time.ts'

/** Where the market of US equities stands at an instant. */
export type MarketSession = 'regular' | 'pre' | 'post' | 'overnight' | 'closed'

const at = (hour: number, minute = 0): number => hour * secondsPerHour + minute * secondsPerMinute

/** Seconds of New York's day. */
const preOpens = at(4)
const regularOpens = at(9, 30)
const regularClosesEarly = at(13)
const regularCloses = at(16)
const postClosesEarly = at(17)
const postCloses = at(20)

/** A day's sessions up to 20:00, each until that second; what follows is the next trading day's. */
const daySessions: Record<MarketDay, readonly { until: number; session: MarketSession }[]> = {
  full: [
    { until: preOpens, session: 'overnight' },
    { until: regularOpens, session: 'pre' },
    { until: regularCloses, session: 'regular' },
    { until: postCloses, session: 'post' },
  ],
  'early-close': [
    { until: preOpens, session: 'overnight' },
    { until: regularOpens, session: 'pre' },
    { until: regularClosesEarly, session: 'regular' },
    { until: postClosesEarly, session: 'post' },
    { until: postCloses, session: 'closed' },
  ],
  closed: [{ until: postCloses, session: 'closed' }],
}

/**
 * The session at an instant, by New York's clock: pre 04:00-09:30, regular 09:30-16:00, post
 * 16:00-20:00; on early closes regular to 13:00 and post to 17:00; overnight 20:00-04:00. Each
 * begins with its first second and ends before that of the next.
 *
 * The overnight session belongs to the trading day that it leads to, as the venues have it: it
 * runs on the evening of a Sunday or a holiday if the next day trades, also if only until 13:00,
 * and not on the evening before a holiday (hours of the Robinhood 24 Hour Market; of Blue Ocean
 * ATS, which follows the NYSE's calendar; of Alpaca's 24/5 trading on it). Chainlink's feeds were
 * seen to do the same: AAPL / USD was silent from Friday 2026-09-04 to Labor Day, Monday, 20:00.
 */
export const sessionAt = (ts: UnixSeconds): MarketSession => {
  const { day, secondOfDay } = newYorkTime(ts)
  const today = daySessions[marketDay(day)].find(({ until }) => secondOfDay < until)
  if (today !== undefined) return today.session
  return marketDay(day + 1) === 'closed' ? 'closed' : 'overnight'
}

/**
 * Whether Chainlink's 24/5 equity feeds are expected to move ("in session", docs/methodology.md
 * §3): Sunday 20:00 to Friday 20:00 New York time, without the full holidays (each from 20:00 of
 * the evening before) and the hours after an early close. The feeds follow the regular, pre, post
 * and overnight sessions; else they hold the last answer, without heartbeat (Chainlink, "Robinhood
 * Tokenized Equities", off-hours behaviour).
 */
export const isChainlinkSession = (ts: UnixSeconds): boolean => sessionAt(ts) !== 'closed'
