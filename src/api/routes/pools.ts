import { failure, success } from '../../domain/outcome.ts'
import { poolKinds } from '../../domain/views/pool.ts'
import { poolSorts } from '../../market/market.ts'
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
} from '../schemas/query-fields.ts'
import { defineEndpoint } from './route.ts'

export const poolsEndpoint = defineEndpoint({
  path: '/api/v1/pools',
  operationId: 'listPools',
  tag: 'market',
  summary: 'Pools, the most liquid first; filtered, searched and in pages.',
  rateLimited: true,
  queryFields: {
    symbol: symbolField,
    kind: choiceField('Only pools of this kind.', poolKinds, null),
    q: searchField('Part of a symbol or a token name, or the begin of an id or address.'),
    limit: limitField,
    offset: offsetField,
    version: choiceField('Only pools of this version of Uniswap.', ['v3', 'v4'], null),
    active: booleanField('Only active pools, or only the others.'),
    hot: booleanField('Only hot pools, or only the others.'),
    comparable: booleanField('Only comparable pools, or only the others.'),
    minLiquidityUsd: usdMinField('Only pools of known liquidity that is at least this.'),
    sort: choiceField('What to sort by; liquidity, then 24 h volume, if absent.', poolSorts, null),
    order: choiceField('Which end comes first; unknown values are last.', ['asc', 'desc'], 'desc'),
  },
  schema: PoolsPageSchema,
  answer: async ({ market }, { query }) => success(await market.pools(query)),
})

export const poolEndpoint = defineEndpoint({
  path: '/api/v1/pools/:id',
  operationId: 'getPool',
  tag: 'market',
  summary: 'One pool, its series over a range, and its latest swaps within it.',
  rateLimited: true,
  pathFields: { id: poolIdField },
  queryFields: { range: rangeField },
  schema: PoolDetailSchema,
  notFound: 'pool_not_found',
  answer: async ({ market }, { path, query }) => {
    const pool = await market.pool(path.id, query.range)
    if (pool !== null) return success(pool)
    const detail = 'no pool of a stock has this id'
    return failure({ code: 'pool_not_found', detail, param: 'id' })
  },
})
