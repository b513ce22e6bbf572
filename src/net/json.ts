import { failure, type Outcome, success } from '../domain/outcome.ts'
import type { Address, Hex } from '../domain/units.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export type Revive = (key: string, value: unknown) => unknown

/** Returns a failure for invalid JSON instead of throwing. */
export const parseJson = (text: string, revive?: Revive): Outcome<unknown, 'not-json'> => {
  try {
    return success(JSON.parse(text, revive))
  } catch (error) {
    // RangeError: the body is nested too deeply for the parser's stack.
    if (error instanceof SyntaxError || error instanceof RangeError) return failure('not-json')
    throw error
  }
}

const decimalPattern = /^-?\d{1,40}(?:\.\d{1,80})?$/

/** A plain decimal number or text; null for hexadecimal, exponents, NaN and ''. */
export const readDecimal = (value: unknown): number | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  return typeof value === 'string' && decimalPattern.test(value) ? Number(value) : null
}

/** A decimal of zero or more. */
export const readAmount = (value: unknown): number | null => {
  const amount = readDecimal(value)
  return amount !== null && amount >= 0 ? amount : null
}

/** Lowercase hexadecimal text of this pattern; null for anything else. */
export const readLowercase = (value: unknown, pattern: RegExp): Hex | null => {
  if (typeof value !== 'string') return null
  // JSON-RPC nodes send lowercase, for every log: that case costs one pattern.
  if (pattern.test(value)) return value as Hex
  const lower = value.toLowerCase()
  return pattern.test(lower) ? (lower as Hex) : null
}

const addressPattern = /^0x[0-9a-f]{40}$/

export const readAddress = (value: unknown): Address | null => readLowercase(value, addressPattern)
