import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoredTick } from '../../domain/pool/stored-rows.ts'
import { type TrackedPool, toTrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { Store } from '../../ports/store.ts'
import type { StoredPool } from '../../ports/store-batches.ts'

/** The ticks of one pool after the other, asked for in the order of their numbers. */
const createTicksOf = (ticks: AsyncIterable<StoredTick>) => {
  const rows = ticks[Symbol.asyncIterator]()
  let row: IteratorResult<StoredTick> | null = null
  return async (pool: PoolNumber): Promise<readonly StoredTick[]> => {
    const own: StoredTick[] = []
    row ??= await rows.next()
    while (!row.done && row.value.pool <= pool) {
      if (row.value.pool === pool) own.push(row.value)
      row = await rows.next()
    }
    return own
  }
}

/** Every pool as the store holds it: one by one, because all of them at once would be too much. */
export async function* loadPools(
  store: Pick<Store, 'readPools' | 'readTicks'>,
): AsyncGenerator<TrackedPool> {
  const ticksOf = createTicksOf(store.readTicks())
  for await (const stored of store.readPools())
    yield toTrackedPool(stored, await ticksOf(stored.number))
}

/** With what is known since of a pool's past, while nothing that is newer can have changed. */
const withPast = (pool: TrackedPool, stored: StoredPool): TrackedPool => {
  const { lastSwapTs, lastSwapBlock, lastSwapFee } = stored
  const mapFault = pool.state.mapFault ?? stored.mapFault
  const reserves = mapFault === null ? pool.state.reserves : null
  const last = { lastSwapTs, lastSwapBlock, lastSwapFee }
  return { ...pool, state: { ...pool.state, ...last, mapFault, reserves } }
}

/** Puts every pool that the store holds; the block that they stand at, null before there is one. */
export const loadBook = async (
  store: Pick<Store, 'snapshot' | 'readPools' | 'readTicks'>,
  book: PoolSet,
  see: (pool: TrackedPool) => void,
): Promise<BlockRef | null> => {
  const header = await store.snapshot((snapshot) => snapshot.header())
  // Pools of a first reading are not of one block yet.
  if (header === null || header.cursor === null) return null
  const { revision, cursor } = header
  for await (const pool of loadPools(store)) {
    book.putPacked(pool)
    see(pool)
  }
  // The past that was filled in meanwhile went into the book that this one takes the place of.
  for (const stored of await store.snapshot((since) => since.poolsChangedAfter(revision))) {
    const pool = book.byNumber(stored.number)
    if (pool !== undefined) book.putPacked(withPast(pool, stored))
  }
  return cursor
}
