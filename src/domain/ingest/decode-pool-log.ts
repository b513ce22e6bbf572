import type { ChainLog } from '../chain/log.ts'
import { findProtocolByTopic } from '../dex/find-protocol.ts'
import type { Keccak256 } from '../dex/pool-id.ts'
import { protocols } from '../dex/registry.ts'
import type { PoolEvent } from '../pool/pool-event.ts'
import type { Address, Hash, PoolId } from '../units.ts'

/** Trusted contracts: other venues emit the same topics (docs/methodology.md §1). */
export type Venues = {
  /** v3 factories; a null init code hash disables the check of pool addresses, for forks. */
  readonly factories: ReadonlyMap<Address, { readonly initCodeHash: Hash | null }>
  /** v4 PoolManagers. */
  readonly managers: ReadonlySet<Address>
}

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

const foreign: DecodedPoolLog = { ok: false, reason: null }

/** The first topics of every log that the index is built from. */
export const poolTopics: readonly Hash[] = protocols.flatMap(({ topics }) => topics)

const describePosition = ({ address, block, logIndex }: ChainLog): string =>
  `block ${block}, log ${logIndex} of ${address}`

/**
 * Decodes a log that a configured venue or an indexed pool emitted. Rejects a new pool whose id
 * does not follow from its key (v4: keccak of the key; v3: CREATE2).
 */
export const decodePoolLog = (
  log: ChainLog,
  known: {
    readonly venues: Venues
    readonly keccak256: Keccak256
    readonly isFollowed: (id: PoolId) => boolean
  },
): DecodedPoolLog => {
  const topic = log.topics[0]
  const protocol = topic === undefined ? undefined : findProtocolByTopic(topic)
  if (protocol === undefined) return foreign
  const isCreation = topic === protocol.creationTopic
  const { factories, managers } = known.venues
  if (protocol.emitter === 'singleton' && !managers.has(log.address)) return foreign
  if (protocol.emitter === 'pool') {
    const isTrusted = isCreation ? factories.has(log.address) : known.isFollowed(log.address)
    if (!isTrusted) return foreign
  }
  const decoded = protocol.decode(log)
  if (decoded === null) return foreign
  if (!decoded.ok) return { ...decoded, example: describePosition(log) }
  const { event } = decoded
  if (event.kind !== 'created') {
    // The emitter of a pool's own event was checked above.
    return protocol.emitter === 'pool' || known.isFollowed(event.poolId) ? decoded : foreign
  }
  const initCodeHash = factories.get(event.venue)?.initCodeHash ?? null
  if (protocol.hasValidId(event, { keccak256: known.keccak256, initCodeHash })) return decoded
  const example = `pool ${event.poolId} of ${event.venue}`
  return { ok: false, reason: protocol.invalidIdReason, example }
}
