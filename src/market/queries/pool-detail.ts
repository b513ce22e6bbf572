import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import { poolSeriesOf } from '../../domain/series/pool-series.ts'
import { planSeries, type RangeName, type SeriesPlan } from '../../domain/series/series-range.ts'
import type { Address } from '../../domain/units.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import { screenerCheckOf } from '../../domain/valuation/screener-check.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { PoolDetailView, PoolSeriesRow, PoolView } from '../../domain/views/pool.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import {
  type ListedPool,
  otherTokenOf,
  stockTokenOf,
  toStoredPool,
  toSwapPool,
} from '../model/model-pool.ts'
import { type MarketInputs, sharedInputsOf, toPoolInputs } from '../valuation/market-inputs.ts'
import { readStoredRows } from './series-rows.ts'

/** Swaps in a pool's detail (interface document §8). */
const swapsMax = 100

export const readReferences = (snapshot: StoreSnapshot, address: Address, plan: SeriesPlan) =>
  readStoredRows(plan, (span) => snapshot.references({ address, ...span }))

/** Where swaps are missing; a second that holds the first missing block is missing, too. */
const gapsOf = (header: IndexHeader | null, pool: ListedPool): readonly IndexGap[] => {
  const history = header?.backfillCursor ?? null
  if (history === null || pool.number > history.lastPoolNumber) return []
  if (pool.createdBlock > history.completeAfter.block) return []
  return [{ fromTs: 0, toTs: history.completeAfter.ts + 1 }]
}

/** A pool's series over any plan, read from the snapshot that its record belongs to. */
export const readPoolSeries = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { plan, record }: { readonly plan: SeriesPlan; readonly record: PoolView },
): Promise<readonly PoolSeriesRow[]> => {
  const { classification, token0, token1 } = pool
  const gaps = gapsOf(await snapshot.header(), pool)
  const readCandles = () =>
    readStoredRows(plan, (span) => snapshot.candles({ pool: pool.number, ...span }), gaps)
  return poolSeriesOf({
    plan,
    candles: await readCandles(),
    stockReferences: await readReferences(snapshot, stockTokenOf(pool).address, plan),
    otherReferences:
      classification.kind === 'meme'
        ? null
        : await readReferences(snapshot, otherTokenOf(pool).address, plan),
    sides: classification,
    decimals0: token0.decimals,
    decimals1: token1.decimals,
    areReservesTold: !hasCustomAccounting(toStoredPool(pool)),
    record,
  })
}

/** A pool's record, series and swaps, all of one snapshot (docs/api.md). */
export const readPoolDetail = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { inputs, range }: { readonly inputs: MarketInputs; readonly range: RangeName },
): Promise<PoolDetailView> => {
  const record = toPoolView(toPoolInputs(pool, sharedInputsOf(pool, inputs)), inputs.context)
  const { number, createdTs } = pool
  const plan = planSeries(range, { createdTs, now: inputs.context.asOf.ts })
  const series = await readPoolSeries(snapshot, pool, { plan, record })
  const query = { pool: number, fromTs: plan.fromTs, rowsMax: swapsMax }
  const swaps = await snapshot.swaps(query)
  const swapPool = toSwapPool(pool)
  return {
    pool: record,
    series,
    swaps: swaps.map((swap) => toSwapView(swap, swapPool)),
    screener: screenerCheckOf(pool.external.screened, record, inputs.context),
  }
}
