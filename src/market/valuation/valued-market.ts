import type { PoolNumber } from '../../domain/pool/pool-state.ts'
import type { Stock } from '../../domain/stock/stock.ts'
import type { Address } from '../../domain/units.ts'
import { toMultiplier } from '../../domain/valuation/stock-inputs.ts'
import { createPoolColumns, type StockTotals } from '../../domain/valuation/stock-totals.ts'
import { toPoolView } from '../../domain/valuation/value-pool.ts'
import { toStockView } from '../../domain/valuation/value-stock.ts'
import { wrapQuotes } from '../../domain/valuation/wrap-quotes.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { HealthView } from '../../domain/views/service.ts'
import type { StockView } from '../../domain/views/stock.ts'
import { once } from '../../util/cache.ts'
import { type Chunk, changedNumbers, getByNumber, memoizePerChunk } from '../model/chunked-table.ts'
import { type EmptyPools, emptyCountsOf } from '../model/empty-pools.ts'
import type { ReadModel } from '../model/read-model.ts'
import { type MarketInputs, toPoolInputs } from './market-inputs.ts'
import type { PoolRow, PoolRows } from './pool-rows.ts'

/** A model whose pools are all valued at one time: answers the lists. */
export type ValuedMarket = {
  readonly model: ReadModel
  readonly inputs: MarketInputs
  readonly rows: PoolRows
  readonly viewOf: (row: PoolRow) => PoolView
  /** All stocks that are not disproven, by liquidity, unknown last, then by symbol. */
  readonly stocks: () => readonly StockView[]
  readonly poolCounts: () => HealthView['pools']
}

/** Empty pools are in the counts of a stock and add nothing to its sums. */
const addEmptyPools = (
  held: StockTotals['counts'],
  stock: Address,
  empties: EmptyPools,
): StockTotals['counts'] => {
  const counts = { ...held }
  for (const { kind, count } of emptyCountsOf(empties, stock)) {
    counts.total += count
    counts[kind === 'stock-stock' ? 'stockStock' : kind] += count
  }
  return counts
}

export const buildStockView = (
  stock: Stock,
  pools: StockTotals,
  { model, inputs }: { readonly model: ReadModel; readonly inputs: MarketInputs },
): StockView => {
  const stockInputs = inputs.stocks.get(stock.address)
  if (stockInputs === undefined) throw new Error(`stock ${stock.address} has no inputs`)
  const { now } = inputs.context
  const { wraps } = inputs.context.standardOf(stock.address)
  const shown = {
    quotes: model.quotes.get(wraps?.asset ?? stock.address) ?? [],
    multiplier: toMultiplier(stock, now),
  }
  const asset = wraps === null ? undefined : model.stocks.get(wraps.asset)
  const { quotes, multiplier } =
    wraps === null
      ? shown
      : wrapQuotes(shown, asset === undefined ? null : toMultiplier(asset, now))
  const counts = addEmptyPools(pools.counts, stock.address, model.empties)
  const totals = { ...pools, counts }
  return toStockView({ stock, inputs: stockInputs, multiplier, quotes, pools: totals, now })
}

/** The API does not show disproven stocks. */
export const isShownStock = (stock: Stock): boolean => stock.verdict !== 'disproven'

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const compareStocks = (a: StockView, b: StockView): number =>
  (b.liquidityUsd ?? -1) - (a.liquidityUsd ?? -1) ||
  compareTexts(a.symbol, b.symbol) ||
  compareTexts(a.address, b.address)

export const noCounts: HealthView['pools'] = {
  total: 0,
  active: 0,
  hot: 0,
  v3: 0,
  v4: 0,
  meme: 0,
  canonical: 0,
}

const countsIn = memoizePerChunk((rows: Chunk<PoolRow>): HealthView['pools'] => {
  const counts = { ...noCounts }
  for (const row of rows) {
    if (row === undefined) continue
    counts.total += 1
    counts[row.pool.parameters.version] += 1
    if (row.active) counts.active += 1
    if (row.hot) counts.hot += 1
    const { kind } = row.pool.classification
    if (kind !== 'stock-stock') counts[kind] += 1
  }
  return counts
})

const countNames = ['total', 'active', 'hot', 'v3', 'v4', 'meme', 'canonical'] as const

const countsOf = (rows: PoolRows, empties: EmptyPools): HealthView['pools'] => {
  const counts = { ...noCounts }
  for (const chunk of rows) {
    const own = countsIn(chunk)
    for (const name of countNames) counts[name] += own[name]
  }
  for (const [number, count] of empties.counts) {
    const group = empties.groupOf(number)
    if (group === undefined) continue
    counts.total += count
    counts[group.version] += count
    if (group.kind !== 'stock-stock') counts[group.kind] += count
  }
  return counts
}

type IndexedRows = { readonly model: Pick<ReadModel, 'numbersWith'>; readonly rows: PoolRows }

/** The returned function is valid until the cache is called with the next rows. */
type StockTotalsCache = (at: IndexedRows) => (stock: Address) => StockTotals

/** Caches the totals of each stock's pools until one of them changes. */
export const createStockTotalsCache = (): StockTotalsCache => {
  const totals = new Map<Address, StockTotals>()
  let current: PoolRows = []
  const columns = createPoolColumns((number) => getByNumber(current, number))

  const forgetTotals = (row: PoolRow | undefined): void => {
    if (row === undefined) return
    totals.delete(row.pool.token0.address)
    totals.delete(row.pool.token1.address)
  }

  const update = (number: PoolNumber, rows: PoolRows): void => {
    const row = getByNumber(rows, number)
    forgetTotals(getByNumber(current, number))
    forgetTotals(row)
    columns.set(number, row)
  }

  return ({ model, rows }) => {
    for (const number of changedNumbers(current, rows)) update(number, rows)
    current = rows
    return (stock) => {
      const total = totals.get(stock) ?? columns.sum(model.numbersWith(stock))
      totals.set(stock, total)
      return total
    }
  }
}

export const createValuedMarket = (
  { model, inputs, rows }: Pick<ValuedMarket, 'model' | 'inputs' | 'rows'>,
  totalsCache: StockTotalsCache,
): ValuedMarket => {
  const views = new Map<PoolRow, PoolView>()
  return {
    model,
    inputs,
    rows,
    viewOf: (row) => {
      const cached = views.get(row)
      if (cached !== undefined) return cached
      const view = toPoolView(toPoolInputs(row.pool, row.shared), inputs.context)
      views.set(row, view)
      return view
    },
    stocks: once(() => {
      const totalsOf = totalsCache({ model, rows })
      return [...model.stocks.values()]
        .filter(isShownStock)
        .map((stock) => buildStockView(stock, totalsOf(stock.address), { model, inputs }))
        .sort(compareStocks)
    }),
    poolCounts: once(() => countsOf(rows, model.empties)),
  }
}
