import { failure, success } from '../../domain/outcome.ts'
import { PoolDetailSchema } from '../schemas/pool-detail.ts'
import { poolIdField, rangeField } from '../schemas/query-fields.ts'
import { defineEndpoint } from './endpoint.ts'

export const poolEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id',
  operationId: 'getPool',
  tag: 'market',
  summary: 'One pool, its series over a range, and its latest swaps within it.',
  pathFields: { id: poolIdField },
  queryFields: { range: rangeField },
  schema: PoolDetailSchema,
  cache: 'data',
  rateLimited: true,
  notFound: 'pool_not_found',
  needsSnapshot: true,
  answer: async ({ market }, { path, query }) => {
    const pool = await market.pool(path.id, query.range)
    if (pool !== null) return success(pool)
    return failure({
      code: 'pool_not_found',
      detail: 'no pool of a stock has this id',
      param: 'id',
    })
  },
})
