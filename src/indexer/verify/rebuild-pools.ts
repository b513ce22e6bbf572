import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { PoolIdentity, PoolNumber } from '../../domain/pool/pool-state.ts'
import { toStoredTicks, withUnloggedState } from '../../domain/pool/tracked-pool.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { RpcFault } from '../../ports/chain-reader.ts'
import type { Clock, Logger } from '../../ports/runtime.ts'
import type { StoreWriter } from '../../ports/store.ts'
import type { StepResult } from '../../util/loop.ts'
import { createSteadyClock } from '../../util/steady-clock.ts'
import type { PoolReplay, ReplayPool } from '../reorg/replay-pool.ts'
import type { IndexState } from '../state/index-state.ts'

/** Before the second, third, ... rebuild of a pool that still mismatches; the last one repeats. */
const repeatWaitsSeconds = [5, 30, 180, 1_080, 3_600] as const
/** A replay reads many ranges, so a failed one is not repeated at once. */
const retryWaitMs = 5_000
/** Replays that realtime sync completes and writes per step; no more are prepared. */
const rebuildsPerStep = 4
/** After that time a step leaves the rest to the next one. */
const stepSecondsMax = 1
const idleWaitMs = 200

type Deps = {
  readonly replayPool: ReplayPool
  readonly store: StoreWriter
  readonly index: IndexState
  readonly clock: Clock
  readonly logger: Logger
}

/** What a pool disagrees with: its own events, which a replay proves, or its contract. */
export type MismatchEvidence = 'events' | 'contract'

export type PoolRebuilder = {
  readonly enqueue: (pool: PoolNumber, evidence: MismatchEvidence) => void
  /** Resets the waits of a pool that agrees with its contract. */
  readonly confirm: (pool: PoolNumber) => void
  /** Replays the next queued pool while realtime sync continues. */
  readonly replayStep: () => Promise<StepResult>
  /** Brings some replays to the cursor and writes them. The index must not advance until then. */
  readonly writeReplayed: () => Promise<void>
}

/** A pool that was rebuilt in vain, and when that is tried again. */
type Failed = {
  readonly rebuilds: number
  readonly dueTs: UnixSeconds
  /** Its contract may agree although its map has a gap: that resets nothing. */
  readonly hasGap: boolean
}

/** A replay that waits for realtime sync. */
type Replayed = {
  readonly identity: PoolIdentity
  readonly evidence: MismatchEvidence
  readonly replay: PoolReplay
  readonly at: BlockRef
}

/** Pools that wait for a rebuild, in their order. */
const createRebuildQueue = (given: Clock) => {
  const clock = createSteadyClock(given)
  const queue = new Map<PoolNumber, MismatchEvidence>()
  const failed = new Map<PoolNumber, Failed>()

  const enqueue = (number: PoolNumber, evidence: MismatchEvidence): void => {
    queue.set(number, queue.get(number) === 'contract' ? 'contract' : evidence)
  }
  return {
    enqueue,
    confirm: (number: PoolNumber): void => {
      if (failed.get(number)?.hasGap === false) failed.delete(number)
    },
    next: (): readonly [PoolNumber, MismatchEvidence] | null => {
      const now = clock.now()
      for (const entry of queue) if ((failed.get(entry[0])?.dueTs ?? 0) <= now) return entry
      return null
    },
    remove: (number: PoolNumber) => queue.delete(number),
    /** A success resets the waits; only its contract can say that of a pool that contradicts it. */
    record: (number: PoolNumber, evidence: MismatchEvidence, hasGap: boolean): void => {
      if (!hasGap && evidence === 'events') {
        failed.delete(number)
        return
      }
      const rebuilds = failed.get(number)?.rebuilds ?? 0
      const waitSeconds = repeatWaitsSeconds[Math.min(rebuilds, repeatWaitsSeconds.length - 1)] ?? 0
      failed.set(number, { rebuilds: rebuilds + 1, dueTs: clock.now() + waitSeconds, hasGap })
      if (hasGap) enqueue(number, evidence)
    },
  }
}

/**
 * Rebuilds the tick map of a pool that disagrees with the chain from its logs (methodology §4). The
 * replay, which may take minutes, runs beside realtime sync; a step of that only adds the blocks
 * that were indexed since, to a few pools.
 */
export const createPoolRebuilder = (deps: Deps): PoolRebuilder => {
  const { replayPool, store, index, clock, logger } = deps
  const queue = createRebuildQueue(clock)
  const replayed: Replayed[] = []

  const reportFault = (pool: string, { kind, detail }: RpcFault): void =>
    logger.warn('Failed to rebuild pool, will retry', { pool, kind, detail })

  const write = async ({ identity, evidence, replay, at }: Replayed, to: BlockRef) => {
    const { number, id } = identity
    // The number may be of another pool after a branch replacement.
    const before = index.pools().byNumber(number)
    if (before?.identity.id !== id) return true
    const completed = await replayPool(identity, to, { replay, at })
    if (!completed.ok) {
      reportFault(id, completed.fault)
      queue.enqueue(number, evidence)
      return false
    }
    const rebuilt = withUnloggedState(completed.value.pool, before)
    await store.replaceTickMap(number, rebuilt.state, toStoredTicks(rebuilt))
    index.pools().put(rebuilt)
    logger.info('Rebuilt pool from its logs', { pool: id, fault: rebuilt.state.mapFault })
    queue.record(number, evidence, rebuilt.state.mapFault === 'index_gap')
    return true
  }

  return {
    enqueue: queue.enqueue,
    confirm: queue.confirm,
    replayStep: async () => {
      const [cursor, next] = [index.cursor(), queue.next()]
      const isFull = replayed.length >= rebuildsPerStep
      if (cursor === null || next === null || isFull) return { waitMs: idleWaitMs }
      const [number, evidence] = next
      const identity = index.pools().byNumber(number)?.identity
      const replay = identity === undefined ? null : await replayPool(identity, cursor)
      queue.remove(number)
      if (identity === undefined || replay === null) return { waitMs: 0 }
      if (replay.ok) {
        replayed.push({ identity, evidence, replay: replay.value, at: cursor })
        return { waitMs: 0 }
      }
      reportFault(identity.id, replay.fault)
      // Behind the others.
      queue.enqueue(number, evidence)
      return { waitMs: retryWaitMs }
    },
    writeReplayed: async () => {
      const cursor = index.cursor()
      const untilTs = clock.now() + stepSecondsMax
      while (cursor !== null && clock.now() <= untilTs) {
        const next = replayed.shift()
        if (next === undefined || !(await write(next, cursor))) return
      }
    },
  }
}
