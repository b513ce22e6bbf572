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
  description:
    'Divides an order among the pools of a stock so that it costs least, and says what ' +
    'the split saves against the best single pool. Pools that take no part are named ' +
    'with the reason.',
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
  description:
    'What is bought or sold until every pool of a stock stands 1, 2 and 5 % from the ' +
    'present price, and how much of that is in the deepest pool.',
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
