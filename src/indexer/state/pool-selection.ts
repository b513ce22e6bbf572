import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'

/** The matching pools of a set, kept up to date. */
export type PoolSelector = (pools: PoolSet) => ReadonlyMap<PoolNumber, TrackedPool>

/**
 * Collects matching pools by subscription, because a pass over a large set takes long. The first
 * call for a set subscribes, so it should come before the set's pools are added.
 */
export const createPoolSelector = (isSelected: (pool: TrackedPool) => boolean): PoolSelector => {
  const selections = new WeakMap<PoolSet, Map<PoolNumber, TrackedPool>>()
  return (pools) => {
    const existing = selections.get(pools)
    if (existing !== undefined) return existing
    const selected = new Map<PoolNumber, TrackedPool>()
    selections.set(pools, selected)
    pools.subscribe((pool) => {
      if (isSelected(pool)) selected.set(pool.identity.number, pool)
      else selected.delete(pool.identity.number)
    })
    return selected
  }
}
