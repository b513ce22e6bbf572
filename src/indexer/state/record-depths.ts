import type { PoolSet } from '../../domain/pool/pool-set.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { StoreWriter } from '../../ports/store.ts'

/** A transaction of a few milliseconds. */
const transactionPools = 2_000

/** Stores the depths of pools that a version without depths stored, in bounded transactions. */
export const recordDepths = async (
  store: Pick<StoreWriter, 'recordDepths'>,
  pools: Pick<PoolSet, 'byNumber'>,
  missing: readonly PoolNumber[],
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  for (let from = 0; from < missing.length; from += transactionPools) {
    const numbers = missing.slice(from, from + transactionPools)
    const depths = numbers.flatMap((pool) => {
      const depth = pools.byNumber(pool)?.state.depth ?? null
      return depth === null ? [] : [{ pool, depth }]
    })
    await store.recordDepths(depths)
    onProgress(from + numbers.length, missing.length)
  }
}
