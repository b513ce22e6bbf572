import { failure } from '../../domain/outcome.ts'
import type { SwapFilter } from '../../market/history.ts'
import { problems } from '../http/problems.ts'
import { eventErrors, parseEventCursor, toEventAnswer } from '../schemas/event-cursor.ts'
import { checkHistory, historyFields, toHistoryQuery } from '../schemas/history.ts'
import { SwapsSchema, swapFilterFields } from '../schemas/past-swap.ts'
import { poolIdField, stockKeyField } from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

const filterOf = ({ side, minUsd, trader, sender }: SwapFilter): SwapFilter => ({
  ...{ side, minUsd, trader, sender },
})

const ofSwaps = {
  tag: 'market',
  rateLimited: true,
  queryFields: { ...swapFilterFields, ...historyFields },
  schema: SwapsSchema,
  errors: eventErrors,
  check: checkHistory,
} as const

export const poolSwapsEndpoint = defineEndpoint({
  ...ofSwaps,
  path: '/api/v1/pools/:id/swaps',
  operationId: 'listPoolSwaps',
  description:
    'Every kept swap of one pool with its price, value and trader, the newest first by ' +
    'default. A cursor names a row: if the chain replaced its block, the answer is 409.',
  summary: 'Lists the swaps of one pool, as far back as they are kept, page by page.',
  pathFields: { id: poolIdField },
  notFound: 'pool_not_found',
  answer: async ({ market }, { path, query }) => {
    const scope = ['pool swaps', path.id, query.order]
    const history = toHistoryQuery(query, scope, parseEventCursor)
    if (!history.ok) return history
    const result = await market.poolSwaps(path.id, { ...filterOf(query), ...history.value })
    return result === null ? failure(problems.poolNotFound) : toEventAnswer(result, scope)
  },
})

export const stockSwapsEndpoint = defineEndpoint({
  ...ofSwaps,
  path: '/api/v1/stocks/:symbol/swaps',
  operationId: 'listStockSwaps',
  description:
    'Every kept swap in the pools of one stock, in chain order or the opposite one. ' +
    'Follow `next` until it is null.',
  summary: 'Lists the swaps in all pools of one stock, page by page.',
  pathFields: { symbol: stockKeyField },
  notFound: 'stock_not_found',
  answer: async ({ market }, { path: { symbol: key }, query }) => {
    const scope = ['stock swaps', JSON.stringify(key), query.order]
    const history = toHistoryQuery(query, scope, parseEventCursor)
    if (!history.ok) return history
    const result = await market.stockSwaps(key, { ...filterOf(query), ...history.value })
    return result === null ? failure(problems.stockNotFound) : toEventAnswer(result, scope)
  },
})

export const swapsEndpoint = defineEndpoint({
  ...ofSwaps,
  path: '/api/v1/swaps',
  operationId: 'listSwaps',
  description:
    'Every kept swap of all stocks, in chain order or the opposite one. Follow `next` ' +
    'until it is null.',
  summary: 'Lists the swaps of all stocks, page by page.',
  answer: async ({ market }, { query }) => {
    const scope = ['swaps', query.order]
    const history = toHistoryQuery(query, scope, parseEventCursor)
    if (!history.ok) return history
    return toEventAnswer(await market.swaps({ ...filterOf(query), ...history.value }), scope)
  },
})
