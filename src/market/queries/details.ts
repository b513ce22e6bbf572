import { isUnreviewedHook, type ReviewedHooks } from '../../domain/dex/uniswap-v4/hook-flags.ts'
import { lostMinutesUntil, toStoredRows } from '../../domain/series/kept-rows.ts'
import {
  planSeries,
  type RangeName,
  type SeriesPlan,
  withHoursUntil,
} from '../../domain/series/series-range.ts'
import { buildStockSeries } from '../../domain/series/stock-series.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { secondsPerDay } from '../../domain/time.ts'
import { nativeAddress, type PoolId, type UnixSeconds } from '../../domain/units.ts'
import { compareWithScreener } from '../../domain/valuation/screener-check.ts'
import { sumStockPools } from '../../domain/valuation/stock-totals.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import { toSwapView } from '../../domain/valuation/value-swap.ts'
import type { PoolDetailView, PoolView } from '../../domain/views/pool.ts'
import type { StockDetailView, StockView } from '../../domain/views/stock.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import { getByNumber } from '../model/chunked-table.ts'
import { findGroups, numbersInGroups } from '../model/empty-pools.ts'
import { type ListedPool, toSwapViewPool } from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import type { StockKey } from '../stock-key.ts'
import { type MarketInputs, sharedInputsOf, toPoolInputs } from '../valuation/market-inputs.ts'
import { type PoolRow, type ValuedRows, valuePools } from '../valuation/pool-rows.ts'
import { buildStockView, isShownStock } from '../valuation/valued-market.ts'
import { listByNumber } from './list-empty-pools.ts'
import { planForPool, readReferences, readStoredPoolSeries, toPoolSeries } from './series.ts'

/** Limits of the public details (docs/api.md). */
export const swapsMax = 100
const poolsMax = 50

export const viewOfPool = (pool: ListedPool, inputs: MarketInputs): PoolView =>
  toPoolView(toPoolInputs(pool, sharedInputsOf(pool, inputs)), inputs.context)

/** The pool from memory, or from the store if it is empty; null if it is not listed. */
export const findPool = async (
  snapshot: StoreSnapshot,
  model: ReadModel,
  id: PoolId,
): Promise<ListedPool | null> => {
  const held = getByNumber(model.pools, model.numberOf(id) ?? -1)
  if (held !== undefined) return held
  const [stored] = await snapshot.poolsById({ from: id, to: id })
  if (stored === undefined) return null
  const tokens = await snapshot.tokensOfPools({ from: stored.number, to: stored.number })
  return model.listStored(stored, tokens)
}

/** Reads a pool's record, series and swaps from one snapshot (docs/api.md). */
export const readPoolDetail = async (
  snapshot: StoreSnapshot,
  pool: ListedPool,
  { inputs, range }: { readonly inputs: MarketInputs; readonly range: RangeName },
): Promise<PoolDetailView> => {
  const { context } = inputs
  const record = viewOfPool(pool, inputs)
  const { number, createdTs } = pool
  const plan = planSeries(range, { createdTs, now: context.asOf.ts })
  const stored = await readStoredPoolSeries(snapshot, pool, plan)
  const series = toPoolSeries(stored, { plan: planForPool(plan, stored), record })
  const swaps = await snapshot.swaps({ pool: number, fromTs: plan.fromTs, rowsMax: swapsMax })
  const swapPool = toSwapViewPool(pool)
  return {
    pool: record,
    series,
    swaps: swaps.map((swap) => toSwapView(swap, swapPool)),
    screener: compareWithScreener(pool.external.screened, record, context),
    hookReview: reviewHook(record, context.reviewedHooks),
    past: null,
  }
}

export const reviewHook = (
  pool: Pick<PoolView, 'hooks' | 'fee' | 'parameters'>,
  reviewedHooks: ReviewedHooks,
): PoolDetailView['hookReview'] => {
  if (pool.hooks === null || pool.hooks === nativeAddress) return null
  const note = reviewedHooks.get(pool.hooks)
  if (note !== undefined) return { verdict: 'reviewed', note }
  const verdict = isUnreviewedHook(pool, reviewedHooks) ? 'unreviewed' : 'harmless'
  return { verdict, note: null }
}

/** Finds a stock by address, or by ticker in any case; prefers a verified stock of that ticker. */
export const findStock = (model: ReadModel, key: StockKey): Stock | null => {
  const shown = [...model.stocks.values()].filter(isShownStock)
  if ('address' in key) return shown.find((stock) => stock.address === key.address) ?? null
  const ticker = key.symbol.toUpperCase()
  const named = shown.filter((stock) => stock.symbol.toUpperCase() === ticker)
  return named.find((stock) => stock.verdict === 'verified') ?? named[0] ?? null
}

