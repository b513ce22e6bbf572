import { isEmptyRange } from '../../domain/history/candle-range.ts'
import {
  buildStockCandles,
  type StockBucket,
  type StockTrade,
  sumBuckets,
} from '../../domain/history/stock-candles.ts'
import { pageSwapsMax, takePage } from '../../domain/history/take-page.ts'
import { stockRawOf } from '../../domain/history/trades.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { Candle } from '../../domain/pool/stored-rows.ts'
import { bucketStart } from '../../domain/series/series-range.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { orderPoolsMax } from '../../domain/swap/stock-pools.ts'
import { isThin } from '../../domain/valuation/pool-flags.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { CandlePage, HistoryPruned, StockCandleQuery } from '../history.ts'
import { getByNumber } from '../model/chunked-table.ts'
import type { ListedPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { MarketInputs } from '../valuation/market-inputs.ts'
import { type PoolRow, type ValuedRows, valuePools } from '../valuation/pool-rows.ts'
import { type CandleWindow, findCandleWindow } from './candle-window.ts'
import { readRuns } from './read-runs.ts'
import { gapsOf } from './series.ts'

/** Stored candles of all pools that one request reads. */
const candleRowsMax = 20_000

const isDeep = ({ comparable, mayRepresent, depthUsd }: PoolRow): boolean =>
  comparable || (mayRepresent && depthUsd !== null && !isThin('canonical', depthUsd))

/**
 * The pools against trusted tokens that are comparable, or would be while the market is open: the
 * past of a stock must not depend on the time of day.
 */
export const findStockPools = (
  { address }: Stock,
  {
    model,
    inputs,
    before,
  }: {
    readonly model: ReadModel
    readonly inputs: MarketInputs
    readonly before: ValuedRows | null
  },
): readonly ListedPool[] => {
  const held = model.numbersWith(address).flatMap((number) => {
    const pool = getByNumber(model.pools, number)
    return pool?.classification.kind === 'canonical' ? [pool] : []
  })
  return valuePools(held, inputs, before)
    .filter(isDeep)
    .sort((one, other) => (other.depthUsd ?? 0) - (one.depthUsd ?? 0))
    .slice(0, orderPoolsMax)
    .map(({ pool }) => pool)
}

type PoolCandles = { readonly pool: ListedPool; readonly rows: readonly Candle[] }

type Found = {
  readonly pools: readonly PoolCandles[]
  /** In the order of the request. */
  readonly buckets: readonly StockBucket[]
  readonly hasMore: boolean
}

const findBuckets = async (
  snapshot: StoreSnapshot,
  pools: readonly ListedPool[],
  { window, query }: { readonly window: CandleWindow; readonly query: StockCandleQuery },
): Promise<Found> => {
  const { range, grid } = window
  const { bucketSeconds, candleWidth } = grid
  const { order, limit } = query
  const perBucket = bucketSeconds / candleWidth
  const share = Math.floor(candleRowsMax / pools.length)
  const rowsMax = Math.max(2 * perBucket, Math.min((limit + 1) * perBucket, share))
  const isForward = order === 'asc'
  const found: PoolCandles[] = []
  // The bucket in which a pool's rows end may lack some of them.
  let horizon = isForward ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  for (const pool of pools) {
    const rows = await snapshot.tradedCandles({
      pool: pool.number,
      width: candleWidth,
      fromTs: range.fromTs,
      toTs: range.toTs + bucketSeconds - 1,
      order,
      rowsMax,
    })
    found.push({ pool, rows })
    const last = rows.length === rowsMax ? rows.at(-1) : undefined
    if (last === undefined) continue
    const ts = bucketStart(last.ts, bucketSeconds)
    horizon = isForward ? Math.min(horizon, ts) : Math.max(horizon, ts)
  }
  const all = sumBuckets(
    found.flatMap(({ rows }) => rows),
    bucketSeconds,
  )
  const buckets = all
    .filter(({ ts }) => (isForward ? ts < horizon : ts > horizon))
    .toSorted((one, other) => (isForward ? one.ts - other.ts : other.ts - one.ts))
  return { pools: found, buckets, hasMore: Number.isFinite(horizon) }
}

/** The swaps of all pools in these buckets, oldest first, except of those with too many. */
const readStockTrades = async (
  snapshot: StoreSnapshot,
  pools: readonly PoolCandles[],
  {
    buckets,
    bucketSeconds,
  }: { readonly buckets: readonly StockBucket[]; readonly bucketSeconds: number },
): Promise<readonly StockTrade[]> => {
  const trades: StockTrade[] = []
  for (const { pool, rows } of pools) {
    const { stockIsToken0 } = pool.classification
    const own = new Map(sumBuckets(rows, bucketSeconds).map((bucket) => [bucket.ts, bucket.swaps]))
    const counted = buckets.map(({ ts, swaps }) => ({
      ts,
      swaps: own.get(ts) ?? 0,
      isRead: swaps <= pageSwapsMax,
    }))
    const read = await readRuns({ buckets: counted, bucketSeconds }, (run) =>
      snapshot.trades({ pool: pool.number, ...run }),
    )
    for (const trade of read) {
      trades.push({ ...trade, stockRaw: stockRawOf(trade, stockIsToken0) })
    }
  }
  return trades
}

/** One page of the candles of a stock, from a bounded number of swaps in its pools. */
export const readStockCandles = async (
  snapshot: StoreSnapshot,
  { stock, pools }: { readonly stock: Stock; readonly pools: readonly ListedPool[] },
  { model, query }: { readonly model: ReadModel; readonly query: StockCandleQuery },
): Promise<Outcome<CandlePage, HistoryPruned>> => {
  const { header } = model
  const { cursor } = header
  if (cursor === null) return success({ items: [], next: null, asOfBlock: null, complete: false })
  const window = await findCandleWindow(snapshot, query, {
    pools,
    gaps: pools.flatMap((pool) => gapsOf(header, pool)),
    asOfTs: cursor.ts,
    needsRetained: true,
  })
  if (!window.ok) return window
  const { grid, range, openTs, complete } = window.value
  const asOfBlock = cursor.block
  if (pools.length === 0 || isEmptyRange(range)) {
    return success({ items: [], next: null, asOfBlock, complete })
  }
  const found = await findBuckets(snapshot, pools, { window: window.value, query })
  const sized = found.buckets.map((bucket) => {
    return { ...bucket, cost: bucket.swaps <= pageSwapsMax ? bucket.swaps : 0 }
  })
  const page = takePage(sized, { limit: query.limit, ...grid })
  const isForward = query.order === 'asc'
  const buckets = isForward ? page : page.toReversed()
  const { bucketSeconds } = grid
  const trades = await readStockTrades(snapshot, found.pools, { buckets, bucketSeconds })
  const { decimals } = stock
  const items = buildStockCandles(buckets, trades, { bucketSeconds, openTs, decimals })
  const end = found.hasMore || page.length < sized.length ? page.at(-1) : undefined
  return success({
    items: isForward ? items : items.toReversed(),
    next: end === undefined ? null : { ts: end.ts },
    asOfBlock,
    complete,
  })
}
