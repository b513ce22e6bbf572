import type { Outcome } from '../../domain/outcome.ts'
import { success } from '../../domain/outcome.ts'
import { planSeries, type RangeName } from '../../domain/series/series-range.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { PoolDetailView } from '../../domain/views/pool.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { type ListedPool, toSwapViewPool } from '../model/model-pool.ts'
import type { AskedMoment, PoolAtFault } from '../past.ts'
import { reviewHook, swapsMax } from '../queries/details.ts'
import { planForPool, readStoredPoolSeries, toPoolSeries } from '../queries/series.ts'
import type { MarketInputs } from '../valuation/market-inputs.ts'
import { cutSeriesAt } from './past-candles.ts'
import { type PoolAtBlock, readPoolAtBlock } from './past-pool.ts'
import { readPastRecord, toPastView } from './past-record.ts'

type Given = {
  readonly present: MarketInputs
  readonly range: RangeName
}

const readDetail = async (
  snapshot: StoreSnapshot,
  past: PoolAtBlock,
  { present, range }: Given,
): Promise<PoolDetailView> => {
  const { pool, at, tracked } = past
  const { block, timed } = at
  const { number, createdTs } = pool
  const { record } = await readPastRecord(snapshot, past, present)
  const plan = planSeries(range, { createdTs, now: timed.ts })
  const stored = await readStoredPoolSeries(snapshot, pool, plan)
  const cut = await cutSeriesAt(snapshot, stored, { pool: tracked, at })
  const query = { pool: number, fromTs: plan.fromTs, toBlock: block, rowsMax: swapsMax }
  const swaps = await snapshot.swaps(query)
  const view = toPastView(past, plan.fromTs)
  const swapPool = toSwapViewPool(pool)
  return {
    pool: record,
    series: toPoolSeries(cut.series, { plan: planForPool(plan, cut.series), record }),
    swaps: swaps.map((swap) => toSwapView(swap, swapPool)),
    screener: null,
    hookReview: reviewHook(record, present.context.reviewedHooks),
    past: { ...view, complete: view.complete && cut.isKept },
  }
}

/** Reads a pool's detail as of a past block from one snapshot (docs/methodology.md §11). */
export const readPoolAt = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  {
    header,
    asked,
    ...given
  }: Given & { readonly header: IndexHeader; readonly asked: AskedMoment },
): Promise<Outcome<PoolDetailView, PoolAtFault>> => {
  const past = await readPoolAtBlock(snapshot, pool, { header, asked })
  return past.ok ? success(await readDetail(snapshot, past.value, given)) : past
}
