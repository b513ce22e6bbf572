import { type TSchema, Type } from 'typebox'
import { dataStatuses } from '../../domain/status/data-status.ts'
import { type Field, isRequired } from '../http/query.ts'
import type { Endpoint } from '../routes/route.ts'

export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' }

const toProperty = ({ description, rule, schema }: Field<unknown>) => ({
  ...(schema as TSchema & object),
  description: `${description} Must be ${rule}.`,
})

type Json = Readonly<Record<string, unknown>>

const annotations = ['description', 'examples', 'x-unit']

/** The docs explain the fields; a model's window has no room for it. */
const withoutAnnotations = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutAnnotations)
  if (typeof schema !== 'object' || schema === null) return schema
  const { properties, ...rest } = schema as Json
  const kept = Object.entries(rest).filter(([name]) => !annotations.includes(name))
  const shown = Object.fromEntries(kept.map(([name, part]) => [name, withoutAnnotations(part)]))
  if (typeof properties !== 'object' || properties === null) return shown
  const fields = Object.entries(properties)
  return {
    ...shown,
    properties: Object.fromEntries(fields.map(([name, part]) => [name, withoutAnnotations(part)])),
  }
}

const nullableInteger = Type.Union([Type.Integer(), Type.Null()])

/** What every tool adds to the body of its endpoint. */
const addedProperties = {
  asOf: Type.Object({
    network: Type.String(),
    sandbox: Type.Boolean(),
    block: nullableInteger,
    blockTs: nullableInteger,
    ts: Type.Integer(),
  }),
  dataStatus: Type.Enum([...dataStatuses]),
  cut: Type.Array(Type.Object({ list: Type.String(), shown: Type.Integer(), of: Type.Integer() })),
}

/** The schema of an endpoint's body with what the tool adds. */
export const createOutputSchema = ({ schema }: Endpoint): ObjectSchema => ({
  type: 'object',
  properties: {
    ...addedProperties,
    ...(withoutAnnotations(schema) as { properties: Json }).properties,
  },
  required: ['asOf', ...Object.keys(schema.properties)],
  additionalProperties: false,
})

/** Query parameters of pages. */
export const isPaged = ({ queryFields }: Endpoint): boolean => Object.hasOwn(queryFields, 'limit')

const rowsProperty = (endpoint: Endpoint) => ({
  type: 'integer',
  minimum: 1,
  description: isPaged(endpoint)
    ? 'Rows per page, in place of limit. By default as many as fit into 8 KB.'
    : 'Rows of each list at most. By default as many as fit into 8 KB; cut says what is left out.',
})

/** The parameters of the endpoint, and `rows`. */
export const createInputSchema = (endpoint: Endpoint, hasRows: boolean): ObjectSchema => {
  const { pathFields, queryFields } = endpoint
  const fields = Object.entries<Field<unknown>>({ ...pathFields, ...queryFields })
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(fields.map(([name, field]) => [name, toProperty(field)])),
      ...(hasRows ? { rows: rowsProperty(endpoint) } : {}),
    },
    required: fields.filter(([, field]) => isRequired(field)).map(([name]) => name),
    additionalProperties: false,
  }
}
