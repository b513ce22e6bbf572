import type { PoolNumber } from '../pool/pool-state.ts'
import type { PoolId } from '../units.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** All pools that the indexer follows, by id and by number. */
export type PoolBook = {
  readonly byId: (id: PoolId) => TrackedPool | undefined
  readonly byNumber: (number: PoolNumber) => TrackedPool | undefined
  readonly nextNumber: () => PoolNumber
  /** Adds a pool, or replaces it by its later self. */
  readonly put: (pool: TrackedPool) => void
  /** Shows every pool that is there and, from now on, each that is put. */
  readonly watch: (see: (pool: TrackedPool) => void) => void
  readonly all: () => IterableIterator<TrackedPool>
  readonly size: () => number
}

export const createPoolBook = (): PoolBook => {
  const pools = new Map<PoolNumber, TrackedPool>()
  const numbers = new Map<PoolId, PoolNumber>()
  const watchers: ((pool: TrackedPool) => void)[] = []
  let numberMax = 0
  const byNumber = (number: PoolNumber) => pools.get(number)
  return {
    byNumber,
    byId: (id) => {
      const number = numbers.get(id)
      return number === undefined ? undefined : pools.get(number)
    },
    nextNumber: () => numberMax + 1,
    put: (pool) => {
      const { id, number } = pool.identity
      pools.set(number, pool)
      numbers.set(id, number)
      numberMax = Math.max(numberMax, number)
      for (const see of watchers) see(pool)
    },
    watch: (see) => {
      for (const pool of pools.values()) see(pool)
      watchers.push(see)
    },
    all: () => pools.values(),
    size: () => pools.size,
  }
}
