import {
  type BucketRange,
  bucketAtOrAfter,
  type CandleGrid,
  densePart,
  isEmptyRange,
} from '../../domain/history/candle-range.ts'
import {
  buildPoolCandles,
  type OtherPrices,
  tradedBuckets,
} from '../../domain/history/pool-candles.ts'
import { bucketSwapsMax, takePage } from '../../domain/history/take-page.ts'
import { stockVolumes } from '../../domain/history/trades.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { Candle } from '../../domain/pool/stored-rows.ts'
import { type Bucket, fillBuckets } from '../../domain/series/fill-buckets.ts'
import { lostMinutesUntil, toStoredRows } from '../../domain/series/kept-rows.ts'
import type { SeriesPlan } from '../../domain/series/series-range.ts'
import { secondsPerHour } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { CandleView } from '../../domain/views/history.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import type { CandlePage, HistoryPruned, PoolCandleQuery } from '../history.ts'
import { type ListedPool, otherTokenOf, stockTokenOf } from '../model/model-pool.ts'
import { type CandleWindow, findCandleWindow } from './candle-window.ts'
import { type CountedBucket, readRuns } from './read-runs.ts'
import { gapsOf, readReferences } from './series.ts'

/** Buckets in the order of the request, at most one more than a page. */
type Found = { readonly buckets: readonly Bucket<Candle>[]; readonly hasMore: boolean }

const planOf = ({ fromTs, toTs }: BucketRange, grid: CandleGrid): SeriesPlan => ({
  ...grid,
  fromTs,
  lastTs: toTs,
  hourlyUntilTs: 0,
})

const findTraded = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { window, query }: { readonly window: CandleWindow; readonly query: PoolCandleQuery },
): Promise<Found> => {
  const { grid, range, openTs } = window
  const { bucketSeconds, candleWidth } = grid
  const { order, limit } = query
  const rows = await snapshot.tradedCandles({
    pool: pool.number,
    width: candleWidth,
    fromTs: range.fromTs,
    toTs: range.toTs + bucketSeconds - 1,
    order,
    // The last bucket may be cut off; it only shows that there is one.
    rowsMax: (limit + 1) * (bucketSeconds / candleWidth),
  })
  const oldestFirst = order === 'asc' ? rows : rows.toReversed()
  const buckets = tradedBuckets(oldestFirst, { bucketSeconds, openTs })
  return { buckets: order === 'asc' ? buckets : buckets.toReversed(), hasMore: false }
}

/** The last candle before the page: of minutes that retention deleted, their hour. */
const findBefore = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { own, fromTs }: { readonly own: Candle | null; readonly fromTs: UnixSeconds },
): Promise<Candle | null> => {
  const width = secondsPerHour
  const endTs = fromTs - width
  const span = { fromTs: endTs + 1, toTs: endTs }
  const { before: hour } = await snapshot.candles({ pool: pool.number, width, ...span })
  const isOwnLater = own !== null && (hour === null || own.ts >= hour.ts + width)
  return isOwnLater ? own : hour
}

const findDense = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { window, query }: { readonly window: CandleWindow; readonly query: PoolCandleQuery },
): Promise<Found> => {
  const { range, openTs, grid } = window
  const { order, limit } = query
  const { candleWidth: width, bucketSeconds } = grid
  const { fromTs, toTs } = densePart(range, limit, { order, bucketSeconds })
  const span = { fromTs, toTs: toTs + bucketSeconds - 1 }
  const { before: own, rows } = await snapshot.candles({ pool: pool.number, width, ...span })
  const before = width < secondsPerHour ? await findBefore(snapshot, pool, { own, fromTs }) : own
  const plan = planOf({ fromTs, toTs }, grid)
  const filled = fillBuckets(plan, { rows, before, gaps: [] })
  const buckets = filled.map((bucket) => ({ ...bucket, closed: bucket.ts < openTs }))
  return {
    buckets: order === 'asc' ? buckets : buckets.toReversed(),
    hasMore: order === 'asc' ? toTs < range.toTs : fromTs > range.fromTs,
  }
}

const countSwaps = ({ content }: Bucket<Candle>): number =>
  content?.rows.reduce((sum, { swaps }) => sum + swaps, 0) ?? 0

