import { createMemo } from '../memo.ts'
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

/** Every session begins at a full or half hour, and New York's offset is of whole hours. */
const slotSeconds = 30 * secondsPerMinute
/** Slots that requests of one second may name: now, and the same in tests. */
const slotsMax = 8

const sessionOfSlot = (slot: number): MarketSession => sessionAt(slot * slotSeconds)

/** The first slot of the session that a slot lies in. */
const firstSlot = (slot: number): number => {
  const session = sessionOfSlot(slot)
  let first = slot
  while (sessionOfSlot(first - 1) === session) first -= 1
  return first
}

const sessionBeforeClosing = createMemo(slotsMax, (slot: number) => ({
  startTs: firstSlot(firstSlot(slot) - 1) * slotSeconds,
}))

/**
 * While the market is closed, when the session directly before began; else null. One session is
 * the age of what a publisher said last before it fell silent with the market (methodology §3).
 */
export const lastSessionStart = (now: UnixSeconds): UnixSeconds | null =>
  sessionAt(now) === 'closed' ? sessionBeforeClosing(Math.floor(now / slotSeconds)).startTs : null
