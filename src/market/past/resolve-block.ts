import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { AskedMoment, PoolAtFault } from '../past.ts'

/** A block, and the newest one up to it whose time is stored. */
export type PastBlock = { readonly block: BlockNumber; readonly timed: TimedBlock }

type Timeline = {
  readonly snapshot: StoreSnapshot
  /** Creation of the pool, before which it has no record. */
  readonly first: TimedBlock
  /** The cursor. */
  readonly last: TimedBlock
}

const timedAt = async (
  { snapshot, first, last }: Timeline,
  block: BlockNumber,
): Promise<TimedBlock> => {
  if (block >= last.block) return last
  const stored = await snapshot.timedBlock(block)
  return stored === null || stored.block < first.block ? first : stored
}

/** The last block with a stored time up to `ts`. */
const lastBlockUntil = async (
  { snapshot, first, last }: Timeline,
  ts: UnixSeconds,
): Promise<TimedBlock> => {
  if (last.ts <= ts) return last
  const stored = await snapshot.timedBlockUntil(ts)
  return stored === null || stored.block < first.block ? first : stored
}

/** Finds the block that is asked for; fails if the pool has no record of it. */
export const resolveBlock = async (
  timeline: Timeline,
  asked: AskedMoment,
): Promise<Outcome<PastBlock, PoolAtFault>> => {
  const { first, last } = timeline
  if ('block' in asked) {
    const { block } = asked
    if (block > last.block) return failure({ kind: 'not-indexed', last })
    if (block < first.block) return failure({ kind: 'not-created', created: first })
    return success({ block, timed: await timedAt(timeline, block) })
  }
  if (asked.ts > last.ts) return failure({ kind: 'not-indexed', last })
  if (asked.ts < first.ts) return failure({ kind: 'not-created', created: first })
  const timed = await lastBlockUntil(timeline, asked.ts)
  return success({ block: timed.block, timed })
}

export const timelineOf = (
  snapshot: StoreSnapshot,
  { createdBlock, createdTs }: ListedPool,
  { block, ts }: TimedBlock,
): Timeline => ({
  snapshot,
  first: { block: createdBlock, ts: createdTs },
  last: { block, ts },
})
