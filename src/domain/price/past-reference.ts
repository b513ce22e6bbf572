import type { ReferencePoint } from '../pool/stored-rows.ts'
import { bucketStart } from '../series/series-range.ts'
import {
  chainlinkEquityMaxAgeSeconds,
  chainlinkHeartbeatSeconds,
  type Policy,
} from '../status/freshness.ts'
import type { MarketSession } from '../stock/market-session.ts'
import { secondsPerMinute } from '../time.ts'
import type { UnixSeconds } from '../units.ts'
import { noReferencePrice, type ReferencePrice, type ReferenceResult } from './reference-price.ts'

/** The moment at which a past reference is asked for. */
export type PastMoment = {
  readonly ts: UnixSeconds
  readonly session: MarketSession
  readonly policy: Policy
}

const endOf = ({ ts, width }: ReferencePoint): UnixSeconds => ts + width

/** Of points that had ended, the one that ended last: it holds no later price. */
export const lastEndedPoint = (points: readonly (ReferencePoint | null)[]): ReferencePoint | null =>
  points.reduce(
    (last, point) =>
      last === null || (point !== null && endOf(point) > endOf(last)) ? point : last,
    null,
  )

/** A reference is stored in minutes: the one before is current in all of the next. */
const isWithinSeconds = (point: ReferencePoint, ts: UnixSeconds, maxSeconds: number): boolean =>
  bucketStart(ts, secondsPerMinute) - endOf(point) <= maxSeconds

const toPrice = (point: ReferencePoint, fresh: boolean): ReferencePrice => ({
  usd: point.usd,
  source: point.source,
  publishedTs: point.ts,
  fresh,
  independent: fresh && point.source !== 'pools',
})

/**
 * The reference of a stock at a past moment, by its last stored point (methodology §11). Whether
 * sources contradicted each other then is not stored.
 */
export const pastStockReference = (
  point: ReferencePoint | null,
  { ts, session, policy }: PastMoment,
): ReferenceResult => {
  if (point === null) return noReferencePrice
  if (point.source === 'pools') {
    const isCurrent = isWithinSeconds(point, ts, policy.reserveMaxAgeSeconds)
    return { ...noReferencePrice, reference: isCurrent ? toPrice(point, false) : null }
  }
  const isOracle = point.source === 'chainlink'
  const maxSeconds = isOracle ? chainlinkEquityMaxAgeSeconds : policy.quoteMaxAgeSeconds
  const isLive = !isOracle || session !== 'closed'
  const fresh = isLive && isWithinSeconds(point, ts, maxSeconds)
  const lastExternal = toPrice(point, false)
  return { ...noReferencePrice, reference: toPrice(point, fresh), lastExternal }
}

/** The same of a trusted token, which has no last price beyond its age limit. */
export const pastTrustedReference = (
  point: ReferencePoint | null,
  { ts, policy }: PastMoment,
): ReferenceResult => {
  if (point === null) return noReferencePrice
  const isByPools = point.source === 'pools'
  const maxSeconds = isByPools ? policy.reserveMaxAgeSeconds : chainlinkHeartbeatSeconds
  if (!isWithinSeconds(point, ts, maxSeconds)) return noReferencePrice
  const lastExternal = isByPools ? null : toPrice(point, false)
  return { ...noReferencePrice, reference: toPrice(point, true), lastExternal }
}
