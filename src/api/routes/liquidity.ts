import { failure } from '../../domain/outcome.ts'
import { problems } from '../http/problems.ts'
import { parseEventCursor, toEventAnswer } from '../schemas/event-cursor.ts'
import { checkHistory, historyFields, toHistoryQuery } from '../schemas/history.ts'
import { LiquidityChangesSchema } from '../schemas/liquidity-change.ts'
import { poolIdField } from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

export const poolLiquidityEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/liquidity',
  operationId: 'listLiquidityChanges',
  description:
    'Liquidity added and removed, with its range, amounts and owner, for ever. Follow ' +
    '`next` until it is null.',
  tag: 'market',
  summary: 'Lists the changes of liquidity of one pool, page by page.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: historyFields,
  schema: LiquidityChangesSchema,
  notFound: 'pool_not_found',
  errors: ['cursor_replaced'],
  check: checkHistory,
  answer: async ({ market }, { path, query }) => {
    const scope = ['liquidity', path.id, query.order]
    const history = toHistoryQuery(query, scope, parseEventCursor)
    if (!history.ok) return history
    const result = await market.liquidityChanges(path.id, history.value)
    return result === null ? failure(problems.poolNotFound) : toEventAnswer(result, scope)
  },
})
