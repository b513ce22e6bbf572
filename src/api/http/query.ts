import type { TSchema } from 'typebox'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { type ErrorCode, type Problem, problems } from './problems.ts'

/** A parameter; the check, the error and the documentation all come from this. */
export type Field<T> = {
  readonly description: string
  /** Completes "must be": "an integer from 1 to 50". */
  readonly rule: string
  /** The rule as JSON Schema. */
  readonly schema: TSchema
  /** Returns undefined for malformed text. */
  readonly parse: (text: string) => T | undefined
  /** What completes "must be" for a malformed text, where the rule alone does not say enough. */
  readonly explain?: (text: string) => string
  readonly errorCode: ErrorCode
}

/** A query parameter with the value that it has when absent. */
export type QueryField<T> = Field<T> & { readonly absent: T }

/** A parameter without which a request is rejected. */
export type RequiredField<T> = Field<T> & { readonly absent?: never }

export const isRequired = (field: Field<unknown>): boolean => !('absent' in field)

export type PathFields = Readonly<Record<string, Field<unknown>>>
export type QueryFields = Readonly<Record<string, QueryField<unknown> | RequiredField<unknown>>>
export type FieldValues<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const needsDecoding = /[^ -$&-*,-~]/
/** An escape, or an ASCII character that stands for itself. */
const formToken = /%[0-9a-f]{2}|[ -$&-~]/gi

/** Form decoding (WHATWG URL §5.1), but strict: no stray `%`, and only well-formed UTF-8. */
export const decodeFormText = (raw: string): string | undefined => {
  if (!needsDecoding.test(raw)) return raw
  const spaced = raw.replaceAll('+', ' ')
  const tokens = spaced.match(formToken) ?? []
  if (tokens.join('').length !== spaced.length) return undefined
  const toByte = (token: string): number =>
    token.length === 1 ? token.charCodeAt(0) : Number.parseInt(token.slice(1), 16)
  try {
    return utf8.decode(Uint8Array.from(tokens, toByte))
  } catch {
    return undefined
  }
}

const suggestNames = (name: string, names: readonly string[]): string => {
  const similar = names.find((known) => known.toLowerCase() === name.toLowerCase())
  if (similar !== undefined) return `names are case-sensitive: ${similar}`
  return names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`
}

/** A segment without `=` is a name with an empty value (WHATWG URL §5.1). */
const splitPair = (segment: string): { readonly rawName: string; readonly rawValue: string } => {
  const at = segment.indexOf('=')
  if (at === -1) return { rawName: segment, rawValue: '' }
  return { rawName: segment.slice(0, at), rawValue: segment.slice(at + 1) }
}

/**
 * Parses a raw query string. Every name must be a field, in its case and at most once, and every
 * value well formed. Reports the first problem from the left, then a
 * missing name.
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
    if (field === undefined) {
      return failure(problems.unknownParameter(name, suggestNames(name, Object.keys(fields))))
    }
    if (given.has(name)) return failure(problems.repeatedParameter(name))
    const text = decodeFormText(rawValue)
    const value = text === undefined ? undefined : field.parse(text)
    if (value === undefined) {
      const rule = text === undefined ? field.rule : (field.explain?.(text) ?? field.rule)
      return failure(problems.invalidParameter(name, rule, field.errorCode))
    }
    given.set(name, value)
  }
  for (const [name, field] of Object.entries(fields)) {
    if (isRequired(field) && !given.has(name)) {
      return failure(problems.invalidParameter(name, field.rule, field.errorCode))
    }
  }
  const values = Object.entries(fields).map(([name, field]) => [
    name,
    given.has(name) ? given.get(name) : field.absent,
  ])
  return success(Object.fromEntries(values) as FieldValues<Fields>)
}

/** Parses path parameters, which the router has decoded. */
export const parsePath = <Fields extends PathFields>(
  fields: Fields,
  texts: Readonly<Record<string, string>>,
): Outcome<FieldValues<Fields>, Problem> => {
  const values: [string, unknown][] = []
  for (const [name, field] of Object.entries(fields)) {
    const value = field.parse(texts[name] ?? '')
    if (value === undefined)
      return failure(problems.invalidParameter(name, field.rule, field.errorCode))
    values.push([name, value])
  }
  return success(Object.fromEntries(values) as FieldValues<Fields>)
}
