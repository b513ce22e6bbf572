import { failure, success } from '../../domain/outcome.ts'
import { rangeField, stockKeyField } from '../schemas/query-fields.ts'
import { StockDetailSchema } from '../schemas/stock.ts'
import { defineEndpoint } from './endpoint.ts'

export const stockEndpoint = defineEndpoint({
  path: '/api/v1/stocks/:symbol',
  operationId: 'getStock',
  tag: 'market',
  summary: 'One stock, its prices and premium over a range, and its pools.',
  pathFields: { symbol: stockKeyField },
  queryFields: { range: rangeField },
  schema: StockDetailSchema,
  cache: 'data',
  rateLimited: true,
  notFound: 'stock_not_found',
  needsSnapshot: true,
  answer: async ({ market }, { path, query }) => {
    const stock = await market.stock(path.symbol, query.range)
    if (stock !== null) return success(stock)
    const detail = 'no stock has this ticker or address'
    return failure({ code: 'stock_not_found', detail, param: 'symbol' })
  },
})
