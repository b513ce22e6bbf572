import { failure, type Outcome, success } from '../domain/outcome.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** As `JSON.parse` takes it: what becomes of a value. */
export type Revive = (key: string, value: unknown) => unknown

/** Any text; one that is not JSON is a failure, not an exception. */
export const parseJson = (text: string, revive?: Revive): Outcome<unknown, 'not-json'> => {
  try {
    return success(JSON.parse(text, revive))
  } catch (error) {
    // A body may also be nested too deep for the parser's stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return failure('not-json')
    throw error
  }
}

const decimalPattern = /^-?\d{1,40}(?:\.\d{1,80})?$/

/** A plain decimal, as number or as text; null for all else: hexadecimal, exponents, NaN, ''. */
export const decimalOf = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && decimalPattern.test(value) ? Number(value) : null
}

/** A decimal of zero or more. */
export const amountOf = (value: unknown): number | null => {
  const amount = decimalOf(value)
  return amount !== null && amount >= 0 ? amount : null
}

const addressPattern = /^0x[0-9a-f]{40}$/i

/** An address of any case in lowercase; null for anything else. */
export const addressOf = (value: unknown): `0x${string}` | null =>
  typeof value === 'string' && addressPattern.test(value)
    ? `0x${value.slice(2).toLowerCase()}`
    : null
