import { success } from '../../domain/outcome.ts'
import { limitField, offsetField, searchField } from '../schemas/query-fields.ts'
import { StocksPageSchema } from '../schemas/stock.ts'
import { defineEndpoint } from './endpoint.ts'

export const stocksEndpoint = defineEndpoint({
  path: '/api/v1/stocks',
  operationId: 'listStocks',
  tag: 'market',
  summary: 'Tokenized stocks with their quotes, pool prices and premiums; searched and in pages.',
  pathFields: {},
  queryFields: {
    q: searchField('Part of the symbol or the name, or the begin of the address.'),
    limit: limitField,
    offset: offsetField,
  },
  schema: StocksPageSchema,
  cache: 'data',
  rateLimited: true,
  notFound: null,
  needsSnapshot: true,
  answer: async ({ market }, { query }) => success(await market.stocks(query)),
})
