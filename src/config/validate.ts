import type { Static, TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'
import { failure, type Outcome, success } from '../domain/outcome.ts'
import { quoteForMessage } from './user-input.ts'

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

const formatStep = (key: string): string => {
  if (/^\d+$/.test(key)) return `[${key}]`
  return /^[\w-]{1,40}$/.test(key) ? `.${key}` : `[${quoteForMessage(key)}]`
}

/** `/stocks/tokens/3/adress` -> `stocks.tokens[3].adress`. */
const formatPath = (keys: readonly string[]): string =>
  keys.map(formatStep).join('').replace(/^\./, '')

const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

const variantsOf = (schema: Fields): readonly unknown[] =>
  Array.isArray(schema.anyOf) ? schema.anyOf : [schema]

const childOf = (schema: Fields, key: string): Fields | null => {
  for (const variant of variantsOf(schema)) {
    if (!isFields(variant)) continue
    const properties = isFields(variant.properties) ? variant.properties : {}
    const child = Object.hasOwn(properties, key) ? properties[key] : variant.items
    if (isFields(child)) return child
  }
  return null
}

/** The `expected` text of the schema at `keys`, or of the nearest enclosing part. */
const expectedAt = (schema: TSchema, keys: readonly string[]): string => {
  let node: Fields = { ...schema }
  for (const key of keys) node = childOf(node, key) ?? node
  return `expected ${String(node.expected)}`
}

type Fault = { readonly keys: readonly string[]; readonly text: string }

const firstFault = (schema: TSchema, value: unknown): Fault => {
  const errors = Value.Errors(schema, value)
  // Unknown keys come first: such a key is often a mistyped name of a missing one.
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'additionalProperties') continue
    const key = params.additionalProperties[0] ?? ''
    return { keys: [...keysOf(instancePath), key], text: 'unknown key' }
  }
  const depthOf = (error: TLocalizedValidationError) => keysOf(error.instancePath).length
  const deepest = errors.toSorted((a, b) => depthOf(b) - depthOf(a))[0]
  const keys = keysOf(deepest?.instancePath ?? '')
  return deepest?.keyword === 'required'
    ? { keys: [...keys, deepest.params.requiredProperties[0] ?? ''], text: 'missing' }
    : { keys, text: expectedAt(schema, keys) }
}

/**
 * Checks `value` against `schema`. The fault is one line with the path of the key, below `at`, and
 * its `expected` text, which every part of the schema must have.
 */
export const validateAgainstSchema = <Schema extends TSchema>(
  schema: Schema,
  value: unknown,
  at: readonly string[] = [],
): Outcome<Static<Schema>, string> => {
  if (Value.Check(schema, value)) return success(value)
  const { keys, text } = firstFault(schema, value)
  const path = formatPath([...at, ...keys])
  return failure(path === '' ? text : `${path}: ${text}`)
}
