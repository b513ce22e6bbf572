import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { StoredSwap } from '../../domain/pool/stored-rows.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { BackfillCursor, IndexHeader } from '../../ports/store-batches.ts'
import { type ListedPool, toStoredPool } from '../model/model-pool.ts'
import type { AskedMoment, PoolAtFault } from '../past.ts'
import { findKeptSince } from '../queries/candle-window.ts'
import { gapsOf } from '../queries/series.ts'
import { foldPool, readPastPrice } from './fold-pool.ts'
import { type PastBlock, resolveBlock, timelineOf } from './resolve-block.ts'

/** A pool as of a block. */
export type PoolAtBlock = {
  readonly pool: ListedPool
  readonly at: PastBlock
  readonly tracked: TrackedPool
  /** Its newest swap up to the block; null if there was none, or its row is not kept. */
  readonly lastSwap: StoredSwap | null
  /** Its swaps are kept from this time on. */
  readonly keptSince: UnixSeconds
}

const readFirstSwapTs = async (
  snapshot: StoreSnapshot,
  { number: pool }: ListedPool,
  toTs: UnixSeconds,
): Promise<UnixSeconds | null> => {
  const oldest = { after: null, fromTs: null, order: 'asc', rowsMax: 1 } as const
  const [first] = await snapshot.swapPage({ pool, toTs, ...oldest })
  return first?.ts ?? null
}

/** Whether changes of the pool's liquidity after this block are not read (methodology §8). */
const lacksChanges = (
  { number, createdBlock }: ListedPool,
  backfill: BackfillCursor | null,
  { block }: PastBlock,
): boolean => {
  if (backfill === null || number > backfill.lastPoolNumber) return false
  const { completeAfter } = backfill
  return createdBlock <= completeAfter.block && block < completeAfter.block
}

/** Reads a pool as of a past block from one snapshot (docs/methodology.md §11). */
export const readPoolAtBlock = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { header, asked }: { readonly header: IndexHeader; readonly asked: AskedMoment },
): Promise<Outcome<PoolAtBlock, PoolAtFault>> => {
  const { cursor, backfillCursor } = header
  if (cursor === null) return failure({ kind: 'not-indexed', last: null })
  const resolved = await resolveBlock(timelineOf(snapshot, pool, cursor), asked)
  if (!resolved.ok) return resolved
  const at = resolved.value
  const stored = toStoredPool(pool)
  const price = lacksChanges(pool, backfillCursor, at)
    ? null
    : await readPastPrice(snapshot, stored, at)
  if (price === null) {
    const firstTs = await readFirstSwapTs(snapshot, pool, cursor.ts)
    return failure({ kind: 'history-pruned', keptSince: firstTs ?? cursor.ts })
  }
  const tracked = await foldPool(snapshot, stored, { at, price })
  const gapsUntil = gapsOf(header, pool).map(({ toTs }) => toTs)
  const keptSince = Math.max(await findKeptSince(snapshot, [pool], cursor.ts), ...gapsUntil)
  return success({ pool, at, tracked, lastSwap: price.swap, keptSince })
}
