import { failure, success } from '../../domain/outcome.ts'
import { problems } from '../http/problems.ts'
import {
  amountFields,
  checkAmounts,
  orderProblem,
  sideField,
  toOrderAmount,
} from '../schemas/order-fields.ts'
import { PoolDepthSchema, segmentsField } from '../schemas/pool-depth.ts'
import { poolIdField } from '../schemas/query-fields.ts'
import { PoolQuoteSchema } from '../schemas/swap-quote.ts'
import { defineEndpoint } from './route.ts'

export const poolQuoteEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/quote',
  operationId: 'quotePool',
  description:
    "Simulates a swap on the pool's tick map at the last indexed block, equal to the " +
    'smallest unit to what its contracts would pay. `quote` is null where that is not ' +
    'known, and `reasons` says why.',
  tag: 'market',
  summary: 'Returns what a swap in one pool would pay and receive, to the smallest unit.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { side: sideField, ...amountFields },
  exampleQuery: 'side=buy&usd=1000',
  schema: PoolQuoteSchema,
  notFound: 'pool_not_found',
  check: checkAmounts,
  answer: async ({ market }, { path, query }) => {
    const order = { side: query.side, amount: toOrderAmount(query) }
    const result = await market.quote(path.id, order)
    if (result === null) return failure(problems.poolNotFound)
    return result.ok ? success(result.value) : failure(orderProblem(query, result.fault))
  },
})

export const poolDepthEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/depth',
  operationId: 'getPoolDepth',
  description:
    'How much moves the price of a pool by 0.5 to 10 %, what orders of 1,000 to ' +
    '1,000,000 dollars would get, and where the liquidity lies.',
  tag: 'market',
  summary:
    'Returns what trades of any size meet in one pool: price bands, order ladder, liquidity.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { segments: segmentsField },
  schema: PoolDepthSchema,
  notFound: 'pool_not_found',
  answer: async ({ market }, { path, query }) => {
    const depth = await market.depth(path.id, query.segments)
    return depth === null ? failure(problems.poolNotFound) : success(depth)
  },
})
