import { success } from '../../domain/outcome.ts'
import { StatusSchema } from '../schemas/service.ts'
import { defineEndpoint } from './endpoint.ts'

export const statusEndpoint = defineEndpoint({
  path: '/api/v1/status',
  operationId: 'getStatus',
  tag: 'service',
  summary: 'The age rules in force, the four sources, and where the index stands on the chain.',
  pathFields: {},
  queryFields: {},
  schema: StatusSchema,
  cache: 'no-store',
  rateLimited: true,
  notFound: null,
  needsSnapshot: false,
  answer: ({ market }) => success(market.status()),
})
