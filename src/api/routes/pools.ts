import { failure, success } from '../../domain/outcome.ts'
import { poolKinds } from '../../domain/views/pool.ts'
import { poolSorts } from '../../market/market.ts'
import { problems } from '../http/problems.ts'
import { asOfFields, checkAsOf, pastProblem, toAskedMoment } from '../schemas/as-of-fields.ts'
import { PoolsPageSchema } from '../schemas/pool.ts'
import { PoolDetailSchema } from '../schemas/pool-detail.ts'
import {
  booleanField,
  choiceField,
  limitField,
  offsetField,
  poolIdField,
  rangeField,
  searchField,
  symbolField,
  usdMinField,
  venueField,
} from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

export const poolsEndpoint = defineEndpoint({
  path: '/api/v1/pools',
  operationId: 'listPools',
  description:
    'One page of pools as of one block, filtered by stock, kind, venue, activity or a ' +
    'search. Each row has its own `dataStatus`; rows whose sort key is not known come ' +
    'last in either order.',
  tag: 'market',
  summary: 'Lists pools, the most liquid first, with filters, search and paging.',
  rateLimited: true,
  queryFields: {
    symbol: symbolField,
    kind: choiceField('Only pools of this kind.', poolKinds, null),
    q: searchField('Part of a symbol or a token name, or the start of an id or address.'),
    limit: limitField,
    offset: offsetField,
    version: choiceField(
      'Only pools of contracts of their own (v3), or only those of one contract (v4).',
      ['v3', 'v4'],
      null,
    ),
    venue: venueField,
    active: booleanField('true: only active pools; false: only the others.'),
    hot: booleanField('true: only hot pools; false: only the others.'),
    comparable: booleanField('true: only comparable pools; false: only the others.'),
    minLiquidityUsd: usdMinField('Only pools with known liquidity of at least this.'),
    minDepthUsd: usdMinField('Only pools with known depth of at least this.'),
    sort: choiceField('Sort key; by default liquidity, then 24 h volume.', poolSorts, null),
    order: choiceField('Sort order; unknown values always come last.', ['asc', 'desc'], 'desc'),
  },
  schema: PoolsPageSchema,
  answer: async ({ market }, { query }) => success(await market.pools(query)),
})

export const poolEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id',
  operationId: 'getPool',
  description:
    'The record of a pool with a series of at most 600 buckets and its latest 100 ' +
    'swaps. With `asOfBlock` or `asOfTs` all of it is as it was then, as far as what ' +
    'happened is kept.',
  tag: 'market',
  summary:
    'Returns one pool with its series over a range and the latest swaps in it, now or at a block.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { range: rangeField, ...asOfFields },
  schema: PoolDetailSchema,
  notFound: 'pool_not_found',
  errors: ['record_not_found', 'history_pruned'],
  check: checkAsOf,
  answer: async ({ market }, { path, query }) => {
    const asked = toAskedMoment(query)
    if (asked !== null) {
      const record = await market.poolAt(path.id, query.range, asked)
      if (record === null) return failure(problems.poolNotFound)
      return record.ok ? record : failure(pastProblem(asked, record.fault))
    }
    const pool = await market.pool(path.id, query.range)
    return pool === null ? failure(problems.poolNotFound) : success(pool)
  },
})
