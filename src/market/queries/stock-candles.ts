import { isEmptyRange } from '../../domain/history/candle-range.ts'
import {
  buildStockCandles,
  type StockBucket,
  sumBuckets,
} from '../../domain/history/stock-candles.ts'
import { stockBucketSwapsMax, takePage } from '../../domain/history/take-page.ts'
import type { Trade } from '../../domain/history/trades.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
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

/** With a few swaps a second a page has no more. */
const fewBuckets = 20
/** Stored candles of all pools that one request reads. */
const candleRowsMax = 20_000

const isWhole = ({ swaps }: StockBucket): boolean => swaps <= stockBucketSwapsMax

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

/** A page, or the beginning of one. */
type Found = {
  /** In the order of the request. */
  readonly buckets: readonly StockBucket[]
  readonly hasMore: boolean
  /** Whether the page ends before what was read. */
  readonly isCut: boolean
}

type Asked = {
  readonly pools: readonly ListedPool[]
  readonly window: CandleWindow
  readonly query: StockCandleQuery
}

const findBuckets = async (
  snapshot: StoreSnapshot,
  { pools, window, query }: Asked,
  /** Of each pool. */
  rowsMax: number,
): Promise<Found> => {
  const { range, grid } = window
  const { bucketSeconds, candleWidth } = grid
  const { order } = query
  const isForward = order === 'asc'
  const rows = await snapshot.tradedSums({
    pools: pools.map(({ number }) => number),
    width: candleWidth,
    fromTs: range.fromTs,
    toTs: range.toTs + bucketSeconds - 1,
    order,
    rowsMax,
  })
  // The bucket in which a pool's rows end may lack some of them.
  let horizon = isForward ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  for (const own of Map.groupBy(rows, ({ pool }) => pool).values()) {
    const last = own.length === rowsMax ? own.at(-1) : undefined
    if (last === undefined) continue
    const ts = bucketStart(last.ts, bucketSeconds)
    horizon = isForward ? Math.min(horizon, ts) : Math.max(horizon, ts)
  }
  const buckets = sumBuckets(rows, bucketSeconds)
    .filter(({ ts }) => (isForward ? ts < horizon : ts > horizon))
    .toSorted((one, other) => (isForward ? one.ts - other.ts : other.ts - one.ts))
  const sized = buckets.map((bucket) => {
    return { ...bucket, cost: isWhole(bucket) ? bucket.swaps : 0 }
  })
  const page = takePage(sized, { limit: query.limit, ...grid })
  const isCut = page.length < sized.length
  return { buckets: page, isCut, hasMore: isCut || Number.isFinite(horizon) }
}

/** A few buckets first: in busy pools they are a page. */
const findPage = async (snapshot: StoreSnapshot, asked: Asked): Promise<Found> => {
  const { pools, query } = asked
  const { grid } = asked.window
  const perBucket = grid.bucketSeconds / grid.candleWidth
  const share = Math.floor(candleRowsMax / pools.length)
  const rowsMax = Math.max(2 * perBucket, Math.min((query.limit + 1) * perBucket, share))
  const fewRows = Math.min(fewBuckets * perBucket, rowsMax)
  const few = await findBuckets(snapshot, asked, fewRows)
  const isWholePage = few.isCut || !few.hasMore || fewRows === rowsMax
  return isWholePage ? few : findBuckets(snapshot, asked, rowsMax)
}

/** The swaps of all pools in these buckets, oldest first, except of those with too many. */
const readStockTrades = (
  snapshot: StoreSnapshot,
  pools: readonly ListedPool[],
  {
    buckets,
    bucketSeconds,
  }: { readonly buckets: readonly StockBucket[]; readonly bucketSeconds: number },
): Promise<readonly Trade[]> => {
  const sides = Map.groupBy(pools, ({ classification }) => classification.stockIsToken0)
  const counted = buckets.map((bucket) => ({ ...bucket, isRead: isWhole(bucket) }))
  return readRuns({ buckets: counted, bucketSeconds }, async ({ fromTs, toTs }) => {
    const trades: (readonly Trade[])[] = []
    for (const [stockIsToken0, own] of sides) {
      const token = stockIsToken0 ? 0 : 1
      const numbers = own.map(({ number }) => number)
      trades.push(await snapshot.trades({ pools: numbers, token, fromTs, toTs }))
    }
    return trades.flat()
  })
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
  const page = await findPage(snapshot, { pools, window: window.value, query })
  const isForward = query.order === 'asc'
  const buckets = isForward ? page.buckets : page.buckets.toReversed()
  const { bucketSeconds } = grid
  const trades = await readStockTrades(snapshot, pools, { buckets, bucketSeconds })
  const { decimals } = stock
  const items = buildStockCandles(buckets, trades, { bucketSeconds, openTs, decimals })
  const end = page.hasMore ? page.buckets.at(-1) : undefined
  return success({
    items: isForward ? items : items.toReversed(),
    next: end === undefined ? null : { ts: end.ts },
    asOfBlock,
    complete,
  })
}
