import { success } from '../../domain/outcome.ts'
import { HealthSchema } from '../schemas/service.ts'
import { defineEndpoint } from './endpoint.ts'

/** Answers from the start: before the first snapshot it says `ok: false`. */
export const healthEndpoint = defineEndpoint({
  path: '/api/v1/health',
  operationId: 'getHealth',
  tag: 'service',
  summary: 'Whether the service works, with pool counts, the ETH price and the four sources.',
  pathFields: {},
  queryFields: {},
  schema: HealthSchema,
  cache: 'no-store',
  rateLimited: true,
  notFound: null,
  needsSnapshot: false,
  answer: ({ market }) => success(market.health()),
})
