import { success } from '../../domain/outcome.ts'
import type { ParameterView } from '../../domain/views/service.ts'
import type { PathFields } from '../http/query.ts'
import { ApiIndexSchema } from '../schemas/service.ts'
import type { RawRoute } from './route.ts'
import { defineEndpoint, type Endpoint } from './route.ts'

const sandboxNotice =
  'This is the sandbox: a simulated chain with simulated stocks, trades and prices. ' +
  'No number here is of any real market.'

const parametersOf = (place: 'path' | 'query', fields: PathFields): readonly ParameterView[] =>
  Object.entries(fields).map(([name, { rule }]) => ({ name, in: place, rule }))

type Described = { readonly path: string; readonly summary: string }

const describePlain = ({ path, summary }: Described, method: 'GET' | 'POST' = 'GET') => ({
  method,
  path,
  summary,
  parameters: [],
})

const describeChannel = (channel: RawRoute) =>
  describePlain(channel, channel.methods.includes('POST') ? 'POST' : 'GET')

const describeEndpoint = ({ path, summary, pathFields, queryFields }: Endpoint) => ({
  method: 'GET' as const,
  path,
  summary,
  parameters: [...parametersOf('path', pathFields), ...parametersOf('query', queryFields)],
})

export const apiIndexEndpoint = defineEndpoint({
  path: '/api/v1',
  operationId: 'describeApi',
  tag: 'service',
  summary: 'This list.',
  schema: ApiIndexSchema,
  rateLimited: true,
  answer: ({ network, catalogue }) =>
    success({
      service: 'stockpools',
      version: 'v1',
      network: network.name,
      sandbox: network.sandbox,
      notice: network.sandbox ? sandboxNotice : null,
      explorerUrl: network.explorerUrl,
      endpoints: [
        ...catalogue.endpoints.map(describeEndpoint),
        ...catalogue.documents.map((document) => describePlain(document)),
        ...catalogue.channels.map(describeChannel),
      ],
    }),
})
