import type { ChainLog } from '../chain/log.ts'
import { isValidPoolIdentity, type Keccak256 } from '../dex/pool-id.ts'
import type { Protocol } from '../dex/protocol.ts'
import { protocols } from '../dex/registry.ts'
import type { PoolEvent } from '../pool/pool-event.ts'
import type { Address, Hash, PoolId } from '../units.ts'

/** The contracts whose word is taken: other venues emit the very same topics (methodology §1). */
export type Venues = {
  /** v3 factories; null switches the check of pool addresses off, for forks. */
  readonly factories: ReadonlyMap<Address, { readonly initCodeHash: Hash | null }>
  /** v4 PoolManagers. */
  readonly managers: ReadonlySet<Address>
}

/** A log of one of our contracts that can not be true. */
export type RejectedLog = {
  /** The same for all logs of which the same is wrong. */
  readonly reason: string
  /** Which log, or which pool. */
  readonly example: string
}

export type DecodedPoolLog =
  | { readonly ok: true; readonly event: PoolEvent }
  /** Not one of ours: another venue, another topic, a pool that we do not follow. */
  | { readonly ok: false; readonly reason: null }
  | ({ readonly ok: false } & RejectedLog)

/** v4 ids do not depend on an init code. */
const noHash: Hash = '0x'

const foreign: DecodedPoolLog = { ok: false, reason: null }

const dexByTopic: ReadonlyMap<string, Protocol> = new Map(
  protocols.flatMap((dex) => dex.topics.map((topic) => [topic, dex] as const)),
)

/** The first topics of every log that the index is made of. */
export const poolTopics: readonly Hash[] = protocols.flatMap((dex) => dex.topics)

type Created = Extract<PoolEvent, { kind: 'created' }>

/** v4 ids are always checked; a v3 fork may have no init code hash to check them by. */
const isTrueIdentity = (event: Created, venues: Venues, keccak256: Keccak256): boolean => {
  const initCodeHash = venues.factories.get(event.venue)?.initCodeHash ?? null
  if (event.version === 'v3' && initCodeHash === null) return true
  return isValidPoolIdentity(event, { keccak256, initCodeHash: initCodeHash ?? noHash })
}

const placeOf = ({ address, block, logIndex }: ChainLog): string =>
  `block ${block}, log ${logIndex} of ${address}`

const untrueIdentity = ({ version, poolId, venue }: Created): RejectedLog => ({
  reason:
    version === 'v3'
      ? 'the address of a v3 pool does not follow from its key and initCodeHash'
      : 'the id of a v4 pool does not follow from its key',
  example: `pool ${poolId} of ${venue}`,
})

/**
 * The pool event that a log is, if a configured venue or a followed pool emitted it and, for a
 * new pool, if its id follows from its key (v4: keccak of the key; v3: CREATE2).
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
  const dex = topic === undefined ? undefined : dexByTopic.get(topic)
  if (dex === undefined) return foreign
  const isCreation = topic === dex.creationTopic
  const { factories, managers } = known.venues
  if (dex.emitter === 'singleton' && !managers.has(log.address)) return foreign
  if (dex.emitter === 'pool') {
    const isOurs = isCreation ? factories.has(log.address) : known.isFollowed(log.address)
    if (!isOurs) return foreign
  }
  const decoded = dex.decode(log)
  if (decoded === null) return foreign
  if (!decoded.ok) return { ...decoded, example: placeOf(log) }
  const { event } = decoded
  if (event.kind !== 'created') {
    // A pool that emits for itself was looked up already.
    return dex.emitter === 'pool' || known.isFollowed(event.poolId) ? decoded : foreign
  }
  if (isTrueIdentity(event, known.venues, known.keccak256)) return decoded
  return { ok: false, ...untrueIdentity(event) }
}
