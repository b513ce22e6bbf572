import { type CandleWidth, candleWidths } from '../../domain/pool/stored-rows.ts'
import type { IndexGap, StoredRows, Timed } from '../../domain/series/fill-buckets.ts'
import { buildPoolSeries } from '../../domain/series/pool-series.ts'
import { bucketStart, type SeriesPlan } from '../../domain/series/series-range.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import type { PoolSeriesRow, PoolView } from '../../domain/views/pool.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { type ListedPool, otherTokenOf, stockTokenOf, toStoredPool } from '../model/model-pool.ts'

type RowRange = {
  readonly width: CandleWidth
  readonly fromTs: UnixSeconds
  readonly toTs: UnixSeconds
}

/**
 * Reads the stored rows of a series. Retention deletes minutes but not hours and days: if no row of
 * the plan's own width precedes the series, the last wider row does, unless the first own row lies
 * within its bucket.
 */
export const readStoredRows = async <Row extends Timed>(
  plan: SeriesPlan,
  read: (
    range: RowRange,
  ) => Promise<{ readonly before: Row | null; readonly rows: readonly Row[] }>,
  gaps: readonly IndexGap[] = [],
): Promise<StoredRows<Row>> => {
  const { candleWidth, fromTs, lastTs, bucketSeconds } = plan
  const range = { width: candleWidth, fromTs, toTs: lastTs + bucketSeconds - 1 }
  const { before, rows } = await read(range)
  if (before !== null) return { before, rows, gaps }
  const firstTs = rows[0]?.ts ?? Number.POSITIVE_INFINITY
  for (const width of candleWidths.filter((wider) => wider > candleWidth)) {
    const startTs = bucketStart(fromTs, width)
    const endTs = firstTs < startTs + width ? startTs : startTs + width
    const wider = await read({ width, fromTs: endTs, toTs: endTs - 1 })
    if (wider.before !== null) return { before: wider.before, rows, gaps }
  }
  return { before: null, rows, gaps }
}

export const readReferences = (snapshot: StoreSnapshot, address: Address, plan: SeriesPlan) =>
  readStoredRows(plan, (range) => snapshot.references({ address, ...range }))

/** The time range whose swaps are missing, including the second of the first missing block. */
const gapsOf = (header: IndexHeader | null, pool: ListedPool): readonly IndexGap[] => {
  const backfill = header?.backfillCursor ?? null
  if (backfill === null || pool.number > backfill.lastPoolNumber) return []
  if (pool.createdBlock > backfill.completeAfter.block) return []
  return [{ fromTs: 0, toTs: backfill.completeAfter.ts + 1 }]
}

/** Reads a pool's series. `record` must be of the same snapshot. */
export const readPoolSeries = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { plan, record }: { readonly plan: SeriesPlan; readonly record: PoolView },
): Promise<readonly PoolSeriesRow[]> => {
  const { classification, token0, token1 } = pool
  const gaps = gapsOf(await snapshot.header(), pool)
  const readCandles = () =>
    readStoredRows(plan, (range) => snapshot.candles({ pool: pool.number, ...range }), gaps)
  return buildPoolSeries({
    plan,
    candles: await readCandles(),
    stockReferences: await readReferences(snapshot, stockTokenOf(pool).address, plan),
    otherReferences:
      classification.kind === 'meme'
        ? null
        : await readReferences(snapshot, otherTokenOf(pool).address, plan),
    classification,
    decimals0: token0.decimals,
    decimals1: token1.decimals,
    hasReserves: !hasCustomAccounting(toStoredPool(pool)),
    view: record,
  })
}
