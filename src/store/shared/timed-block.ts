import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import type { BlockNumber, UnixSeconds } from '../../domain/units.ts'
import { integer } from './codec.ts'
import { blockNumbers } from './past-shapes.ts'
import type { Queries } from './queries.ts'
import type { Session, Shape } from './session.ts'

export const timedBlocks: Shape<TimedBlock> = {
  forms: [integer.form, integer.form],
  fromRow: ([block, ts]) => ({ block: integer.fromColumn(block), ts: integer.fromColumn(ts) }),
}

const newer = (one: TimedBlock | null, other: TimedBlock | null): TimedBlock | null =>
  one === null || (other !== null && other.block > one.block) ? other : one

/**
 * From blocks while they are kept, else from events. The swaps of PostgreSQL have no index by
 * block: the times of the events around it bound what is read.
 */
export const readTimedBlock = async (
  session: Session,
  queries: Queries,
  block: BlockNumber,
): Promise<TimedBlock | null> => {
  const read = (sql: string, values: readonly number[]) => session.first(timedBlocks, sql, values)
  const kept = await read(queries.timedBlock, [block])
  if (kept?.block === block) return kept
  const below = newer(kept, await read(queries.timedChange, [block]))
  if (below?.block === block) return below
  const keptAfter = await read(queries.timedBlockAfter, [block])
  const changeAfter = await read(queries.timedChangeAfter, [block])
  const endsTs = [keptAfter, changeAfter].map((after) => after?.ts ?? Number.MAX_SAFE_INTEGER)
  const span = [below?.ts ?? 0, Math.min(...endsTs)]
  return newer(below, await read(queries.timedSwap, [...span, block]))
}

/**
 * Block times never decrease: the swaps before and behind the time, which an index finds, bound
 * what is read of blocks and changes.
 */
export const readTimedBlockUntil = async (
  session: Session,
  queries: Queries,
  ts: UnixSeconds,
): Promise<TimedBlock | null> => {
  const first = (sql: string, values: readonly number[]) => session.first(timedBlocks, sql, values)
  const number = (sql: string, of: UnixSeconds) => session.first(blockNumbers, sql, [of])
  const low = (await number(queries.swapBlockBefore, ts + 1)) ?? -1
  const high = (await number(queries.swapBlockBehind, ts)) ?? Number.MAX_SAFE_INTEGER
  const swap = await first(queries.timedSwap, [0, ts, high])
  const span = [Math.max(low, swap?.block ?? -1), high, ts]
  const block = await first(queries.blockUntil, span)
  return newer(newer(swap, block), await first(queries.changeUntil, span))
}
