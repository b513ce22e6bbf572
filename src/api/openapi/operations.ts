import type { ErrorCode } from '../http/problems.ts'
import type { Field, QueryField } from '../http/query.ts'
import type { Endpoint } from '../routes/endpoint.ts'
import { refOf } from './components.ts'
import { exampleOf } from './example.ts'
import { rateHeaders, refusals } from './responses.ts'

type Json = Readonly<Record<string, unknown>>

const parameterOf = (name: string, place: 'path' | 'query', field: Field<unknown>): Json => ({
  name,
  in: place,
  required: place === 'path',
  description: `${field.description} Must be ${field.rule}.`,
  schema: {
    ...field.schema,
    ...('absent' in field && field.absent !== null ? { default: field.absent } : {}),
  },
})

const parametersOf = ({ pathFields, queryFields }: Endpoint): readonly Json[] => [
  ...Object.entries(pathFields).map(([name, field]) => parameterOf(name, 'path', field)),
  ...Object.entries<QueryField<unknown>>(queryFields).map(([name, field]) =>
    parameterOf(name, 'query', field),
  ),
]

/** What any request may meet, besides what its endpoint refuses. */
const common: readonly ErrorCode[] = [
  'bad_request',
  'unknown_parameter',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
]

const refusedWith = (endpoint: Endpoint): readonly ErrorCode[] => [
  ...common,
  ...[...Object.values(endpoint.pathFields), ...Object.values(endpoint.queryFields)].map(
    ({ errorCode }) => errorCode,
  ),
  ...(endpoint.rateLimited ? (['rate_limited'] as const) : []),
  ...(endpoint.notFound === null ? [] : [endpoint.notFound]),
  ...(endpoint.needsSnapshot ? (['not_ready'] as const) : []),
]

const validators = {
  ETag: {
    description: 'A strong validator of these bytes, for If-None-Match.',
    schema: { type: 'string' },
  },
}

const success = ({ schema, cache, rateLimited }: Endpoint): Json => ({
  description: (schema as { description?: string }).description ?? 'The answer.',
  headers: { ...(cache === 'data' ? validators : {}), ...(rateLimited ? rateHeaders : {}) },
  content: {
    'application/json': {
      schema: refOf(schema),
      example: exampleOf(schema),
    },
  },
})

const unmodified = {
  '304': {
    description: 'Whoever sent If-None-Match has these bytes already.',
    headers: validators,
  },
}

/** The templates of OpenAPI for the patterns of the router. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

export const operationOf = (endpoint: Endpoint): Json => ({
  get: {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    parameters: parametersOf(endpoint),
    responses: {
      '200': success(endpoint),
      ...(endpoint.cache === 'data' ? unmodified : {}),
      ...refusals(refusedWith(endpoint)),
    },
  },
})
