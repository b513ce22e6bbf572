import { success } from '../../domain/outcome.ts'
import { ResolvedTokenSchema, resolvedTextField } from '../schemas/resolved-token.ts'
import { defineEndpoint } from './route.ts'

export const resolveEndpoint = defineEndpoint({
  path: '/api/v1/resolve',
  operationId: 'resolveToken',
  description:
    "Finds the verified token of a ticker, a company's name or an address, whatever " +
    'the case, and names tokens that imitate it. A look-alike is never the answer ' +
    '(methodology §15).',
  tag: 'market',
  summary: 'Returns the one verified token of a ticker, name or address, and its look-alikes.',
  rateLimited: true,
  queryFields: { q: resolvedTextField },
  exampleQuery: 'q=NVDA',
  schema: ResolvedTokenSchema,
  answer: async ({ market }, { query }) => success(await market.resolve(query.q)),
})
