import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { CandleView, HistoryPage } from '../../domain/views/history.ts'
import type { CandleCursor, CandlePage, HistoryPruned } from '../../market/history.ts'
import { encodeCursor } from '../http/cursor.ts'
import { type Problem, problems } from '../http/problems.ts'
import { CandlesSchema, fillField, priceField, widthField } from '../schemas/candle.ts'
import { checkHistory, historyFields, toHistoryQuery } from '../schemas/history.ts'
import { poolIdField, stockKeyField } from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

const parseCursor = (payload: string): CandleCursor => ({ ts: Number(payload) })

const toAnswer = (
  result: Outcome<CandlePage, HistoryPruned>,
  scope: readonly string[],
): Outcome<HistoryPage<CandleView>, Problem> => {
  if (!result.ok) return failure(problems.historyPruned(result.fault.keptSince))
  const { next } = result.value
  return success({
    ...result.value,
    next: next === null ? null : encodeCursor(scope, String(next.ts)),
  })
}

export const poolCandlesEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/candles',
  operationId: 'listPoolCandles',
  description:
    'Candles in dollars or in other tokens, for as long as they are kept. Follow ' +
    '`next` until it is null; `complete` is false if rows of the range are missing.',
  tag: 'market',
  summary: 'Lists the candles of one pool, as far back as they are kept, page by page.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { width: widthField, price: priceField, fill: fillField, ...historyFields },
  exampleQuery: 'width=1h',
  schema: CandlesSchema,
  notFound: 'pool_not_found',
  errors: ['history_pruned'],
  check: checkHistory,
  answer: async ({ market }, { path, query }) => {
    const { width, price, fill, order } = query
    const scope = ['pool candles', path.id, width, order]
    const history = toHistoryQuery(query, scope, parseCursor)
    if (!history.ok) return history
    const asked = { ...history.value, width, price, fill, hasStockVolume: true }
    const result = await market.poolCandles(path.id, asked)
    return result === null ? failure(problems.poolNotFound) : toAnswer(result, scope)
  },
})

export const stockCandlesEndpoint = defineEndpoint({
  path: '/api/v1/stocks/:symbol/candles',
  operationId: 'listStockCandles',
  description:
    'Candles in dollars, made of the swaps in all comparable pools of a stock. Follow ' +
    '`next` until it is null.',
  tag: 'market',
  summary: 'Lists the candles of one stock from the swaps in all of its pools, page by page.',
  rateLimited: true,
  pathFields: { symbol: stockKeyField },
  queryFields: { width: widthField, ...historyFields },
  exampleQuery: 'width=1h',
  schema: CandlesSchema,
  notFound: 'stock_not_found',
  errors: ['history_pruned'],
  check: checkHistory,
  answer: async ({ market }, { path: { symbol: key }, query }) => {
    const { width, order } = query
    const scope = ['stock candles', JSON.stringify(key), width, order]
    const history = toHistoryQuery(query, scope, parseCursor)
    if (!history.ok) return history
    const result = await market.stockCandles(key, { ...history.value, width })
    return result === null ? failure(problems.stockNotFound) : toAnswer(result, scope)
  },
})