const compareLiquidity = (a: PoolRow, b: PoolRow): number =>
  (b.liquidityUsd ?? -1) - (a.liquidityUsd ?? -1) || (a.pool.id < b.pool.id ? -1 : 1)

type StockContext = {
  readonly snapshot: StoreSnapshot
  readonly model: ReadModel
  readonly inputs: MarketInputs
  /** Rows of an earlier valuation; those still valid are reused. */
  readonly before: ValuedRows | null
}

/** Time of the stock's first reference price or first pool. */
const findFirstTs = async (
  stock: Stock,
  rows: readonly PoolRow[],
  { snapshot, inputs }: StockContext,
): Promise<UnixSeconds> => {
  const toTs = inputs.context.asOf.ts
  const { address } = stock
  const days = await snapshot.references({ address, width: secondsPerDay, fromTs: 0, toTs })
  const created = rows.map((row) => row.pool.createdTs)
  return [days.rows[0]?.ts ?? toTs, ...created].reduce((a, b) => Math.min(a, b), toTs)
}

/** The oldest empty pools of a stock. */
const listEmptyPools = (
  { address }: Stock,
  { snapshot, model }: StockContext,
  limit: number,
): Promise<readonly ListedPool[]> => {
  const groups = findGroups(model.empties, ({ stocks }) => stocks.includes(address))
  const numbers = numbersInGroups(model.empties, groups, { offset: 0, limit })
  return listByNumber(snapshot, model, numbers)
}

type BestPool = { readonly row: PoolRow; readonly record: PoolView }

const readStockSeries = async (
  stock: Stock,
  parts: {
    readonly record: StockView
    readonly best: BestPool | null
    readonly plan: SeriesPlan
  },
  { snapshot, inputs }: StockContext,
): Promise<StockDetailView['series']> => {
  const { record, best } = parts
  const { poolPriceUsd, premiumBps } = record
  const stored =
    best === null ? null : await readStoredPoolSeries(snapshot, best.row.pool, parts.plan)
  const kept = await readReferences(snapshot, stock.address, parts.plan)
  const ofPool = stored === null ? parts.plan : planForPool(parts.plan, stored)
  const plan = withHoursUntil(ofPool, lostMinutesUntil(kept))
  const poolSeries =
    stored === null || best === null ? null : toPoolSeries(stored, { plan, record: best.record })
  const referenceUsd = inputs.stocks.get(stock.address)?.reading.reference?.usd ?? null
  return buildStockSeries({
    plan,
    references: toStoredRows(kept, plan, []),
    poolPricesUsd: poolSeries?.map((row) => row.stockPriceUsd) ?? null,
    policy: inputs.context.policy,
    present: { referenceUsd, poolPriceUsd, premiumBps },
  })
}

/** Reads a stock's record, series and deepest pools from one snapshot (docs/api.md). */
export const readStockDetail = async (
  stock: Stock,
  range: RangeName,
  context: StockContext,
): Promise<StockDetailView> => {
  const { model, inputs } = context
  const viewOf = (row: PoolRow) => toPoolView(toPoolInputs(row.pool, row.shared), inputs.context)
  const numbers = model.numbersWith(stock.address)
  const held = numbers.flatMap((number) => getByNumber(model.pools, number) ?? [])
  const empty = await listEmptyPools(stock, context, Math.max(0, poolsMax - held.length))
  const listed = [...held, ...empty]
  const rows = valuePools(listed, inputs, context.before)
  const totals = sumStockPools(rows.slice(0, held.length))
  const record = buildStockView(stock, totals, context)
  // Without an indexed block there is no time at which the series could end.
  if (model.header.cursor === null) return { stock: record, series: [], pools: [] }
  const createdTs = await findFirstTs(stock, rows, context)
  const plan = planSeries(range, { createdTs, now: inputs.context.asOf.ts })
  const bestRow = rows.find(({ pool }) => pool.id === record.bestPoolId)
  const best = bestRow === undefined ? null : { row: bestRow, record: viewOf(bestRow) }
  const series = await readStockSeries(stock, { record, best, plan }, context)
  const pools = [...rows].sort(compareLiquidity).slice(0, poolsMax).map(viewOf)
  return { stock: record, series, pools }
}
