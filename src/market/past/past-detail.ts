import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { TrackedPool } from '../../domain/pool/tracked-pool.ts'
import type { PastMoment } from '../../domain/price/past-reference.ts'
import { planSeries, type RangeName } from '../../domain/series/series-range.ts'
import { sessionAt } from '../../domain/stock/market-session.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { PoolDetailView, PoolView } from '../../domain/views/pool.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { BackfillCursor, IndexHeader } from '../../ports/store-batches.ts'
import { type ListedPool, toStoredPool, toSwapViewPool } from '../model/model-pool.ts'
import type { AskedMoment, PoolAtFault } from '../past.ts'
import { findKeptSince } from '../queries/candle-window.ts'
import { reviewHook, swapsMax } from '../queries/details.ts'
import { gapsOf, planForPool, readStoredPoolSeries, toPoolSeries } from '../queries/series.ts'
import { type MarketInputs, toPoolInputs } from '../valuation/market-inputs.ts'
import { foldPool, readPastPrice } from './fold-pool.ts'
import { cutSeriesAt } from './past-candles.ts'
import { readPastTokens } from './past-references.ts'
import { readPastVolume } from './past-volume.ts'
import { type PastBlock, resolveBlock, timelineOf } from './resolve-block.ts'

type Given = {
  readonly header: IndexHeader
  readonly present: MarketInputs
  readonly range: RangeName
}

/** A pool as of a block. */
type PoolAtBlock = {
  readonly pool: ListedPool
  readonly at: PastBlock
  readonly tracked: TrackedPool
  /** Its swaps are kept from this time on. */
  readonly keptSince: UnixSeconds
}

const readFirstSwapTs = async (
  snapshot: StoreSnapshot,
  { number: pool }: ListedPool,
  toTs: UnixSeconds,
): Promise<UnixSeconds | null> => {
  const [first] = await snapshot.trades({ pool, fromTs: 0, toTs: toTs + 1, rowsMax: 1 })
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

const readRecord = async (
  snapshot: StoreSnapshot,
  { pool, at, tracked, keptSince }: PoolAtBlock,
  present: MarketInputs,
): Promise<PoolView> => {
  const { ts } = at.timed
  const { policy, reviewedHooks } = present.context
  const moment: PastMoment = { ts, session: sessionAt(ts), policy }
  const shared = await readPastTokens(snapshot, pool, { moment, present })
  const inputs = {
    ...toPoolInputs(pool, shared),
    pool: { ...tracked.identity, ...tracked.state, lastHotTs: null },
    volume: await readPastVolume(snapshot, { pool, at, keptSince }),
    fallback: null,
  }
  const asOf = { block: at.block, ts }
  return toPoolView(inputs, { now: ts, asOf, enrichedTs: ts, policy, reviewedHooks })
}

const readDetail = async (
  snapshot: StoreSnapshot,
  past: PoolAtBlock,
  { present, range }: Given,
): Promise<PoolDetailView> => {
  const { pool, at, tracked, keptSince } = past
  const { block, timed } = at
  const { number, createdTs } = pool
  const record = await readRecord(snapshot, past, present)
  const plan = planSeries(range, { createdTs, now: timed.ts })
  const stored = await readStoredPoolSeries(snapshot, pool, plan)
  const cut = await cutSeriesAt(snapshot, stored, { pool: tracked, at })
  const query = { pool: number, fromTs: plan.fromTs, toBlock: block, rowsMax: swapsMax }
  const swaps = await snapshot.swaps(query)
  const neededTs = Math.min(plan.fromTs, timed.ts - secondsPerDay + 1)
  const isKept = cut.isKept && keptSince <= Math.max(createdTs, neededTs)
  const swapPool = toSwapViewPool(pool)
  return {
    pool: record,
    series: toPoolSeries(cut.series, { plan: planForPool(plan, cut.series), record }),
    swaps: swaps.map((swap) => toSwapView(swap, swapPool)),
    screener: null,
    hookReview: reviewHook(record, present.context.reviewedHooks),
    past: {
      block,
      ts: timed.ts,
      tsBlock: timed.block,
      complete: isKept && tracked.state.mapFault !== 'index_gap',
    },
  }
}

/** Reads a pool's detail as of a past block from one snapshot (docs/methodology.md §11). */
export const readPoolAt = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { asked, ...given }: Given & { readonly asked: AskedMoment },
): Promise<Outcome<PoolDetailView, PoolAtFault>> => {
  const { cursor, backfillCursor } = given.header
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
  const gapsUntil = gapsOf(given.header, pool).map(({ toTs }) => toTs)
  const keptSince = Math.max(await findKeptSince(snapshot, pool, cursor.ts), ...gapsUntil)
  return success(await readDetail(snapshot, { pool, at, tracked, keptSince }, given))
}
