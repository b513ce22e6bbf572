import { failure, success } from '../../domain/outcome.ts'
import {
  limitField,
  offsetField,
  rangeField,
  searchField,
  stockKeyField,
} from '../schemas/query-fields.ts'
import { StockDetailSchema, StocksPageSchema } from '../schemas/stock.ts'
import { defineEndpoint } from './route.ts'

export const stocksEndpoint = defineEndpoint({
  path: '/api/v1/stocks',
  operationId: 'listStocks',
  tag: 'market',
  summary: 'Tokenized stocks with their quotes, pool prices and premiums; searched and in pages.',
  rateLimited: true,
  queryFields: {
    q: searchField('Part of the symbol or the name, or the begin of the address.'),
    limit: limitField,
    offset: offsetField,
  },
  schema: StocksPageSchema,
  answer: async ({ market }, { query }) => success(await market.stocks(query)),
})

export const stockEndpoint = defineEndpoint({
  path: '/api/v1/stocks/:symbol',
  operationId: 'getStock',
  tag: 'market',
  summary: 'One stock, its prices and premium over a range, and its pools.',
  rateLimited: true,
  pathFields: { symbol: stockKeyField },
  queryFields: { range: rangeField },
  schema: StockDetailSchema,
  notFound: 'stock_not_found',
  answer: async ({ market }, { path, query }) => {
    const stock = await market.stock(path.symbol, query.range)
    if (stock !== null) return success(stock)
    const detail = 'no stock has this ticker or address'
    return failure({ code: 'stock_not_found', detail, param: 'symbol' })
  },
})
