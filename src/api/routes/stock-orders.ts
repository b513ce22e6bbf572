import { failure, success } from '../../domain/outcome.ts'
import { problems } from '../http/problems.ts'
import {
  checkAmounts,
  orderProblem,
  sideField,
  stockAmountFields,
  toStockOrderAmount,
} from '../schemas/order-fields.ts'
import { stockKeyField } from '../schemas/query-fields.ts'
import { StockDepthSchema, StockQuoteSchema } from '../schemas/stock-order.ts'
import { defineEndpoint } from './route.ts'

export const stockQuoteEndpoint = defineEndpoint({
  path: '/api/v1/stocks/:symbol/quote',
  operationId: 'quoteStock',
  tag: 'market',
  summary: 'Returns the best split of an order over the pools of a stock, to the smallest unit.',
  rateLimited: true,
  pathFields: { symbol: stockKeyField },
  queryFields: { side: sideField, ...stockAmountFields },
  exampleQuery: 'side=buy&usd=10000',
  schema: StockQuoteSchema,
  notFound: 'stock_not_found',
  check: checkAmounts,
  answer: async ({ market }, { path, query }) => {
    const order = { side: query.side, amount: toStockOrderAmount(query) }
    const result = await market.stockQuote(path.symbol, order)
    if (result === null) return failure(problems.stockNotFound)
    return result.ok ? success(result.value) : failure(orderProblem(query, result.fault))
  },
})

export const stockDepthEndpoint = defineEndpoint({
  path: '/api/v1/stocks/:symbol/depth',
  operationId: 'getStockDepth',
  tag: 'market',
  summary: 'Returns how much trades until all pools of a stock stand at prices around the present.',
  rateLimited: true,
  pathFields: { symbol: stockKeyField },
  schema: StockDepthSchema,
  notFound: 'stock_not_found',
  answer: async ({ market }, { path }) => {
    const depth = await market.stockDepth(path.symbol)
    return depth === null ? failure(problems.stockNotFound) : success(depth)
  },
})
