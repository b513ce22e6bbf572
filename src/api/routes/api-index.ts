import { success } from '../../domain/outcome.ts'
import type { EndpointView, ParameterView } from '../../domain/views/service.ts'
import type { PathFields } from '../http/query.ts'
import { ApiIndexSchema } from '../schemas/service.ts'
import { defineEndpoint, type Endpoint, type RawRoute, type TextRoute } from './route.ts'

const sandboxNotice =
  'This is the sandbox: a simulated chain with simulated stocks, trades and prices. ' +
  'No number here is from a real market.'

const listParameters = (location: 'path' | 'query', fields: PathFields): readonly ParameterView[] =>
  Object.entries(fields).map(([name, { rule }]) => ({ name, in: location, rule }))

const describe = (route: Endpoint | TextRoute | RawRoute): EndpointView => ({
  method: 'methods' in route && route.methods.includes('POST') ? 'POST' : 'GET',
  path: route.path,
  summary: route.summary,
  parameters: [
    ...('pathFields' in route ? listParameters('path', route.pathFields) : []),
    ...('queryFields' in route ? listParameters('query', route.queryFields) : []),
  ],
})

export const apiIndexEndpoint = defineEndpoint({
  path: '/api/v1',
  operationId: 'describeApi',
  description:
    'Name, network and sandbox flag of the service, and every path with its parameters ' +
    'and their rules. Ask here first to learn which network answers.',
  tag: 'service',
  summary: 'Returns this list of endpoints.',
  schema: ApiIndexSchema,
  rateLimited: true,
  answer: ({ network, catalogue: { endpoints, textRoutes, rawRoutes } }) =>
    success({
      service: 'stockpools',
      version: 'v1',
      network: network.name,
      sandbox: network.sandbox,
      notice: network.sandbox ? sandboxNotice : null,
      explorerUrl: network.explorerUrl,
      endpoints: [...endpoints, ...textRoutes, ...rawRoutes].map(describe),
    }),
})
