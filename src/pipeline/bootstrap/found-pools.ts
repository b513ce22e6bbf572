import type { ChainLog } from '../../domain/chain/chain-log.ts'
import type { Keccak256 } from '../../domain/dex/identity.ts'
import { recognise, type Venues } from '../../domain/ingest/recognise.ts'
import { applyEvent, newlyCreated, type TrackedPool } from '../../domain/ingest/tracked-pool.ts'
import { isReferencePool, poolSidesOf, type TokenRoles } from '../../domain/pool/kind.ts'
import type { PoolEvent } from '../../domain/pool/pool-event.ts'
import type { PoolIdentity, PoolNumber } from '../../domain/pool/pool-state.ts'
import type { PoolId } from '../../domain/units.ts'

/** Pools on their way in: found by their creation, not numbered yet. */
export type FoundPools = {
  /**
   * Takes creation logs, in any order, each as often as it comes. Answers those that brought a
   * pool.
   */
  readonly discover: (logs: readonly ChainLog[]) => readonly ChainLog[]
  /** Folds liquidity logs, each pool's in chain order. */
  readonly fold: (logs: readonly ChainLog[]) => void
  readonly identities: () => readonly PoolIdentity[]
  /** All of them in the order of their creation, which is that of their numbers. */
  readonly numbered: (first: PoolNumber) => readonly TrackedPool[]
}

type Deps = {
  readonly venues: Venues
  readonly keccak256: Keccak256
  readonly roles: TokenRoles
  readonly isKnown: (id: PoolId) => boolean
  readonly onRefused: (reason: string) => void
}

/** Until all are found nobody knows a pool's number. */
const unnumbered: PoolNumber = 0

export const createFoundPools = (deps: Deps): FoundPools => {
  const { venues, keccak256, roles, isKnown, onRefused } = deps
  const found = new Map<PoolId, { readonly pool: TrackedPool; readonly logIndex: number }>()

  const eventOf = (log: ChainLog): PoolEvent | null => {
    const isFollowed = (id: PoolId) => found.has(id)
    const recognised = recognise(log, { venues, keccak256, isFollowed })
    if (recognised.ok) return recognised.event
    if (recognised.reason !== null) onRefused(recognised.reason)
    return null
  }

  const create = (event: PoolEvent | null): boolean => {
    if (event?.kind !== 'created' || found.has(event.poolId) || isKnown(event.poolId)) return false
    const { key, version, venue, at } = event
    if (poolSidesOf(key, roles) === null && !isReferencePool(key, roles)) return false
    const identity: PoolIdentity = {
      number: unnumbered,
      id: event.poolId,
      version,
      venue,
      key,
      createdBlock: at.block,
      createdTs: at.ts,
    }
    const { logIndex } = at
    found.set(event.poolId, { pool: newlyCreated(identity, event.initial), logIndex })
    return true
  }

  return {
    discover: (logs) => logs.filter((log) => create(eventOf(log))),
    fold: (logs) => {
      for (const log of logs) {
        const event = eventOf(log)
        const entry = event === null ? undefined : found.get(event.poolId)
        if (entry === undefined || event?.kind !== 'liquidity-changed') continue
        found.set(event.poolId, { ...entry, pool: applyEvent(entry.pool, event) })
      }
    },
    identities: () => [...found.values()].map(({ pool }) => pool.identity),
    numbered: (first) =>
      [...found.values()]
        .sort(
          (a, b) =>
            a.pool.identity.createdBlock - b.pool.identity.createdBlock || a.logIndex - b.logIndex,
        )
        .map(({ pool }, index) => ({
          ...pool,
          identity: { ...pool.identity, number: first + index },
        })),
  }
}
