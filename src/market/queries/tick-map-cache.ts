import { buildTickMap, type TickMap } from '../../domain/pool/tick-map.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ListedPool } from '../model/model-pool.ts'

/** About 110 bytes each. The map that was read last stays in any case. */
const ticksMax = 200_000
/** Charged for a map besides its ticks. */
const ticksPerMap = 10

/** A pool's tick map; null if its stored ticks form none. */
type ReadMap = { readonly tickMap: TickMap | null }

/**
 * Tick maps of the pools asked for last. Every commit that changes a tick writes the pool's row,
 * which gives the read model a new object: a map is valid for the object it was read with.
 */
export type TickMapCache = {
  /** Undefined if the store has to be read. */
  readonly find: (pool: ListedPool) => ReadMap | undefined
  /** Reads the map of a pool of the snapshot's model. */
  readonly read: (snapshot: StoreSnapshot, pool: ListedPool) => Promise<ReadMap>
}

const weightOf = ({ tickMap }: ReadMap): number => (tickMap?.ticks.length ?? 0) + ticksPerMap

export const createTickMapCache = (weightMax = ticksMax): TickMapCache => {
  const entries = new Map<number, ReadMap & { readonly pool: ListedPool }>()
  let weight = 0

  const remove = (number: number): void => {
    const entry = entries.get(number)
    if (entry === undefined) return
    entries.delete(number)
    weight -= weightOf(entry)
  }

  const find: TickMapCache['find'] = (pool) => {
    const entry = entries.get(pool.number)
    if (entry?.pool !== pool) return undefined
    entries.delete(pool.number)
    entries.set(pool.number, entry)
    return entry
  }

  return {
    find,
    read: async (snapshot, pool) => {
      const found = find(pool)
      if (found !== undefined) return found
      const map = buildTickMap(await snapshot.ticksOfPool(pool.number))
      const entry = { pool, tickMap: map.known ? map.value : null }
      remove(pool.number)
      entries.set(pool.number, entry)
      weight += weightOf(entry)
      for (const oldest of entries.keys()) {
        if (weight <= weightMax || oldest === pool.number) break
        remove(oldest)
      }
      return entry
    },
  }
}
