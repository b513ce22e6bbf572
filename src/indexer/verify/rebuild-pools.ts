import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import { type TrackedPool, toStoredTicks } from '../../domain/pool/tracked-pool.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { IndexState } from '../state/index-state.ts'
import type { ReplayPool } from './replay-pool.ts'

/** A pool that stays broken after this many readings is broken on the chain's side. */
const attemptsMax = 3
/** A chain that just failed us is not asked for whole lives again at once. */
const restSeconds = 5

type Deps = {
  readonly relive: ReplayPool
  readonly store: StoreWriter
  readonly index: IndexState
  readonly clock: Clock
  readonly logger: Logger
}

export type Rebuilder = {
  readonly enqueue: (pool: PoolNumber) => void
  /** Rebuilds what is wanted. The index must not advance meanwhile; what fails stays wanted. */
  readonly run: () => Promise<void>
}

/**
 * Makes a pool's liquidity map anew from its own logs since its creation, after it turned out to
 * disagree with the chain (methodology §4).
 */
export const createRebuilder = (deps: Deps): Rebuilder => {
  const { relive, store, index, clock, logger } = deps

  const rebuild = async (pool: TrackedPool, to: BlockRef): Promise<boolean> => {
    const { number, id } = pool.identity
    const rebuilt = await relive(pool.identity, to)
    if (!rebuilt.ok) {
      const { kind, detail } = rebuilt.fault
      logger.warn('A pool could not be rebuilt; it is tried again', { pool: id, kind, detail })
      return false
    }
    const made = rebuilt.value.pool
    await store.replaceTickMap(number, made.state, toStoredTicks(made))
    index.pools().put(made)
    logger.info('Rebuilt a pool from its own logs', { pool: id, fault: made.state.mapFault })
    return true
  }

  const wanted = new Set<PoolNumber>()
  const attempts = new Map<PoolNumber, number>()
  let restUntilTs = 0

  return {
    enqueue: (number) => {
      if ((attempts.get(number) ?? 0) < attemptsMax) wanted.add(number)
    },
    run: async () => {
      const at = index.cursor()
      if (at === null || clock.now() < restUntilTs) return
      for (const number of [...wanted]) {
        const pool = index.pools().byNumber(number)
        if (pool !== undefined && !(await rebuild(pool, at))) {
          restUntilTs = clock.now() + restSeconds
          // The others have their turn before it is tried again.
          wanted.delete(number)
          wanted.add(number)
          return
        }
        attempts.set(number, (attempts.get(number) ?? 0) + 1)
        wanted.delete(number)
      }
    },
  }
}
