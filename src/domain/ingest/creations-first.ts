import type { ChainLog } from '../chain/log.ts'
import { getProtocol } from '../dex/find-protocol.ts'
import type { Venues } from '../dex/venue.ts'
import type { PoolId } from '../units.ts'

/** The pool of a factory's creation log; null for any other log. */
const createdBy = (log: ChainLog, venues: Venues): PoolId | null => {
  const venue = venues.get(log.address)
  if (venue === undefined) return null
  const { emitter, creationEvents } = getProtocol(venue.protocol)
  if (emitter !== 'pool') return null
  const decoded = creationEvents.get(log.topics[0] ?? '0x')?.decode(log)
  return decoded?.ok ? decoded.event.poolId : null
}

/** Place of the first log of the pool in the block, up to this one. */
const firstOfPool = (logs: readonly ChainLog[], place: number, pool: PoolId): number => {
  const block = logs[place]?.block
  let first = place
  for (let before = place - 1; logs[before]?.block === block; before--) {
    if (logs[before]?.address === pool) first = before
  }
  return first
}

/**
 * Whether the next log is another creation log of the same pool: Algebra's factory logs a custom
 * pool as `Pool`, too, without its deployer, and right after it as `CustomPool`.
 */
const isRepeated = (logs: readonly ChainLog[], place: number, venues: Venues): boolean => {
  const [log, next] = [logs[place], logs[place + 1]]
  if (log === undefined || next === undefined || next.address !== log.address) return false
  if (next.block !== log.block || next.logIndex !== log.logIndex + 1) return false
  const pool = createdBy(log, venues)
  return pool !== null && createdBy(next, venues) === pool
}

/** The same logs without those creation logs that the next one says again, and more. */
export const withoutRepeatedCreations = (
  logs: readonly ChainLog[],
  venues: Venues,
): readonly ChainLog[] => {
  const kept = logs.filter((_, place) => !isRepeated(logs, place, venues))
  return kept.length === logs.length ? logs : kept
}

/**
 * The same logs with each creation before the logs of its pool. A factory may give a pool its first
 * price before it logs the creation, as that of Slipstream does: in their order the price would be
 * that of an unknown contract, and lost.
 */
export const withCreationsFirst = (
  all: readonly ChainLog[],
  venues: Venues,
): readonly ChainLog[] => {
  const logs = withoutRepeatedCreations(all, venues)
  let ordered: ChainLog[] | null = null
  for (const [place, log] of logs.entries()) {
    const pool = createdBy(log, venues)
    if (pool === null) continue
    const first = firstOfPool(ordered ?? logs, place, pool)
    if (first === place) continue
    ordered ??= [...logs]
    ordered.splice(place, 1)
    ordered.splice(first, 0, log)
  }
  return ordered ?? logs
}
