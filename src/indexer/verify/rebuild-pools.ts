import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { ReplayPool } from '../reorg/replay-pool.ts'
import type { IndexState } from '../state/index-state.ts'

/** Rebuilds per pool: one that still mismatches is wrong on the chain's side. */
const attemptsMax = 3
/** A replay reads many ranges, so a failed one is not repeated at once. */
const retryWaitSeconds = 5

type Deps = {
  readonly replayPool: ReplayPool
  readonly store: StoreWriter
  readonly index: IndexState
  readonly clock: Clock
  readonly logger: Logger
}

export type PoolRebuilder = {
  readonly enqueue: (pool: PoolNumber) => void
  /** Rebuilds queued pools; failures stay queued. The index must not advance during the call. */
  readonly rebuildQueued: () => Promise<void>
}

/** Rebuilds the tick map of a pool that disagrees with the chain from its logs (methodology §4). */
export const createPoolRebuilder = (deps: Deps): PoolRebuilder => {
  const { replayPool, store, index, clock, logger } = deps

  const rebuild = async (pool: TrackedPool, to: BlockRef): Promise<boolean> => {
    const { number, id } = pool.identity
    const replay = await replayPool(pool.identity, to)
    if (!replay.ok) {
      const { kind, detail } = replay.fault
      logger.warn('Failed to rebuild pool, will retry', { pool: id, kind, detail })
      return false
    }
    const rebuilt = replay.value.pool
    await store.replaceTickMap(number, rebuilt.state, toStoredTicks(rebuilt))
    index.pools().put(rebuilt)
    logger.info('Rebuilt pool from its logs', { pool: id, fault: rebuilt.state.mapFault })
    return true
  }

  const queue = new Set<PoolNumber>()
  const attempts = new Map<PoolNumber, number>()
  let retryTs = 0

  return {
    enqueue: (number) => {
      if ((attempts.get(number) ?? 0) < attemptsMax) queue.add(number)
    },
    rebuildQueued: async () => {
      const cursor = index.cursor()
      if (cursor === null || clock.now() < retryTs) return
      for (const number of [...queue]) {
        const pool = index.pools().byNumber(number)
        const isDone = pool === undefined || (await rebuild(pool, cursor))
        queue.delete(number)
        if (!isDone) {
          retryTs = clock.now() + retryWaitSeconds
          // Behind the others.
          queue.add(number)
          return
        }
        attempts.set(number, (attempts.get(number) ?? 0) + 1)
      }
    },
  }
}
