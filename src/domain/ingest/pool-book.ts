import type { PoolNumber } from '../pool/pool-state.ts'
import { createSharedAddresses } from '../pool/shared-addresses.ts'
import type { PoolId } from '../units.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** All pools that the indexer follows, by id and by number. */
export type PoolBook = {
  readonly byId: (id: PoolId) => TrackedPool | undefined
  readonly byNumber: (number: PoolNumber) => TrackedPool | undefined
  readonly nextNumber: () => PoolNumber
  /** The number that a pool has or is to get. */
  readonly numberFor: (id: PoolId) => PoolNumber
  /** Adds a pool, or replaces it by its later self. */
  readonly put: (pool: TrackedPool) => void
  /** Shows every pool that is there and, from now on, each that is put. */
  readonly watch: (see: (pool: TrackedPool) => void) => void
  readonly all: () => IterableIterator<TrackedPool>
  readonly size: () => number
}

/**
 * `assigned` names the numbers of pools that are known elsewhere, `first` the number from which new
 * ones are counted.
 */
export const createPoolBook = (
  origin: {
    readonly assigned?: (id: PoolId) => PoolNumber | undefined
    readonly first?: PoolNumber
  } = {},
): PoolBook => {
  /** By number: small and dense, so that an array costs a fraction of what a map would. */
  const pools: (TrackedPool | undefined)[] = []
  const numbers = new Map<PoolId, PoolNumber>()
  const watchers: ((pool: TrackedPool) => void)[] = []
  const addresses = createSharedAddresses()
  let numberMax = (origin.first ?? 1) - 1
  const byNumber = (number: PoolNumber) => pools[number]

  const all = function* (): IterableIterator<TrackedPool> {
    for (const number of numbers.values()) {
      const pool = pools[number]
      if (pool !== undefined) yield pool
    }
  }

  const newcomer = (pool: TrackedPool): TrackedPool => {
    const { id, number, venue, key } = pool.identity
    numbers.set(id, number)
    numberMax = Math.max(numberMax, number)
    // Each log and each row brings its own copy of an address.
    const identity = { ...pool.identity, venue: addresses.one(venue), key: addresses.ofKey(key) }
    return { ...pool, identity }
  }

  return {
    byNumber,
    byId: (id) => {
      const number = numbers.get(id)
      return number === undefined ? undefined : pools[number]
    },
    nextNumber: () => numberMax + 1,
    numberFor: (id) => numbers.get(id) ?? origin.assigned?.(id) ?? numberMax + 1,
    put: (pool) => {
      const { number } = pool.identity
      const held = pools[number] === undefined ? newcomer(pool) : pool
      pools[number] = held
      for (const see of watchers) see(held)
    },
    watch: (see) => {
      for (const pool of all()) see(pool)
      watchers.push(see)
    },
    all,
    size: () => numbers.size,
  }
}
