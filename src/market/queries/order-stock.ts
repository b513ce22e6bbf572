import { success } from '../../domain/outcome.ts'
import { isWithin } from '../../domain/status/freshness.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { holdsRebasing } from '../../domain/stock/stock-standard.ts'
import { quoteStock } from '../../domain/swap/quote-stock.ts'
import type { QuotedPool } from '../../domain/swap/quoted-pool.ts'
import { depthOfStock } from '../../domain/swap/stock-depth.ts'
import {
  excludedPoolsMax,
  findExclusion,
  orderPoolsMax,
  type StockPools,
} from '../../domain/swap/stock-pools.ts'
import type { PoolId } from '../../domain/units.ts'
import { sumStockPools } from '../../domain/valuation/stock-totals.ts'
import type { ExcludedPool } from '../../domain/views/stock-order.ts'
import type { AnswerOrigin } from '../../domain/views/swap-quote.ts'
import type { Clock } from '../../ports/runtime.ts'
import type { Market } from '../market.ts'
import { getByNumber } from '../model/chunked-table.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { StockKey } from '../stock-key.ts'
import type { StoreSync } from '../sync/store-sync.ts'
import { type MarketInputs, toPoolInputs } from '../valuation/market-inputs.ts'
import { type PoolRow, valuePools } from '../valuation/pool-rows.ts'
import { buildStockView } from '../valuation/valued-market.ts'
import type { Valuer } from '../valuation/valuer.ts'
import { findStock } from './details.ts'
import type { TickMapCache } from './tick-map-cache.ts'

type SortedPools = {
  readonly rows: readonly PoolRow[]
  readonly excluded: readonly ExcludedPool[]
}

/** A stock at one block, without the tick maps of its pools. */
type StockAtBlock = SortedPools & {
  readonly bestPoolId: PoolId | null
  readonly origin: AnswerOrigin
}

type ReadPools = { readonly pools: StockPools; readonly origin: AnswerOrigin }

const compareDepth = (a: PoolRow, b: PoolRow): number =>
  (b.depthUsd ?? -1) - (a.depthUsd ?? -1) || (a.pool.id < b.pool.id ? -1 : 1)

/** The pools that take part, as far as it is known without tick maps, and those that do not. */
const sortPools = (rows: readonly PoolRow[], { context }: MarketInputs): SortedPools => {
  const { asOf, now, policy, reviewedHooks, standardOf } = context
  const isStateFresh = isWithin(asOf.ts, { now, maxSeconds: policy.poolMaxAgeSeconds })
  const usable: PoolRow[] = []
  const excluded: ExcludedPool[] = []
  // Those that hold nothing say nothing.
  for (const row of rows.filter(({ liquidityUsd }) => liquidityUsd !== 0).sort(compareDepth)) {
    const isFull = usable.length === orderPoolsMax
    if (isFull && excluded.length === excludedPoolsMax) break
    const inputs = toPoolInputs(row.pool, row.shared)
    if (inputs.pool.price === null) continue
    const isRebasing = holdsRebasing(inputs.pool.key, standardOf)
    const reason = findExclusion(inputs, { isStateFresh, isRebasing, reviewedHooks })
    if (reason === null && !isFull) usable.push(row)
    else if (excluded.length < excludedPoolsMax) {
      excluded.push({ poolId: row.pool.id, reason: reason ?? 'pool_limit' })
    }
  }
  return { rows: usable, excluded }
}

const toQuotedPool = ({ pool, shared, stockPriceUsd }: PoolRow, tickMap: QuotedPool['tickMap']) => {
  const otherPriceUsd = shared.other?.reference?.usd ?? null
  const inputs = toPoolInputs(pool, shared)
  // `findExclusion` has left out the others.
  return { ...inputs, tickMap, isRebasing: false, prices: { stockPriceUsd, otherPriceUsd } }
}

/** Quotes orders in all pools of a stock. Reads the store after changes of its pools. */
export const createStockOrders = (deps: {
  readonly sync: StoreSync
  readonly valuer: Pick<Valuer, 'inputsAt' | 'latest'>
  readonly clock: Clock
  readonly tickMaps: TickMapCache
}): Pick<Market, 'stockQuote' | 'stockDepth'> => {
  const { sync, valuer, clock, tickMaps } = deps

  const stockAt = (stock: Stock, model: ReadModel): StockAtBlock => {
    const inputs = valuer.inputsAt(model, clock.now())
    const held = model.numbersWith(stock.address).flatMap((number) => {
      const pool = getByNumber(model.pools, number)
      return pool?.classification.kind === 'canonical' ? [pool] : []
    })
    const rows = valuePools(held, inputs, valuer.latest())
    // Only canonical pools decide on a stock's status and best pool.
    const record = buildStockView(stock, sumStockPools(rows), { model, inputs })
    const { dataStatus, statusReasons, bestPoolId } = record
    const { cursor } = model.header
    const state = { asOfBlock: cursor?.block ?? null, stateTs: cursor?.ts ?? null }
    return {
      ...sortPools(rows, inputs),
      bestPoolId,
      origin: { ...state, dataStatus, statusReasons },
    }
  }

  const toReadPools = (
    { rows, origin, ...rest }: StockAtBlock,
    tickMaps: readonly QuotedPool['tickMap'][],
  ): ReadPools => {
    const pools = rows.map((row, index) => toQuotedPool(row, tickMaps[index] ?? null))
    return { pools: { ...rest, pools }, origin }
  }

  /** Without a read of the store; undefined if it takes one, null if there is no such stock. */
  const findCached = (key: StockKey): ReadPools | null | undefined => {
    const model = sync.model()
    if (model === null) return undefined
    const stock = findStock(model, key)
    if (stock === null) return null
    const at = stockAt(stock, model)
    const found = at.rows.flatMap(({ pool }) => tickMaps.find(pool) ?? [])
    if (found.length < at.rows.length) return undefined
    return toReadPools(
      at,
      found.map(({ tickMap }) => tickMap),
    )
  }

  const read = (key: StockKey): Promise<ReadPools | null> =>
    sync.read(async (snapshot, model) => {
      const stock = findStock(model, key)
      if (stock === null) return null
      const at = stockAt(stock, model)
      const found: QuotedPool['tickMap'][] = []
      for (const { pool } of at.rows) found.push((await tickMaps.read(snapshot, pool)).tickMap)
      return toReadPools(at, found)
    })

  const find = async (key: StockKey): Promise<ReadPools | null> => {
    const cached = findCached(key)
    return cached === undefined ? read(key) : cached
  }

  return {
    stockQuote: async (key, order) => {
      const found = await find(key)
      if (found === null) return null
      const result = quoteStock(found.pools, order)
      return result.ok ? success({ ...result.value, ...found.origin }) : result
    },
    stockDepth: async (key) => {
      const found = await find(key)
      return found && { ...depthOfStock(found.pools), ...found.origin }
    },
  }
}
