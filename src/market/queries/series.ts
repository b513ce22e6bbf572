import type { Candle, CandleWidth, ReferencePoint } from '../../domain/pool/stored-rows.ts'
import type { IndexGap } from '../../domain/series/fill-buckets.ts'
import {
  type KeptRows,
  type Layer,
  lostMinutesUntil,
  toStoredRows,
  type WideRow,
} from '../../domain/series/kept-rows.ts'
import { buildPoolSeries } from '../../domain/series/pool-series.ts'
import { bucketStart, type SeriesPlan, withHoursUntil } from '../../domain/series/series-range.ts'
import { secondsPerDay, secondsPerHour, secondsPerMinute } from '../../domain/time.ts'
import type { Address, UnixSeconds } from '../../domain/units.ts'
import { hasCustomAccounting } from '../../domain/valuation/pool-reserves.ts'
import type { PoolSeriesRow, PoolView } from '../../domain/views/pool.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { type ListedPool, otherTokenOf, stockTokenOf, toStoredPool } from '../model/model-pool.ts'

type ReadRows<Row> = (range: {
  readonly width: CandleWidth
  readonly fromTs: UnixSeconds
  readonly toTs: UnixSeconds
}) => Promise<Layer<Row>>

/**
 * Reads the stored rows of a series in every width that can fill it: retention deletes minutes, and
 * wider rows show which are missing.
 */
export const readKeptRows = async <Row extends WideRow>(
  plan: SeriesPlan,
  read: ReadRows<Row>,
  countOf: KeptRows<Row>['countOf'],
): Promise<KeptRows<Row>> => {
  const { candleWidth, fromTs, lastTs, bucketSeconds } = plan
  const toTs = lastTs + bucketSeconds - 1
  // From the start of a whole wider bucket on, so that both have the same contents.
  const layer = (width: CandleWidth, startSeconds: number): Promise<Layer<Row>> =>
    read({ width, fromTs: bucketStart(fromTs, startSeconds), toTs })
  return {
    minutes:
      candleWidth === secondsPerMinute ? await layer(secondsPerMinute, secondsPerHour) : null,
    hours: candleWidth === secondsPerDay ? null : await layer(secondsPerHour, secondsPerDay),
    days: await layer(secondsPerDay, secondsPerDay),
    countOf,
  }
}

export const readReferences = (snapshot: StoreSnapshot, address: Address, plan: SeriesPlan) =>
  readKeptRows(
    plan,
    (range) => snapshot.references({ address, ...range }),
    () => 0,
  )

/** The time range whose swaps are missing, including the second of the first missing block. */
export const gapsOf = (header: IndexHeader | null, pool: ListedPool): readonly IndexGap[] => {
  const backfill = header?.backfillCursor ?? null
  if (backfill === null || pool.number > backfill.lastPoolNumber) return []
  if (pool.createdBlock > backfill.completeAfter.block) return []
  return [{ fromTs: 0, toTs: backfill.completeAfter.ts + 1 }]
}

/** What is stored of a pool and of the prices of its tokens for the buckets of a plan. */
export type StoredPoolSeries = {
  readonly pool: ListedPool
  readonly candles: KeptRows<Candle>
  readonly stockReferences: KeptRows<ReferencePoint>
  /** Null for a meme. */
  readonly otherReferences: KeptRows<ReferencePoint> | null
  readonly gaps: readonly IndexGap[]
}

export const readStoredPoolSeries = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  plan: SeriesPlan,
): Promise<StoredPoolSeries> => ({
  pool,
  candles: await readKeptRows(
    plan,
    (range) => snapshot.candles({ pool: pool.number, ...range }),
    ({ swaps }) => swaps,
  ),
  stockReferences: await readReferences(snapshot, stockTokenOf(pool).address, plan),
  otherReferences:
    pool.classification.kind === 'meme'
      ? null
      : await readReferences(snapshot, otherTokenOf(pool).address, plan),
  gaps: gapsOf(await snapshot.header(), pool),
})

const latest = (times: readonly (UnixSeconds | null)[]): UnixSeconds | null =>
  times.reduce((last, ts) => (last === null || (ts !== null && ts > last) ? ts : last), null)

/** The plan with whole hours where minutes of a pool or of its references are missing. */
export const planForPool = (
  plan: SeriesPlan,
  { candles, stockReferences, otherReferences }: StoredPoolSeries,
): SeriesPlan =>
  withHoursUntil(
    plan,
    latest([
      lostMinutesUntil(candles),
      lostMinutesUntil(stockReferences),
      otherReferences === null ? null : lostMinutesUntil(otherReferences),
    ]),
  )

/** A pool's series. `record` must be of the same snapshot. */
export const toPoolSeries = (
  { pool, candles, stockReferences, otherReferences, gaps }: StoredPoolSeries,
  { plan, record }: { readonly plan: SeriesPlan; readonly record: PoolView },
): readonly PoolSeriesRow[] => {
  const { classification, token0, token1 } = pool
  return buildPoolSeries({
    plan,
    candles: toStoredRows(candles, plan, gaps),
    stockReferences: toStoredRows(stockReferences, plan, []),
    otherReferences: otherReferences === null ? null : toStoredRows(otherReferences, plan, []),
    classification,
    decimals0: token0.decimals,
    decimals1: token1.decimals,
    hasReserves: !hasCustomAccounting(toStoredPool(pool)),
    view: record,
  })
}
