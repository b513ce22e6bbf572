import type { Packed } from '../packing.ts'
import type { PoolId } from '../units.ts'
import { createPoolPacking } from './packed-pool.ts'
import type { PoolNumber } from './pool-state.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** All pools of the indexer, by id and by number. */
export type PoolSet = {
  readonly byId: (id: PoolId) => TrackedPool | undefined
  readonly byNumber: (number: PoolNumber) => TrackedPool | undefined
  readonly idOf: (number: PoolNumber) => PoolId | undefined
  readonly numberOf: (id: PoolId) => PoolNumber | undefined
  readonly nextNumber: () => PoolNumber
  /** The pool's number, or the one that it will get. */
  readonly numberFor: (id: PoolId) => PoolNumber
  /** Adds or replaces a pool and keeps it unpacked. */
  readonly put: (pool: TrackedPool) => void
  /** Adds a pool that stays packed until it is put: most pools see no events. */
  readonly putPacked: (pool: TrackedPool) => void
  /** Calls `listener` with every present pool and with each later put. */
  readonly subscribe: (listener: (pool: TrackedPool) => void) => void
  readonly all: () => IterableIterator<TrackedPool>
  readonly size: () => number
}

type Origin = {
  /** Numbers of pools that were assigned elsewhere. */
  readonly assigned?: (id: PoolId) => PoolNumber | undefined
  /** First number of new pools. */
  readonly first?: PoolNumber
  /** Maximum number of unpacked pools. The others stay packed until they are put again. */
  readonly unpackedMax?: number
}

export const createPoolSet = (origin: Origin = {}): PoolSet => {
  const { assigned, first = 1, unpackedMax = Number.POSITIVE_INFINITY } = origin
  /** By number, which is dense: an array takes a fraction of a map's memory. */
  const pools: (TrackedPool | Packed | undefined)[] = []
  const ids: PoolId[] = []
  const numbers = new Map<PoolId, PoolNumber>()
  const listeners: ((pool: TrackedPool) => void)[] = []
  const packing = createPoolPacking()
  /** Ring buffer: the pool unpacked first is packed next. */
  const unpacked: PoolNumber[] = []
  let ringIndex = 0
  let numberMax = first - 1

  const byNumber = (number: PoolNumber): TrackedPool | undefined => {
    const pool = pools[number]
    if (typeof pool === 'object') return pool
    const id = ids[number]
    if (pool === undefined || id === undefined) return undefined
    return packing.unpack(pool, { number, id })
  }

  const set = (pool: TrackedPool, entry: TrackedPool | Packed): void => {
    const { number, id } = pool.identity
    if (ids[number] === undefined) {
      ids[number] = id
      numbers.set(id, number)
      numberMax = Math.max(numberMax, number)
    }
    pools[number] = entry
    for (const listener of listeners) listener(pool)
  }

  const packPool = (number: PoolNumber): void => {
    const pool = byNumber(number)
    if (pool !== undefined) pools[number] = packing.pack(pool)
  }

  const markUnpacked = (number: PoolNumber): void => {
    const oldest = unpacked[ringIndex]
    if (oldest !== undefined) packPool(oldest)
    unpacked[ringIndex] = number
    ringIndex = (ringIndex + 1) % unpackedMax
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
      if (typeof pools[number] !== 'object') markUnpacked(number)
      set(pool, pool)
    },
    putPacked: (pool) => set(pool, packing.pack(pool)),
    subscribe: (listener) => {
      for (const pool of all()) listener(pool)
      listeners.push(listener)
    },
    all,
    size: () => numbers.size,
  }
}
