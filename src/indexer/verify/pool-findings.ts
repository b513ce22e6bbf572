import type { PoolSet } from '../../domain/pool/pool-set.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import type { PoolId } from '../../domain/units.ts'
import type { StoreWriter } from '../../ports/store.ts'
import { createRoundRobin } from '../../util/round-robin.ts'
import type { IndexState } from '../state/index-state.ts'

/** Findings that realtime sync writes per step; the others wait. */
const writesPerStep = 16

/** What a check found out about a pool. */
export type Finding = {
  /** The finding holds for this set only: a replaced branch has another one. */
  readonly poolSet: PoolSet
  /** Returns the pool itself if the finding no longer applies to it. Keeps the tick map. */
  readonly change: (pool: TrackedPool) => TrackedPool
  readonly onWritten: () => void
}

/** Findings of checks. Realtime sync owns the pools, so it writes them. */
export type PoolFindings = {
  /** The latest finding of each pool. */
  readonly byPool: Map<PoolId, Finding>
  /** Writes some findings. The index must not advance until then. */
  readonly write: () => Promise<void>
}

export const createPoolFindings = (deps: {
  readonly store: Pick<StoreWriter, 'replaceTickMap'>
  readonly index: Pick<IndexState, 'pools'>
}): PoolFindings => {
  const { store, index } = deps
  const byPool = new Map<PoolId, Finding>()

  const write = async (id: PoolId, { poolSet, change, onWritten }: Finding): Promise<void> => {
    const pool = poolSet === index.pools() ? poolSet.byId(id) : undefined
    const changed = pool && change(pool)
    if (changed === undefined || changed === pool) return
    const { number } = changed.identity
    await store.replaceTickMap(number, changed.state, toStoredTicks(changed))
    // The backfill may have added a last swap.
    poolSet.put(change(poolSet.byNumber(number) ?? changed))
    onWritten()
  }

  return {
    byPool,
    write: async () => {
      for (const [id, finding] of [...byPool].slice(0, writesPerStep)) {
        byPool.delete(id)
        await write(id, finding)
      }
    },
  }
}

/** Pools that a check takes ahead of its rotation. */
export type Rechecks = {
  readonly add: (id: PoolId) => void
  readonly remove: (id: PoolId) => void
  /** Some of the pools, all of them in turns. */
  readonly next: (poolsMax: number) => readonly TrackedPool[]
}

export const createRechecks = (
  index: Pick<IndexState, 'pools'>,
  isDue: (pool: TrackedPool) => boolean = () => true,
): Rechecks => {
  const ids = new Set<PoolId>()
  const rotate = createRoundRobin()
  return {
    add: (id) => ids.add(id),
    remove: (id) => ids.delete(id),
    next: (poolsMax) =>
      rotate([...ids], poolsMax).flatMap((id) => {
        const pool = index.pools().byId(id)
        if (pool !== undefined && isDue(pool)) return pool
        ids.delete(id)
        return []
      }),
  }
}
