import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { Operation, Parameter, Schema } from './document.ts'

/* Requests that a document allows, and requests that it forbids for one reason each. */

const ajv = new Ajv2020({ strict: false })

/** Whether a text is one of the values that a schema describes, as a client would write them. */
export const conforms = (text: string, schema: Schema): boolean => {
  if (schema.type === 'integer' || schema.type === 'number') {
    return /^[0-9]+(\.[0-9]+)?$/.test(text) && ajv.validate(schema, Number(text))
  }
  if (schema.type === 'boolean') return text === 'true' || text === 'false'
  return ajv.validate(schema, text)
}

const plainDecimal = (value: number): string => value.toFixed(6).replace(/\.?0+$/, '')

const stringOf = (schema: Schema, samples: readonly string[]): fc.Arbitrary<string> => {
  const matching =
    schema.pattern === undefined ? fc.string() : fc.stringMatching(new RegExp(schema.pattern))
  const graphemes = fc.string({ unit: 'grapheme', maxLength: 40 })
  const known = samples.length === 0 ? [] : [fc.constantFrom(...samples)]
  return fc
    .oneof(
      { arbitrary: matching, weight: 2 },
      graphemes,
      ...known.map((arbitrary) => ({
        arbitrary,
        weight: 6,
      })),
    )
    .filter((text) => conforms(text, schema))
}

/** Texts that a schema lets through; `samples` are such that something is found by them. */
export const validTexts = (schema: Schema, samples: readonly string[]): fc.Arbitrary<string> => {
  const { minimum = 0, maximum = 1e6 } = schema
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false')
  if (schema.type === 'integer') {
    const some = fc.oneof(
      fc.integer({ min: minimum, max: maximum }),
      fc.constantFrom(minimum, maximum),
    )
    return some.map(String)
  }
  if (schema.type === 'number') {
    return fc.double({ min: minimum, max: maximum, noNaN: true }).map(plainDecimal)
  }
  return stringOf(schema, samples)
}

const hostile: readonly string[] = [
  ...['', ' ', '0', '-1', '-0', '+1', '1.5', '1e1', '0x10', 'NaN', 'Infinity', 'null', 'undefined'],
  ...[
    'true',
    'TRUE',
    'yes',
    '[]',
    '{}',
    '1,2',
    '٣',
    '１',
    'a'.repeat(81),
    '🐱'.repeat(81),
    'a\u0000b',
  ],
  ...[
    'a\nb',
    '\u007f',
    '__proto__',
    'constructor',
    '../..',
    "' OR 1=1",
    '<script>',
    '%',
    '$NVDA',
    'Ä',
  ],
  ...[
    '9'.repeat(40),
    `0x${'g'.repeat(40)}`,
    `0x${'0'.repeat(41)}`,
    'A'.repeat(17),
    'v2',
    '24H',
    'asc ',
  ],
]

/** Escapes that stand for no text, whatever is wanted. */
const undecodable = ['%zz', '%', '%f', '%ff', '%c0%80', '%ed%a0%80', '%u0041', 'a%', '%e2%82']

/** Spaces around a search are no part of it. */
const isPadded = (text: string): boolean => text !== text.trim()

/** Escaped texts that a schema does not let through. */
export const invalidTexts = ({ schema, in: place }: Parameter): fc.Arbitrary<string> => {
  const texts = fc
    .oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 120 }))
    .filter((text) => !conforms(text, schema) && !isPadded(text))
    // An empty part of a path makes it another path.
    .filter((text) => place === 'query' || text !== '')
    .map(encodeURIComponent)
  return fc.oneof({ arbitrary: texts, weight: 4 }, fc.constantFrom(...undecodable))
}

export type GivenParameter = { readonly name: string; readonly raw: string }