const readOtherPrices = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { fromTs, toTs, grid }: BucketRange & { readonly grid: CandleGrid },
): Promise<OtherPrices | 'none'> => {
  if (pool.classification.kind === 'meme') return 'none'
  const isMinutes = grid.bucketSeconds < secondsPerHour
  // Whole hours, so that an hour and its minutes are compared over the same time.
  const lastTs = isMinutes ? bucketAtOrAfter(toTs + 1, secondsPerHour) - grid.bucketSeconds : toTs
  const plan = planOf({ fromTs, toTs: lastTs }, grid)
  const kept = await readReferences(snapshot, otherTokenOf(pool).address, plan)
  return { points: toStoredRows(kept, plan, []), since: lostMinutesUntil(kept) ?? 0 }
}

type PageBucket = CountedBucket & { readonly bucket: Bucket<Candle>; readonly cost: number }

/** A page in the order of the request. */
type Page = { readonly buckets: readonly PageBucket[]; readonly hasMore: boolean }

const findPage = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  given: { readonly window: CandleWindow; readonly query: PoolCandleQuery },
): Promise<Page> => {
  const { query, window } = given
  if (isEmptyRange(window.range)) return { buckets: [], hasMore: false }
  const find = query.fill === 'none' ? findTraded : findDense
  const { buckets, hasMore } = await find(snapshot, pool, given)
  const sized = buckets.map((bucket) => {
    const swaps = countSwaps(bucket)
    const isRead = query.hasStockVolume && swaps <= bucketSwapsMax
    return { ts: bucket.ts, bucket, swaps, isRead, cost: isRead ? swaps : 0 }
  })
  const page = takePage(sized, { limit: query.limit, ...window.grid })
  return { buckets: page, hasMore: hasMore || page.length < sized.length }
}

const fillPage = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  {
    buckets,
    grid,
    query,
  }: {
    /** Oldest first. */
    readonly buckets: readonly PageBucket[]
    readonly grid: CandleGrid
    readonly query: PoolCandleQuery
  },
): Promise<readonly CandleView[]> => {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (first === undefined || last === undefined) return []
  const { bucketSeconds } = grid
  const { classification, token0, token1 } = pool
  const { stockIsToken0 } = classification
  const token = stockIsToken0 ? 0 : 1
  const amounts = await readRuns({ buckets, bucketSeconds }, (run) =>
    snapshot.tradedAmounts({ pool: pool.number, ...run, bucketSeconds, token }),
  )
  const range = { fromTs: first.ts, toTs: last.ts, grid }
  return buildPoolCandles({
    buckets: buckets.map(({ bucket }) => bucket),
    classification,
    decimals0: token0.decimals,
    decimals1: token1.decimals,
    inUsd: query.price === 'usd' ? await readOtherPrices(snapshot, pool, range) : null,
    volumes: stockVolumes(
      amounts,
      buckets.filter(({ isRead }) => isRead),
      stockTokenOf(pool).decimals,
    ),
  })
}

/** One page of a pool's candles, with at most a page's worth of reads wherever it lies. */
export const readPoolCandles = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { header, query }: { readonly header: IndexHeader; readonly query: PoolCandleQuery },
): Promise<Outcome<CandlePage, HistoryPruned>> => {
  const { cursor } = header
  if (cursor === null) return success({ items: [], next: null, asOfBlock: null, complete: false })
  const window = await findCandleWindow(snapshot, query, {
    pools: [pool],
    gaps: gapsOf(header, pool),
    asOfTs: cursor.ts,
    needsRetained: query.width.endsWith('m'),
  })
  if (!window.ok) return window
  const { grid, complete } = window.value
  const page = await findPage(snapshot, pool, { window: window.value, query })
  const isForward = query.order === 'asc'
  const buckets = isForward ? page.buckets : page.buckets.toReversed()
  const items = await fillPage(snapshot, pool, { buckets, grid, query })
  const end = page.hasMore ? page.buckets.at(-1) : undefined
  return success({
    items: isForward ? items : items.toReversed(),
    next: end === undefined ? null : { ts: end.ts },
    asOfBlock: cursor.block,
    complete,
  })
}
