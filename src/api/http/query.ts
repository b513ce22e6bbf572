import type { TSchema } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { ErrorCode, Problem } from './problems.ts'

/** A parameter: one table drives the check, the message and the documentation. */
export type Field<T> = {
  readonly description: string
  /** What it must be: "an integer from 1 to 50". */
  readonly rule: string
  /** The same for machines. */
  readonly schema: TSchema
  /** Undefined if the text is malformed. */
  readonly parse: (text: string) => T | undefined
  readonly errorCode: ErrorCode
}

/** A parameter of the query, with its value when it is absent. */
export type QueryField<T> = Field<T> & { readonly absent: T }

export type PathFields = Readonly<Record<string, Field<unknown>>>
export type QueryFields = Readonly<Record<string, QueryField<unknown>>>
export type FieldValues<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const needsDecoding = /[^ -$&-*,-~]/
/** An escape, or a character of ASCII that stands for itself. */
const formPiece = /%[0-9a-f]{2}|[ -$&-~]/gi

/** Form decoding (WHATWG URL §5.1), but strict: no stray `%`, and only well-formed UTF-8. */
export const decodeFormText = (raw: string): string | undefined => {
  if (!needsDecoding.test(raw)) return raw
  const spaced = raw.replaceAll('+', ' ')
  const pieces = spaced.match(formPiece) ?? []
  if (pieces.join('').length !== spaced.length) return undefined
  const byteOf = (piece: string): number =>
    piece.length === 1 ? piece.charCodeAt(0) : Number.parseInt(piece.slice(1), 16)
  try {
    return utf8.decode(Uint8Array.from(pieces, byteOf))
  } catch {
    return undefined
  }
}

const echoLengthMax = 64

const namesHint = (name: string, names: readonly string[]): string => {
  const meant = names.find((each) => each.toLowerCase() === name.toLowerCase())
  if (meant !== undefined) return `names are case-sensitive: ${meant}`
  return names.length === 0 ? 'it takes none' : `it takes ${names.join(', ')}`
}

const unknownParameter = (name: string, fields: QueryFields): Problem => {
  const hint = namesHint(name, Object.keys(fields))
  return {
    code: 'unknown_parameter',
    detail: `this endpoint has no such query parameter; ${hint}`,
    param: name.slice(0, echoLengthMax),
  }
}

const invalidParameter = (name: string, field: Field<unknown>): Problem => ({
  code: field.errorCode,
  detail: `${name} must be ${field.rule}`,
  param: name,
})

const repeatedParameter = (name: string): Problem => ({
  code: 'invalid_parameter',
  detail: `${name} must be given once only`,
  param: name,
})

/** A segment without `=` is a name with an empty value, as in forms. */
const splitPair = (segment: string): { readonly rawName: string; readonly rawValue: string } => {
  const at = segment.indexOf('=')
  if (at === -1) return { rawName: segment, rawValue: '' }
  return { rawName: segment.slice(0, at), rawValue: segment.slice(at + 1) }
}

/**
 * Reads a raw query string by a table of fields: every name must be in it, in its case, at most
 * once, and every value well formed. The first fault from the left is told.
 */
export const parseQuery = <Fields extends QueryFields>(
  fields: Fields,
  rawQuery: string,
): Outcome<FieldValues<Fields>, Problem> => {
  const given = new Map<string, unknown>()
  for (const segment of rawQuery.split('&')) {
    if (segment === '') continue
    const { rawName, rawValue } = splitPair(segment)
    const name = decodeFormText(rawName) ?? rawName
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (field === undefined) return failure(unknownParameter(name, fields))
    if (given.has(name)) return failure(repeatedParameter(name))
    const text = decodeFormText(rawValue)
    const value = text === undefined ? undefined : field.parse(text)
    if (value === undefined) return failure(invalidParameter(name, field))
    given.set(name, value)
  }
  const values = Object.entries(fields).map(([name, field]) => [
    name,
    given.has(name) ? given.get(name) : field.absent,
  ])
  return success(Object.fromEntries(values) as FieldValues<Fields>)
}

/** Reads the parameters of a path, which the router has decoded. */
export const parsePath = <Fields extends PathFields>(
  fields: Fields,
  texts: Readonly<Record<string, string>>,
): Outcome<FieldValues<Fields>, Problem> => {
  const values: [string, unknown][] = []
  for (const [name, field] of Object.entries(fields)) {
    const value = field.parse(texts[name] ?? '')
    if (value === undefined) return failure(invalidParameter(name, field))
    values.push([name, value])
  }
  return success(Object.fromEntries(values) as FieldValues<Fields>)
}
