import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredTick } from '../../domain/pool/stored-rows.ts'
import { computeDepth, type TrackedPool, toTrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Store } from '../../ports/store.ts'
import type { StoredPool } from '../../ports/store-batches.ts'

/** Splits the store's ticks by pool; pools must be requested in the order of their numbers. */
const createTickReader = (ticks: AsyncIterable<StoredTick>) => {
  const rows = ticks[Symbol.asyncIterator]()
  let row: IteratorResult<StoredTick> | null = null
  return async (pool: PoolNumber): Promise<readonly StoredTick[]> => {
    const found: StoredTick[] = []
    row ??= await rows.next()
    while (!row.done && row.value.pool <= pool) {
      if (row.value.pool === pool) found.push(row.value)
      row = await rows.next()
    }
    return found
  }
}

/** Every stored pool, one at a time to bound memory. */
export async function* readTrackedPools(
  store: Pick<Store, 'readPools' | 'readTicks'>,
): AsyncGenerator<TrackedPool> {
  const readTicks = createTickReader(store.readTicks())
  for await (const stored of store.readPools())
    yield toTrackedPool(stored, await readTicks(stored.number))
}

/** Adds what a backfill changes in a pool; newer values cannot have changed during the load. */
const withBackfilledFields = (pool: TrackedPool, stored: StoredPool): TrackedPool => {
  const { lastSwapTs, lastSwapBlock, lastSwapFee } = stored
  const mapFault = pool.state.mapFault ?? stored.mapFault
  const reserves = mapFault === null ? pool.state.reserves : null
  const lastSwap = { lastSwapTs, lastSwapBlock, lastSwapFee }
  const depth = mapFault === null ? pool.state.depth : null
  return { ...pool, state: { ...pool.state, ...lastSwap, mapFault, reserves, depth } }
}

/** A version without depths stored the pool. */
const withDepth = (pool: TrackedPool): TrackedPool => ({
  ...pool,
  state: { ...pool.state, depth: computeDepth(pool) },
})

type LoadedPools = {
  /** Null before the first pool. */
  readonly cursor: BlockRef | null
  /** Pools with a depth that is not stored. */
  readonly depthsToRecord: readonly PoolNumber[]
}

/** Adds every stored pool to the set. */
export const loadPools = async (
  store: Pick<Store, 'snapshot' | 'readPools' | 'readTicks'>,
  pools: PoolSet,
  onPool: (pool: TrackedPool) => void,
): Promise<LoadedPools> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  // During bootstrap the stored pools are not of one block yet.
  if (header === null || header.cursor === null) return { cursor: null, depthsToRecord: [] }
  const { revision, cursor } = header
  const depthsToRecord: PoolNumber[] = []
  for await (const stored of readTrackedPools(store)) {
    const { depth, mapFault } = stored.state
    const isDepthMissing = depth === null && mapFault === null
    const pool = isDepthMissing ? withDepth(stored) : stored
    if (isDepthMissing) depthsToRecord.push(pool.identity.number)
    pools.putPacked(pool)
    onPool(pool)
  }
  // A backfill that ran during the load updated the pool set that this one replaces.
  for (const stored of await store.snapshot((since) => since.poolsChangedAfter(revision))) {
    const pool = pools.byNumber(stored.number)
    if (pool !== undefined) pools.putPacked(withBackfilledFields(pool, stored))
  }
  return { cursor, depthsToRecord }
}
