import { success } from '../../domain/outcome.ts'
import { poolKinds } from '../../domain/view/pool-view.ts'
import { poolSorts } from '../market.ts'
import { PoolsPageSchema } from '../schemas/pools-page.ts'
import {
  booleanField,
  choiceField,
  limitField,
  offsetField,
  searchField,
  symbolField,
  usdMinField,
} from '../schemas/query-fields.ts'
import { defineEndpoint } from './endpoint.ts'

export const poolsEndpoint = defineEndpoint({
  path: '/api/v1/pools',
  operationId: 'listPools',
  tag: 'market',
  summary: 'Pools, the most liquid first; filtered, searched and in pages.',
  pathFields: {},
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
  cache: 'data',
  rateLimited: true,
  notFound: null,
  needsSnapshot: true,
  answer: async ({ market }, { query }) => success(await market.pools(query)),
})
