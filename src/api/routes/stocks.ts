import { failure, success } from '../../domain/outcome.ts'
import { problems } from '../http/problems.ts'
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
  description:
    'One page of tokenized stocks with quote, multiplier, best pool price, premium or ' +
    'drift and totals of their pools, the most liquid first.',
  tag: 'market',
  summary: 'Lists tokenized stocks with quotes, pool prices and premiums, with search and paging.',
  rateLimited: true,
  queryFields: {
    q: searchField('Part of the symbol or the name, or the start of the address.'),
    limit: limitField,
    offset: offsetField,
  },
  schema: StocksPageSchema,
  answer: async ({ market }, { query }) => success(await market.stocks(query)),
})

export const stockEndpoint = defineEndpoint({
  path: '/api/v1/stocks/:symbol',
  operationId: 'getStock',
  description:
    'One stock by ticker or token address, its reference and pool price over a range, ' +
    'and its pools by liquidity.',
  tag: 'market',
  summary: 'Returns one stock with its prices and premium over a range, and its pools.',
  rateLimited: true,
  pathFields: { symbol: stockKeyField },
  queryFields: { range: rangeField },
  schema: StockDetailSchema,
  notFound: 'stock_not_found',
  answer: async ({ market }, { path, query }) => {
    const stock = await market.stock(path.symbol, query.range)
    return stock === null ? failure(problems.stockNotFound) : success(stock)
  },
})
