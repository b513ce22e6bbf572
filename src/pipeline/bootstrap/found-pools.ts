import type { ChainLog } from '../../domain/chain/log.ts'
import type { Keccak256 } from '../../domain/dex/identity.ts'
import { type RefusedLog, recognise, type Venues } from '../../domain/ingest/recognise.ts'
import { isIndexedPool, type TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import type { PoolIdentity, PoolNumber } from '../../domain/pool/pool-state.ts'
import type { PoolId } from '../../domain/units.ts'

/** A pool of ours, and the log that it came with. */
export type FoundPool = { readonly identity: PoolIdentity; readonly log: ChainLog }

/** The events of our pools that logs are; what can not be true is told to `onRefused`. */
export const createEventOf =
  (deps: {
    readonly venues: Venues
    readonly keccak256: Keccak256
    readonly isKnown: (id: PoolId) => boolean
    readonly onRefused: (refused: RefusedLog) => void
  }) =>
  (log: ChainLog): PoolEvent | null => {
    const recognised = recognise(log, { ...deps, isFollowed: deps.isKnown })
    if (recognised.ok) return recognised.event
    if (recognised.reason !== null) deps.onRefused(recognised)
    return null
  }

/** The pools that creation logs bring, numbered in the order in which they come. */
export const findPools = (
  logs: readonly ChainLog[],
  deps: {
    readonly eventOf: (log: ChainLog) => PoolEvent | null
    readonly roles: TokenRoles
    readonly isKnown: (id: PoolId) => boolean
    readonly first: PoolNumber
  },
): readonly FoundPool[] => {
  const found = new Map<PoolId, FoundPool>()
  for (const log of logs) {
    const event = deps.eventOf(log)
    if (event?.kind !== 'created') continue
    const { key, version, venue, at, poolId: id } = event
    if (found.has(id) || deps.isKnown(id)) continue
    if (!isIndexedPool(key, deps.roles)) continue
    const number = deps.first + found.size
    const born = { createdBlock: at.block, createdTs: at.ts }
    found.set(id, { identity: { number, id, version, venue, key, ...born }, log })
  }
  return [...found.values()]
}
