import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import type { StockView } from '../../domain/views/stock.ts'
import type { Market, PoolsQuery } from '../../market/market.ts'
import { type Problem, problems } from '../http/problems.ts'
import { choiceField, integerField, searchField } from '../schemas/query-fields.ts'
import {
  intradayMultipliers,
  type UdfSymbol,
  udfExchange,
  udfResolutions,
  udfSymbolField,
} from './udf-fields.ts'
import { defineUdfRoute } from './udf-route.ts'

/** Digits of a price that a chart shows. */
const significantDigits = 6
const decimalsMin = 2
/** Ten to its power is an integer that JSON carries exactly. */
const decimalsMax = 15

/** Ten to the number of decimals that a price of this size needs. */
export const priceScaleOf = (price: number | null): number => {
  if (price === null || price <= 0) return 10 ** decimalsMin
  const decimals = significantDigits - 1 - Math.floor(Math.log10(price))
  return 10 ** Math.min(decimalsMax, Math.max(decimalsMin, decimals))
}

type SymbolInfo = {
  readonly name: string
  readonly ticker: string
  readonly description: string
  readonly type: 'stock' | 'pool'
}

const stockInfo = ({ symbol, name }: StockView): SymbolInfo => ({
  ...{ name: symbol, ticker: symbol, type: 'stock' },
  description: `${name}, all comparable pools, US dollars`,
})

/** Memes have no reference, so that their pools are charted in other tokens. */
export const pricedInUsd = ({ kind }: Pick<PoolView, 'kind'>): boolean => kind !== 'meme'

const poolInfo = (pool: PoolView): SymbolInfo => {
  const other = pool.otherSymbol ?? pool.otherAddress
  const fee = pool.feeDynamic ? 'dynamic fee' : `${pool.fee / 10_000} %`
  const unit = pricedInUsd(pool) ? 'US dollars' : other
  return {
    ...{ name: `${pool.stockSymbol}/${other}`, ticker: pool.id, type: 'pool' },
    description: `${pool.stockSymbol}/${other} ${pool.version} ${fee}, ${unit}`,
  }
}

type Resolved = { readonly info: SymbolInfo; readonly price: number | null }

const resolve = async (market: Market, symbol: UdfSymbol): Promise<Resolved | null> => {
  if ('pool' in symbol) {
    const detail = await market.pool(symbol.pool, '1h')
    if (detail === null) return null
    const { pool } = detail
    const price = pricedInUsd(pool) ? pool.stockPriceUsd : pool.stockPriceInOther
    return { info: poolInfo(pool), price }
  }
  const detail = await market.stock(symbol.stock, '1h')
  if (detail === null) return null
  const { stock } = detail
  return { info: stockInfo(stock), price: stock.poolPriceUsd ?? stock.tokenUsd }
}

export const unknownSymbol: Problem = { ...problems.notFound, detail: 'unknown_symbol' }

export const udfSymbolsRoute = defineUdfRoute({
  path: '/udf/symbols',
  summary: 'Describes a stock or a pool for charting libraries (UDF).',
  queryFields: { symbol: udfSymbolField },
  answer: async ({ market }, { symbol }): Promise<Outcome<unknown, Problem>> => {
    const found = await resolve(market, symbol)
    if (found === null) return failure(unknownSymbol)
    return success({
      ...found.info,
      ...{ exchange: udfExchange, listed_exchange: udfExchange },
      ...{ session: '24x7', timezone: 'Etc/UTC', format: 'price' },
      ...{ minmov: 1, pricescale: priceScaleOf(found.price), volume_precision: 2 },
      ...{ has_intraday: true, has_daily: true, has_weekly_and_monthly: false },
      ...{ intraday_multipliers: intradayMultipliers, supported_resolutions: udfResolutions },
      data_status: 'streaming',
    })
  },
})

const rowsMax = 50
const rowsDefault = 30

const poolsFor = (q: string | null, limit: number): PoolsQuery => ({
  ...{
    q,
    limit,
    offset: 0,
    symbol: null,
    kind: null,
    version: null,
    venue: null,
    active: null,
    hot: null,
  },
  ...{ comparable: null, minLiquidityUsd: null, minDepthUsd: null, sort: null, order: 'desc' },
})

export const udfSearchRoute = defineUdfRoute({
  path: '/udf/search',
  summary: 'Finds stocks and pools for charting libraries (UDF).',
  queryFields: {
    query: searchField('Part of a symbol or a name, or the start of an id or address.'),
    type: choiceField('Only stocks or only pools.', ['', 'stock', 'pool'], ''),
    exchange: choiceField('The exchange; there is one.', ['', udfExchange], ''),
    limit: integerField('Rows at most.', { min: 1, max: rowsMax }, rowsDefault),
  },
  answer: async ({ market }, { query, type, limit }) => {
    const stocks =
      type === 'pool' ? [] : (await market.stocks({ q: query, limit, offset: 0 })).items
    const left = limit - stocks.length
    const pools =
      type === 'stock' || left === 0 ? [] : (await market.pools(poolsFor(query, left))).items
    const found = [...stocks.map(stockInfo), ...pools.map(poolInfo)]
    return success(
      found.map(({ name, ticker, description, type: kind }) => ({
        ...{ symbol: name, full_name: `${udfExchange}:${ticker}`, description },
        ...{ exchange: udfExchange, ticker, type: kind },
      })),
    )
  },
})
