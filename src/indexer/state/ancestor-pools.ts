import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { IngestResult } from '../../domain/ingest/ingest-logs.ts'
import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { type TrackedPool, withRulesUpTo } from '../../domain/pool/tracked-pool.ts'
import type { PoolAtAncestor } from '../../ports/store-batches.ts'

/** What a branch replacement keeps. */
export type AncestorState = {
  readonly ancestor: BlockRef | null
  /** The epoch in which the ancestor was found. */
  readonly epoch: number
  /** The pools that the old branch changed, as of the ancestor. */
  readonly restored: readonly (Pick<PoolAtAncestor, 'candles'> & { readonly pool: TrackedPool })[]
  readonly repairs: number
}

/** The pools as of the ancestor, without those created after it. */
export function* poolsAt(
  pools: Iterable<TrackedPool>,
  { ancestor, restored }: AncestorState,
): IterableIterator<TrackedPool> {
  const byNumber = new Map(restored.map(({ pool }) => [pool.identity.number, pool]))
  for (const pool of pools) {
    const { number, createdBlock } = pool.identity
    if (createdBlock <= (ancestor?.block ?? -1)) yield byNumber.get(number) ?? pool
  }
}

/**
 * Adds the pools as of the ancestor; returns those whose fees or settings were of a replaced block.
 */
export const addPoolsAt = (
  replacement: PoolSet,
  pools: Iterable<TrackedPool>,
  from: AncestorState,
): ReadonlySet<PoolNumber> => {
  const forgotten = new Set<PoolNumber>()
  for (const pool of poolsAt(pools, from)) {
    const kept = withRulesUpTo(pool, from.ancestor?.block ?? -1)
    if (kept !== pool) forgotten.add(pool.identity.number)
    replacement.putPacked(kept)
  }
  return forgotten
}

/** The branch changes these pools too, even if it has no event of them. */
export const withTouched = (
  ingested: IngestResult,
  numbers: ReadonlySet<PoolNumber>,
  pools: PoolSet,
): IngestResult => {
  const touched = new Set(ingested.touched.map(({ identity }) => identity.number))
  const others = [...numbers].filter((number) => !touched.has(number))
  const added = others.flatMap((number) => pools.byNumber(number) ?? [])
  return { ...ingested, touched: [...ingested.touched, ...added] }
}
