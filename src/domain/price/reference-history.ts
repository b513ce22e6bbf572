import { chainlinkHeartbeatSeconds } from '../status/freshness.ts'
import type { Address, UnixSeconds } from '../units.ts'

export type HistoryPoint = { readonly ts: UnixSeconds; readonly usd: number }

/** Result of a lookup in the history. */
export type HistoryLookup = {
  readonly usd: number
  /** At most one feed heartbeat old at that time; otherwise it is only the nearest point. */
  readonly ofItsTime: boolean
}

/** Points kept per token: a week of one a minute is 10,080. */
const pointsMax = 16_384

const indexAfter = (points: readonly HistoryPoint[], ts: UnixSeconds): number => {
  let low = 0
  let high = points.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((points[middle]?.ts ?? 0) <= ts) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Past dollar prices of tokens, so that a swap of an hour ago is valued at the prices of an hour
 * ago (methodology §5).
 */
export type ReferenceHistory = {
  readonly add: (address: Address, point: HistoryPoint) => void
  /** The last point at or before `ts`; if there is none, the first after it, as not of its time. */
  readonly at: (address: Address, ts: UnixSeconds) => HistoryLookup | null
}

export const createReferenceHistory = (): ReferenceHistory => {
  const pointsByToken = new Map<Address, HistoryPoint[]>()
  return {
    add: (address, point) => {
      const points = pointsByToken.get(address) ?? []
      if (points.length === 0) pointsByToken.set(address, points)
      const index = indexAfter(points, point.ts)
      if (points[index - 1]?.ts === point.ts) points[index - 1] = point
      else points.splice(index, 0, point)
      if (points.length > pointsMax) points.splice(0, points.length - pointsMax)
    },
    at: (address, ts) => {
      const points = pointsByToken.get(address)
      if (points === undefined) return null
      const index = indexAfter(points, ts)
      const before = points[index - 1]
      const point = before ?? points[index]
      if (point === undefined) return null
      const ofItsTime = point === before && ts - point.ts <= chainlinkHeartbeatSeconds
      return { usd: point.usd, ofItsTime }
    },
  }
}
