import { planSeries, type RangeName, type SeriesPlan } from '../../domain/series/series-range.ts'
import { stockSeriesOf } from '../../domain/series/stock-series.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import { sumStockPools } from '../../domain/valuation/stock-totals.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { StockDetailView, StockView } from '../../domain/views/stock.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { StockKey } from '../market.ts'
import { getByNumber } from '../model/chunked-table.ts'
import type { ReadModel } from '../model/model.ts'
import { type MarketInputs, toPoolInputs } from '../valuation/market-inputs.ts'
import { type PoolRow, type ValuedRows, valuePools } from '../valuation/pool-rows.ts'
import { buildStockView, isShownStock } from '../valuation/valued-market.ts'
import { readPoolSeries, readReferences } from './pool-detail.ts'

/** Pools in a stock's detail (docs/api.md). */
const poolsMax = 50

/** The stock of an address, or of a ticker in any case: a verified one before others. */
export const findStock = (model: ReadModel, key: StockKey): Stock | null => {
  const shown = [...model.stocks.values()].filter(isShownStock)
  if ('address' in key) return shown.find((stock) => stock.address === key.address) ?? null
  const ticker = key.symbol.toUpperCase()
  const named = shown.filter((stock) => stock.symbol.toUpperCase() === ticker)
  return named.find((stock) => stock.verdict === 'verified') ?? named[0] ?? null
}

const compareLiquidity = (a: PoolRow, b: PoolRow): number =>
  (b.liquidityUsd ?? -1) - (a.liquidityUsd ?? -1) || (a.pool.id < b.pool.id ? -1 : 1)

type Context = {
  readonly snapshot: StoreSnapshot
  readonly model: ReadModel
  readonly inputs: MarketInputs
  /** Rows of an earlier moment; those that still hold are taken over. */
  readonly before: ValuedRows | null
}

/** Since when anything is known of the stock: its first reference or its first pool. */
const firstTs = async (
  stock: Stock,
  rows: readonly PoolRow[],
  { snapshot, inputs }: Context,
): Promise<UnixSeconds> => {
  const toTs = inputs.context.asOf.ts
  const { address } = stock
  const days = await snapshot.references({ address, width: secondsPerDay, fromTs: 0, toTs })
  const created = rows.map((row) => row.pool.createdTs)
  return [days.rows[0]?.ts ?? toTs, ...created].reduce((a, b) => Math.min(a, b), toTs)
}

type Best = { readonly row: PoolRow; readonly record: PoolView }

const bestOf = (record: StockView, rows: readonly PoolRow[], { inputs }: Context): Best | null => {
  const row = rows.find(({ pool }) => pool.id === record.bestPoolId)
  if (row === undefined) return null
  return { row, record: toPoolView(toPoolInputs(row.pool, row.shared), inputs.context) }
}

const readSeries = async (
  stock: Stock,
  present: { readonly record: StockView; readonly best: Best | null; readonly plan: SeriesPlan },
  { snapshot, inputs }: Context,
): Promise<StockDetailView['series']> => {
  const { record, best, plan } = present
  const { poolPriceUsd, premiumBps } = record
  const poolSeries =
    best === null
      ? null
      : await readPoolSeries(snapshot, best.row.pool, { plan, record: best.record })
  const referenceUsd = inputs.stocks.get(stock.address)?.reading.reference?.usd ?? null
  return stockSeriesOf({
    plan,
    references: await readReferences(snapshot, stock.address, plan),
    poolPricesUsd: poolSeries?.map((row) => row.stockPriceUsd) ?? null,
    policy: inputs.context.policy,
    present: { referenceUsd, poolPriceUsd, premiumBps },
  })
}

/** A stock's record, series and deepest pools, all of one snapshot (docs/api.md). */
export const readStockDetail = async (
  stock: Stock,
  range: RangeName,
  context: Context,
): Promise<StockDetailView> => {
  const { model, inputs } = context
  const numbers = model.numbersWith(stock.address)
  const listed = numbers.flatMap((number) => getByNumber(model.pools, number) ?? [])
  const rows = valuePools(listed, inputs, context.before)
  const record = buildStockView(stock, sumStockPools(rows), context)
  // Before the first block is indexed there is no time that a series could end at.
  if (model.header.cursor === null) return { stock: record, series: [], pools: [] }
  const createdTs = await firstTs(stock, rows, context)
  const plan = planSeries(range, { createdTs, now: inputs.context.asOf.ts })
  const best = bestOf(record, rows, context)
  const series = await readSeries(stock, { record, best, plan }, context)
  const deepest = [...rows].sort(compareLiquidity).slice(0, poolsMax)
  const pools = deepest.map((row) => toPoolView(toPoolInputs(row.pool, row.shared), inputs.context))
  return { stock: record, series, pools }
}
