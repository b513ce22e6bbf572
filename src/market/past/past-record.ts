import type { PastMoment } from '../../domain/price/past-reference.ts'
import { sessionAt } from '../../domain/stock/market-session.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { PoolInputs, ValuationContext } from '../../domain/valuation/pool-inputs.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import type { PastBlockView, PoolView } from '../../domain/views/pool.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { type MarketInputs, toPoolInputs } from '../valuation/market-inputs.ts'
import type { PoolAtBlock } from './past-pool.ts'
import { type PastPoints, readPastTokens } from './past-references.ts'
import { readPastVolume } from './past-volume.ts'

/** The row of a past block with all that it is made of. */
export type PastRecord = {
  readonly record: PoolView
  readonly inputs: PoolInputs
  readonly context: ValuationContext
  readonly points: PastPoints
}

export const readPastRecord = async (
  snapshot: StoreSnapshot,
  past: PoolAtBlock,
  present: MarketInputs,
): Promise<PastRecord> => {
  const { pool, at, tracked } = past
  const { ts } = at.timed
  const { policy, reviewedHooks, venues, standardOf } = present.context
  const moment: PastMoment = { ts, session: sessionAt(ts), policy }
  const { shared, points } = await readPastTokens(snapshot, pool, { moment, present })
  const inputs = {
    ...toPoolInputs(pool, shared),
    pool: { ...tracked.identity, ...tracked.state, lastHotTs: null },
    volume: await readPastVolume(snapshot, past),
    fallback: null,
  }
  const asOf = { block: at.block, ts }
  const context = { now: ts, asOf, enrichedTs: ts, policy, reviewedHooks, venues, standardOf }
  return { record: toPoolView(inputs, context), inputs, context, points }
}

/** The block of a past record; `neededTs`: swaps from this time on are shown or summed. */
export const toPastView = (
  { pool, at: { block, timed }, tracked, keptSince }: PoolAtBlock,
  neededTs: UnixSeconds,
): PastBlockView => {
  const fromTs = Math.min(neededTs, timed.ts - secondsPerDay + 1)
  const isKept = keptSince <= Math.max(pool.createdTs, fromTs)
  return {
    block,
    ts: timed.ts,
    tsBlock: timed.block,
    complete: isKept && tracked.state.mapFault !== 'index_gap',
  }
}
