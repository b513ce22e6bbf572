import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/* The document as a generated client would read it: nothing here knows the service otherwise. */

export type Schema = {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: unknown
}

export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Schema
}

type Content = {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly schema: Schema }>>
  readonly content?: Readonly<Record<string, Content>>
}

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly responses: Readonly<Record<string, Response>>
}

export type OpenApi = {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>>
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

const ajv = new Ajv2020({ strict: true, allErrors: true, strictTypes: false })
// Annotations of ours and of OpenAPI, which check nothing.
ajv.addVocabulary(['x-unit', 'example'])

/** A schema by itself: the components that it may refer to go with it. */
const standalone = (schema: object, { components }: OpenApi): object =>
  JSON.parse(
    JSON.stringify({ ...schema, $defs: components.schemas }).replaceAll(
      '#/components/schemas/',
      '#/$defs/',
    ),
  )

export const compileSchema = (schema: object, document: OpenApi): ValidateFunction =>
  ajv.compile(standalone(schema, document))

const typeOf = (reply: Reply): string => String(reply.headers['content-type']).split(';')[0] ?? ''

const missingHeaders = ({ headers = {} }: Response, reply: Reply): readonly string[] =>
  Object.keys(headers).filter((name) => reply.headers[name.toLowerCase()] === undefined)

type Problem = { readonly error?: { readonly code?: string } }

/** Returns a function that lists the undocumented parts of a reply. */
export const createReplyCheck = (document: OpenApi) => {
  const known = new Map<object, ValidateFunction>()
  const validator = (schema: object): ValidateFunction => {
    const made = known.get(schema) ?? compileSchema(schema, document)
    known.set(schema, made)
    return made
  }
  return (operation: Operation, reply: Reply): readonly string[] => {
    const documented = operation.responses[reply.status]
    if (documented === undefined) return [`status ${reply.status} is not documented`]
    const missing = missingHeaders(documented, reply).map((name) => `the header ${name} is missing`)
    const content = documented.content?.[typeOf(reply)]
    if (documented.content === undefined) return reply.text === '' ? missing : ['there is a body']
    if (content === undefined) return [`${typeOf(reply)} is not documented`]
    const validate = validator(content.schema)
    const body = JSON.parse(reply.text) as Problem
    const faults = validate(body) ? [] : [ajv.errorsText(validate.errors)]
    const code = body.error?.code
    const isNamed = code === undefined || content.examples?.[code] !== undefined
    return [...missing, ...faults, ...(isNamed ? [] : [`the code ${code} is not documented`])]
  }
}

/** The operations with their paths. */
export const listOperations = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

/** Those that a GET answers with one JSON document: the stream has no end, and MCP takes a body. */
export const jsonOperations = (document: OpenApi) =>
  listOperations(document).filter(
    ({ method, operation }) =>
      method === 'get' && operation.responses[200]?.content?.['application/json'] !== undefined,
  )
