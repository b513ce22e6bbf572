import type { ErrorCode } from '../http/problems.ts'
import type { Field, PathFields, QueryFields } from '../http/query.ts'
import type { Endpoint, RawRoute } from '../routes/route.ts'
import { exampleOf, refOf } from './components.ts'
import { rateHeaders, refusals } from './responses.ts'

type Json = Readonly<Record<string, unknown>>

/** As it would stand in the query: a list is text there. */
const defaultOf = (field: Field<unknown>): Json => {
  if (!('absent' in field) || field.absent === null) return {}
  return { default: Array.isArray(field.absent) ? field.absent.join(',') : field.absent }
}

const parameterOf = (name: string, place: 'path' | 'query', field: Field<unknown>): Json => ({
  name,
  in: place,
  required: place === 'path',
  description: `${field.description} Must be ${field.rule}.`,
  schema: { ...field.schema, ...defaultOf(field) },
})

type Fields = { readonly pathFields?: PathFields; readonly queryFields: QueryFields }

const parametersOf = ({ pathFields = {}, queryFields }: Fields): readonly Json[] => [
  ...Object.entries(pathFields).map(([name, field]) => parameterOf(name, 'path', field)),
  ...Object.entries(queryFields).map(([name, field]) => parameterOf(name, 'query', field)),
]

/** What any request may meet, besides what its endpoint refuses. */
const common: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
]

const ofFields = ({ pathFields = {}, queryFields }: Fields): readonly ErrorCode[] =>
  [...Object.values(pathFields), ...Object.values(queryFields)].map(({ errorCode }) => errorCode)

const ofRate = (rateLimited: boolean): readonly ErrorCode[] => (rateLimited ? ['rate_limited'] : [])

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

export const endpointOperation = (endpoint: Endpoint): Json => ({
  get: {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    parameters: parametersOf(endpoint),
    responses: {
      '200': success(endpoint),
      ...(endpoint.cache === 'data' ? unmodified : {}),
      ...refusals([
        ...common,
        'unknown_parameter',
        ...ofFields(endpoint),
        ...ofRate(endpoint.rateLimited),
        ...(endpoint.notFound === null ? [] : [endpoint.notFound]),
        ...(endpoint.needsSnapshot ? (['not_ready'] as const) : []),
      ]),
    },
  },
})

const bodyOf = (schema: object): Json => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
})

/** A raw route by its one method besides HEAD and OPTIONS. */
export const rawOperation = (channel: RawRoute): Json => {
  const { operationId, summary, tag, methods, queryFields, body, reply, rateLimited } = channel
  const isQuery = Object.keys(queryFields).length > 0
  return {
    [methods.includes('POST') ? 'post' : 'get']: {
      operationId,
      summary,
      tags: [tag],
      parameters: parametersOf({ queryFields }),
      ...(body === null ? {} : bodyOf(body)),
      responses: {
        '200': {
          description: reply.description,
          headers: rateLimited ? rateHeaders : {},
          content: { [reply.type]: { schema: reply.schema } },
        },
        ...refusals([
          ...common,
          ...(isQuery ? (['unknown_parameter'] as const) : []),
          ...ofFields({ queryFields }),
          ...ofRate(rateLimited),
          ...channel.errors,
        ]),
      },
    },
  }
}
