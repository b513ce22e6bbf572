import type { Packed } from '../packing.ts'
import type { PoolId } from '../units.ts'
import { createPoolPacking } from './packed-pool.ts'
import type { PoolNumber } from './pool-state.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** All pools that the indexer follows, by id and by number. */
export type PoolSet = {
  readonly byId: (id: PoolId) => TrackedPool | undefined
  readonly byNumber: (number: PoolNumber) => TrackedPool | undefined
  readonly idOf: (number: PoolNumber) => PoolId | undefined
  readonly numberOf: (id: PoolId) => PoolNumber | undefined
  readonly nextNumber: () => PoolNumber
  /** The number that a pool has or is to get. */
  readonly numberFor: (id: PoolId) => PoolNumber
  /** Adds a pool, or replaces it by its later self, and wakes it. */
  readonly put: (pool: TrackedPool) => void
  /** Adds a pool that sleeps until it is put: in nearly all of very many nothing happens. */
  readonly putPacked: (pool: TrackedPool) => void
  /** Shows every pool that is there and, from now on, each that is put. */
  readonly subscribe: (see: (pool: TrackedPool) => void) => void
  readonly all: () => IterableIterator<TrackedPool>
  readonly size: () => number
}

type Origin = {
  /** Names the numbers of pools that are known elsewhere. */
  readonly assigned?: (id: PoolId) => PoolNumber | undefined
  /** The number from which new ones are counted. */
  readonly first?: PoolNumber
  /**
   * Of so many pools the objects are kept; the others sleep, packed, until they are put again:
   * whoever only reads one does not wake it.
   */
  readonly unpackedMax?: number
}

export const createPoolSet = (origin: Origin = {}): PoolSet => {
  const { assigned, first = 1, unpackedMax = Number.POSITIVE_INFINITY } = origin
  /** By number: small and dense, so that an array costs a fraction of what a map would. */
  const pools: (TrackedPool | Packed | undefined)[] = []
  const ids: PoolId[] = []
  const numbers = new Map<PoolId, PoolNumber>()
  const watchers: ((pool: TrackedPool) => void)[] = []
  const packing = createPoolPacking()
  /** A ring: who has been awake for longest sleeps next, and wakes at once if it is a busy one. */
  const unpacked: PoolNumber[] = []
  let turn = 0
  let numberMax = first - 1

  const byNumber = (number: PoolNumber): TrackedPool | undefined => {
    const pool = pools[number]
    if (typeof pool === 'object') return pool
    const id = ids[number]
    if (pool === undefined || id === undefined) return undefined
    return packing.unpack(pool, { number, id })
  }

  const hold = (pool: TrackedPool, held: TrackedPool | Packed): void => {
    const { number, id } = pool.identity
    if (ids[number] === undefined) {
      ids[number] = id
      numbers.set(id, number)
      numberMax = Math.max(numberMax, number)
    }
    pools[number] = held
    for (const see of watchers) see(pool)
  }

  const sleep = (number: PoolNumber): void => {
    const pool = byNumber(number)
    if (pool !== undefined) pools[number] = packing.pack(pool)
  }

  const wake = (number: PoolNumber): void => {
    const longest = unpacked[turn]
    if (longest !== undefined) sleep(longest)
    unpacked[turn] = number
    turn = (turn + 1) % unpackedMax
  }

  const all = function* (): IterableIterator<TrackedPool> {
    for (const number of numbers.values()) {
      const pool = byNumber(number)
      if (pool !== undefined) yield pool
    }
  }

  return {
    byNumber,
    byId: (id) => {
      const number = numbers.get(id)
      return number === undefined ? undefined : byNumber(number)
    },
    idOf: (number) => ids[number],
    numberOf: (id) => numbers.get(id),
    nextNumber: () => numberMax + 1,
    numberFor: (id) => numbers.get(id) ?? assigned?.(id) ?? numberMax + 1,
    put: (pool) => {
      const { number } = pool.identity
      if (typeof pools[number] !== 'object') wake(number)
      hold(pool, pool)
    },
    putPacked: (pool) => hold(pool, packing.pack(pool)),
    subscribe: (see) => {
      for (const pool of all()) see(pool)
      watchers.push(see)
    },
    all,
    size: () => numbers.size,
  }
}