export const buildTarget = (
  path: string,
  operation: Operation,
  given: readonly GivenParameter[],
): string => {
  const isPath = ({ name }: GivenParameter): boolean =>
    operation.parameters.some((each) => each.name === name && each.in === 'path')
  const filled = given
    .filter(isPath)
    .reduce((text, { name, raw }) => text.replace(`{${name}}`, () => raw), path)
  const query = given.filter((each) => !isPath(each)).map(({ name, raw }) => `${name}=${raw}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

export type Samples = Readonly<Record<string, readonly string[]>>

/** An endpoint with several of these takes exactly one. */
const amounts = ['stockAmount', 'otherAmount', 'stockAmountRaw', 'otherAmountRaw', 'usd']
/** No schema says which texts are valid, because that depends on a token or on an earlier answer. */
const sampled = new Set([
  ...amounts.slice(0, 4),
  ...['cursor', 'asOfBlock', 'asOfTs', 'fromBlock', 'toBlock'],
])

const validParameter = (
  { name, schema, required }: Parameter,
  known: readonly string[],
): fc.Arbitrary<GivenParameter | null> => {
  const isSampled = sampled.has(name)
  if (isSampled && known.length === 0) return fc.constant(null)
  const texts = isSampled ? fc.constantFrom(...known) : validTexts(schema, known)
  const given = texts
    .filter((text) => isSampled || conforms(text, schema))
    .map((text) => ({ name, raw: encodeURIComponent(text) }))
  const isAlways = required || amounts.includes(name)
  return isAlways ? given : fc.option(given, { nil: null, freq: 2 })
}

const withOneAmount = (given: readonly GivenParameter[]): fc.Arbitrary<GivenParameter[]> => {
  const isAmount = ({ name }: GivenParameter): boolean => amounts.includes(name)
  const others = given.filter((each) => !isAmount(each))
  const candidates = given.filter(isAmount)
  if (candidates.length === 0) return fc.constant(others)
  return fc.constantFrom(...candidates).map((amount) => [...others, amount])
}

/** Names a block by its number or by its time. */
const withOneBlock = (given: readonly GivenParameter[]): GivenParameter[] =>
  given.some(({ name }) => name === 'asOfBlock')
    ? given.filter(({ name }) => name !== 'asOfTs')
    : [...given]

/** `from` must not be after `to`. */
const inOrder = (given: readonly GivenParameter[]): GivenParameter[] => {
  const [from, to] = ['from', 'to'].map((name) => given.find((each) => each.name === name)?.raw)
  if (from === undefined || to === undefined || Number(from) <= Number(to)) return [...given]
  const turned: Record<string, string> = { from: to, to: from }
  return given.map(({ name, raw }) => ({ name, raw: turned[name] ?? raw }))
}

/** `lower` must be below `upper`. */
const withRange = (given: readonly GivenParameter[]): GivenParameter[] => {
  const [lower, upper] = ['lower', 'upper'].map((name) => given.find((each) => each.name === name))
  if (lower === undefined || upper === undefined) return [...given]
  const [low = 0, high = 0] = [lower, upper].map(({ raw }) => Number(raw)).toSorted((a, b) => a - b)
  const ends: Record<string, number> = { lower: low, upper: high === low ? low + 1 : high }
  return given.map(({ name, raw }) => ({ name, raw: String(ends[name] ?? raw) }))
}

/** All required parameters and some of the others, each as it may be, in any order. */
export const validRequests = (
  { operationId, parameters }: Operation,
  samples: Samples,
): fc.Arbitrary<readonly GivenParameter[]> =>
  fc
    .tuple(
      ...parameters.map((parameter) => {
        const { name } = parameter
        return validParameter(parameter, samples[`${operationId}.${name}`] ?? samples[name] ?? [])
      }),
    )
    .map((each) => each.filter((one): one is GivenParameter => one !== null))
    .chain(withOneAmount)
    .map(inOrder)
    .map(withRange)
    .map(withOneBlock)
    .chain((given) => fc.shuffledSubarray(given, { minLength: given.length }))

/** A request with one fault and the parameter that the error should name. */
export type InvalidRequest = { readonly given: readonly GivenParameter[]; readonly param: string }

const withViolation = (
  operation: Operation,
  given: readonly GivenParameter[],
): fc.Arbitrary<InvalidRequest> =>
  fc.constantFrom(...operation.parameters).chain((parameter) =>
    invalidTexts(parameter).map((raw) => {
      const { name } = parameter
      const others = given.filter((each) => each.name !== name)
      return { given: [...others, { name, raw }], param: name }
    }),
  )

const unknownNames = [
  'x',
  '__proto__',
  'constructor',
  'toString',
  'limit[]',
  'Limit',
  'SYMBOL',
  '$where',
]

const withUnknown = (
  operation: Operation,
  given: readonly GivenParameter[],
): fc.Arbitrary<InvalidRequest> =>
  fc
    .constantFrom(...unknownNames, ...operation.parameters.map(({ name }) => `${name}_`))
    .map((name) => ({ given: [...given, { name, raw: '1' }], param: name }))

const withRepeated = (
  operation: Operation,
  given: readonly GivenParameter[],
): fc.Arbitrary<InvalidRequest> => {
  const isQuery = ({ name }: GivenParameter) =>
    operation.parameters.some((each) => each.name === name && each.in === 'query')
  const repeatable = given.filter(isQuery)
  if (repeatable.length === 0) return withUnknown(operation, given)
  return fc
    .constantFrom(...repeatable)
    .map((again) => ({ given: [...given, again], param: again.name }))
}

/** A request that would be allowed, but for one thing. */
export const invalidRequests = (
  operation: Operation,
  samples: Samples,
): fc.Arbitrary<InvalidRequest> =>
  validRequests(operation, samples).chain((given) =>
    fc.oneof(
      ...(operation.parameters.length === 0 ? [] : [withViolation(operation, given)]),
      withUnknown(operation, given),
      withRepeated(operation, given),
    ),
  )
