import type { ErrorCode } from '../http/problems.ts'
import { type Field, isRequired, type PathFields, type QueryFields } from '../http/query.ts'
import type { Endpoint, RawRoute } from '../routes/route.ts'
import { bodyOf, type Json, schemaRef } from './components.ts'
import { asOfHeaders, errorResponses, rateLimitHeaders } from './responses.ts'

/** The default as query text. */
const defaultValue = (field: Field<unknown>): Json => {
  if (!('absent' in field) || field.absent === null) return {}
  return { default: Array.isArray(field.absent) ? field.absent.join(',') : field.absent }
}

const createParameter = (name: string, place: 'path' | 'query', field: Field<unknown>): Json => ({
  name,
  in: place,
  required: isRequired(field),
  description: `${field.description} Must be ${field.rule}.`,
  schema: { ...field.schema, ...defaultValue(field) },
})

type Fields = { readonly pathFields?: PathFields; readonly queryFields: QueryFields }

const listParameters = ({ pathFields = {}, queryFields }: Fields): readonly Json[] => [
  ...Object.entries(pathFields).map(([name, field]) => createParameter(name, 'path', field)),
  ...Object.entries(queryFields).map(([name, field]) => createParameter(name, 'query', field)),
]

/** Errors of every route. */
const commonErrors: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal',
]

const fieldErrors = ({ pathFields = {}, queryFields }: Fields): readonly ErrorCode[] =>
  [...Object.values(pathFields), ...Object.values(queryFields)].map(({ errorCode }) => errorCode)

const rateErrors = (rateLimited: boolean): readonly ErrorCode[] =>
  rateLimited ? ['rate_limited'] : []

const validators = {
  ETag: {
    description: 'A strong validator for If-None-Match.',
    schema: { type: 'string' },
  },
}

const success = (endpoint: Endpoint): Json => {
  const { schema, tag, cache, rateLimited } = endpoint
  const body = bodyOf(endpoint)
  return {
    description: (schema as { description?: string }).description ?? 'The response.',
    headers: {
      ...(cache === 'data' ? validators : {}),
      ...(tag === 'market' ? asOfHeaders : {}),
      ...(rateLimited ? rateLimitHeaders : {}),
    },
    content: {
      'application/json': {
        schema: schemaRef(body.schema),
        example: body.example,
      },
    },
  }
}

const notModified = {
  '304': {
    description: 'The client already has this version (If-None-Match).',
    headers: validators,
  },
}

/** Converts a path pattern of the router to an OpenAPI path template. */
export const toPathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

export const endpointOperation = (endpoint: Endpoint): Json => ({
  get: {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.description,
    tags: [endpoint.tag],
    security: [],
    parameters: listParameters(endpoint),
    responses: {
      '200': success(endpoint),
      ...(endpoint.cache === 'data' ? notModified : {}),
      ...errorResponses([
        ...commonErrors,
        'unknown_parameter',
        ...fieldErrors(endpoint),
        ...rateErrors(endpoint.rateLimited),
        ...(endpoint.notFound === null ? [] : [endpoint.notFound]),
        ...endpoint.errors,
        ...(endpoint.needsSnapshot ? (['not_ready'] as const) : []),
      ]),
    },
  },
})

const requestBody = (schema: object): Json => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
})

/** Describes a raw route by its main method. */
export const rawOperation = (route: RawRoute): Json => {
  const { operationId, summary, description, tag, methods, queryFields, body, reply, rateLimited } =
    route
  const hasQuery = Object.keys(queryFields).length > 0
  return {
    [methods.includes('POST') ? 'post' : 'get']: {
      operationId,
      summary,
      description,
      tags: [tag],
      security: [],
      parameters: listParameters(route),
      ...(body === null ? {} : requestBody(body)),
      responses: {
        '200': {
          description: reply.description,
          headers: rateLimited ? rateLimitHeaders : {},
          content: Object.fromEntries(reply.types.map((type) => [type, { schema: reply.schema }])),
        },
        ...route.statuses,
        ...errorResponses([
          ...commonErrors,
          ...(hasQuery ? (['unknown_parameter'] as const) : []),
          ...fieldErrors(route),
          ...rateErrors(rateLimited),
          ...route.errors,
        ]),
      },
    },
  }
}
