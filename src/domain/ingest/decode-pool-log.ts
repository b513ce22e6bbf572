import type { ChainLog } from '../chain/log.ts'
import { getProtocol } from '../dex/find-protocol.ts'
import type { Keccak256 } from '../dex/pool-id.ts'
import { type DecodedEvent, type Protocol, topicsOf } from '../dex/protocol.ts'
import { protocols } from '../dex/registry.ts'
import type { Venue, Venues } from '../dex/venue.ts'
import type { PoolEvent } from '../pool/pool-event.ts'
import type { PoolIdentity } from '../pool/pool-state.ts'
import type { Hash, PoolId } from '../units.ts'

/** A log of a configured contract that cannot be valid. */
export type RejectedLog = {
  /** Equal for all logs with the same fault. */
  readonly reason: string
  /** Names the log or the pool. */
  readonly example: string
}

export type DecodedPoolLog =
  | { readonly ok: true; readonly event: PoolEvent }
  /** Another venue, another topic, or a pool that is not indexed. */
  | { readonly ok: false; readonly reason: null }
  | ({ readonly ok: false } & RejectedLog)

/** Where an indexed pool comes from; undefined for other pools. */
export type FindPool = (id: PoolId) => Pick<PoolIdentity, 'protocol' | 'venue'> | undefined

type Known = {
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly findPool: FindPool
}

const foreign: DecodedPoolLog = { ok: false, reason: null }

/** The first topics of every log that the index is built from, each once. */
export const poolTopics: readonly Hash[] = [...new Set(protocols.flatMap(topicsOf))]

const reject = (decoded: Extract<DecodedEvent, { ok: false }>, log: ChainLog): DecodedPoolLog => ({
  ...decoded,
  example: `block ${log.block}, log ${log.logIndex} of ${log.address}`,
})

/** Rejects a pool whose id does not follow from its key, or is that of another venue's pool. */
const checkCreation = (
  event: Extract<PoolEvent, { kind: 'created' }>,
  { protocol, venue }: { readonly protocol: Protocol; readonly venue: Venue },
  { keccak256, findPool }: Known,
): DecodedPoolLog => {
  const example = `pool ${event.poolId} of ${venue.address}`
  const id = protocol.computeId(event.key, venue, keccak256)
  if (id !== null && id !== event.poolId) {
    return { ok: false, reason: protocol.invalidIdReason, example }
  }
  const indexed = findPool(event.poolId)
  return indexed === undefined || indexed.venue === venue.address
    ? { ok: true, event }
    : { ok: false, reason: 'a pool of another venue has the same id', example }
}

/** A venue emits creations and, a singleton all of them, events of its own pools. */
const decodeVenueLog = (log: ChainLog, venue: Venue, known: Known): DecodedPoolLog => {
  const protocol = getProtocol(venue.protocol)
  const topic = log.topics[0] ?? '0x'
  const ownEvents = protocol.emitter === 'singleton' ? protocol.poolEvents : protocol.venueEvents
  const decoded = (ownEvents?.get(topic) ?? protocol.creationEvents.get(topic))?.decode(log)
  if (decoded === undefined) return foreign
  if (!decoded.ok) return reject(decoded, log)
  const { event } = decoded
  if (event.kind === 'created') return checkCreation(event, { protocol, venue }, known)
  return known.findPool(event.poolId)?.venue === venue.address ? decoded : foreign
}

/**
 * Decodes a log that a configured venue or an indexed pool emitted. Its emitter is looked up first
 * and decides the protocol: forks share topics.
 */
export const decodePoolLog = (log: ChainLog, known: Known): DecodedPoolLog => {
  const venue = known.venues.get(log.address)
  if (venue !== undefined) return decodeVenueLog(log, venue, known)
  const pool = known.findPool(log.address)
  if (pool === undefined) return foreign
  const decoded = getProtocol(pool.protocol)
    .poolEvents.get(log.topics[0] ?? '0x')
    ?.decode(log)
  if (decoded === undefined) return foreign
  return decoded.ok ? decoded : reject(decoded, log)
}
