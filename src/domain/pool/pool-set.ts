import type { PoolId } from '../units.ts'
import { createPackedPools } from './packed-pools.ts'
import type { PoolIdentity, PoolNumber } from './pool-state.ts'
import type { TrackedPool } from './tracked-pool.ts'

/** All pools of the indexer, by id and by number. */
export type PoolSet = {
  readonly byId: (id: PoolId) => TrackedPool | undefined
  readonly byNumber: (number: PoolNumber) => TrackedPool | undefined
  readonly identityOf: (id: PoolId) => PoolIdentity | undefined
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
  /** The pools that are present at the first step: the packed ones by number, then the others. */
  readonly all: () => IterableIterator<TrackedPool>
  readonly size: () => number
}

type Origin = {
  /** Numbers of pools that were assigned elsewhere. */
  readonly assigned?: (id: PoolId) => PoolNumber | undefined
  /** First number of new pools. */
  readonly first?: PoolNumber
  /** Without it every pool stays unpacked. */
  readonly packing?: {
    /** Maximum number of unpacked pools. The others stay packed until they are put again. */
    readonly unpackedMax: number
    /** Draws the secret that scatters ids: numbers from 0 to below 1. */
    readonly random: () => number
  }
}

/** Shared by two maps, so that a change of a pool writes neither. */
type Entry = { pool: TrackedPool }

export const createPoolSet = (origin: Origin = {}): PoolSet => {
  const { assigned, first = 1, packing } = origin
  const packed = packing === undefined ? null : createPackedPools(packing.random)
  const unpackedMax = packing?.unpackedMax ?? Number.POSITIVE_INFINITY
  /** A pool may be packed as well, in an earlier state. */
  const unpacked = new Map<PoolNumber, Entry>()
  const unpackedById = new Map<PoolId, Entry>()
  const listeners: ((pool: TrackedPool) => void)[] = []
  /** Ring buffer: the pool unpacked first is packed next. */
  const ring: PoolNumber[] = []
  let ringIndex = 0
  let numberMax = first - 1
  let size = 0

  const byNumber = (number: PoolNumber): TrackedPool | undefined =>
    unpacked.get(number)?.pool ?? packed?.byNumber(number)

  const numberOf = (id: PoolId): PoolNumber | undefined =>
    unpackedById.get(id)?.pool.identity.number ?? packed?.numberOf(id)

  const notify = (pool: TrackedPool): void => {
    for (const listener of listeners) listener(pool)
  }

  const count = (number: PoolNumber): void => {
    if (packed?.has(number)) return
    size += 1
    numberMax = Math.max(numberMax, number)
  }

  const packOldest = (): void => {
    const oldest = ring[ringIndex]
    const pool = oldest === undefined ? undefined : unpacked.get(oldest)?.pool
    if (pool === undefined) return
    packed?.put(pool)
    unpacked.delete(pool.identity.number)
    unpackedById.delete(pool.identity.id)
  }

  const unpack = (pool: TrackedPool): void => {
    const { number, id } = pool.identity
    count(number)
    packOldest()
    ring[ringIndex] = number
    ringIndex = (ringIndex + 1) % unpackedMax
    const entry = { pool }
    unpacked.set(number, entry)
    unpackedById.set(id, entry)
  }

  const put = (pool: TrackedPool): void => {
    const entry = unpacked.get(pool.identity.number)
    if (entry === undefined) unpack(pool)
    else entry.pool = pool
    notify(pool)
  }

  const all = function* (): IterableIterator<TrackedPool> {
    const isUnpackedOnly = (number: PoolNumber): boolean => packed?.has(number) !== true
    // Listed first: a pool that is packed during a step must not be left out.
    const others = [...unpacked.keys()].filter(isUnpackedOnly)
    for (const numbers of [packed?.numbers() ?? [], others]) {
      for (const number of numbers) {
        const pool = byNumber(number)
        if (pool !== undefined) yield pool
      }
    }
  }

  return {
    byNumber,
    byId: (id) => {
      const entry = unpackedById.get(id)
      if (entry !== undefined) return entry.pool
      const number = packed?.numberOf(id)
      return number === undefined ? undefined : packed?.byNumber(number)
    },
    identityOf: (id) => unpackedById.get(id)?.pool.identity ?? packed?.identityOf(id),
    idOf: (number) => byNumber(number)?.identity.id,
    numberOf,
    nextNumber: () => numberMax + 1,
    numberFor: (id) => numberOf(id) ?? assigned?.(id) ?? numberMax + 1,
    put,
    putPacked: (pool) => {
      const { number } = pool.identity
      if (packed === null || unpacked.has(number)) return put(pool)
      count(number)
      packed.put(pool)
      notify(pool)
    },
    subscribe: (listener) => {
      for (const pool of all()) listener(pool)
      listeners.push(listener)
    },
    all,
    size: () => size,
  }
}
