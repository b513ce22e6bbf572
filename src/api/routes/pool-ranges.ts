import { failure, success } from '../../domain/outcome.ts'
import { problems } from '../http/problems.ts'
import { poolIdField } from '../schemas/query-fields.ts'
import { checkRange, PoolRangesSchema, rangeBoundField, rangeUsdField } from '../schemas/range.ts'
import { defineEndpoint } from './route.ts'

export const poolRangesEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id/ranges',
  operationId: 'getPoolRanges',
  description:
    'What a position in a range of prices would have earned in fees, for how long it ' +
    'was in range, and how it compares with holding (methodology §14).',
  tag: 'market',
  summary: 'Returns what a position in a range of prices would have earned in a day and a week.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: {
    lower: rangeBoundField('Lower end of the range'),
    upper: rangeBoundField('Upper end of the range'),
    usd: rangeUsdField,
  },
  exampleQuery: 'lower=150&upper=250&usd=1000',
  schema: PoolRangesSchema,
  notFound: 'pool_not_found',
  check: checkRange,
  answer: async ({ market }, { path, query }) => {
    const ranges = await market.ranges(path.id, query)
    return ranges === null ? failure(problems.poolNotFound) : success(ranges)
  },
})
