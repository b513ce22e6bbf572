import type { TimedBlock } from '../../domain/chain/block-ref.ts'
import type { BlockNumber } from '../../domain/units.ts'
import { integer } from './codec.ts'
import type { Queries } from './queries.ts'
import type { Session, Shape } from './session.ts'

const timedBlocks: Shape<TimedBlock> = {
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
