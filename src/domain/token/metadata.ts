import { decimalsMax } from '../math/pool-price.ts'
import { known, type Reading, unknown } from '../reading.ts'
import type { Hex } from '../units.ts'
import { cleanText } from './clean-text.ts'
import { decodeText } from './decode-text.ts'

/** Metadata that a token contract reports: display text and a scale, never its identity. */
export type TokenMetadata = {
  readonly symbol: Reading<string>
  readonly name: Reading<string>
  /** 0..36, read and never assumed (docs/methodology.md §2). */
  readonly decimals: Reading<number>
}

/** A call's return data, or why there is none; `unanswered`: the node refused the call. */
export type MetadataAnswer =
  | { readonly ok: true; readonly data: Hex }
  | { readonly ok: false; readonly reason: 'reverted' | 'too-large' | 'unanswered' }

/** Code points, as the API promises for symbols. */
const symbolCharsMax = 32
const nameCharsMax = 64

/** One word in hexadecimal, whatever its case. */
const oneWord = /^0x[0-9a-fA-F]{64}$/

type TextField = 'symbol' | 'name'
export type TextFault<Field extends TextField> =
  `${Field}-${'reverted' | 'too-large' | 'unanswered' | 'malformed' | 'empty'}`

const readText = <Field extends TextField>(
  field: Field,
  answer: MetadataAnswer,
  charsMax: number,
): Reading<string, TextFault<Field>> => {
  if (!answer.ok) return unknown(`${field}-${answer.reason}` as const)
  const raw = decodeText(answer.data)
  if (raw === null) return unknown(`${field}-malformed` as const)
  const text = cleanText(raw, { charsMax })
  return text === null ? unknown(`${field}-empty` as const) : known(text)
}

/** Reasons: `symbol-` and reverted, too-large, unanswered, malformed or empty. */
export const readSymbol = (answer: MetadataAnswer): Reading<string, TextFault<'symbol'>> =>
  readText('symbol', answer, symbolCharsMax)

/** Reasons as for `readSymbol`, of `name`. */
export const readName = (answer: MetadataAnswer): Reading<string, TextFault<'name'>> =>
  readText('name', answer, nameCharsMax)

export type DecimalsFault =
  `decimals-${'reverted' | 'too-large' | 'unanswered' | 'malformed' | 'absurd'}`

/**
 * Exactly one word of 0..36. Other values break indexers that accept them: `decimals()` of
 * 0x67e53c31 once stopped several (Uniswap/v3-subgraph#204).
 */
export const readDecimals = (answer: MetadataAnswer): Reading<number, DecimalsFault> => {
  if (!answer.ok) return unknown(`decimals-${answer.reason}` as const)
  if (!oneWord.test(answer.data)) return unknown('decimals-malformed')
  const value = BigInt(answer.data)
  return value <= BigInt(decimalsMax) ? known(Number(value)) : unknown('decimals-absurd')
}

/** The answers to `symbol()`, `name()` and `decimals()`, each read independently. */
export const readMetadata = (answers: {
  readonly symbol: MetadataAnswer
  readonly name: MetadataAnswer
  readonly decimals: MetadataAnswer
}): TokenMetadata => ({
  symbol: readSymbol(answers.symbol),
  name: readName(answers.name),
  decimals: readDecimals(answers.decimals),
})

const isRefused = (reading: Reading<unknown>): boolean =>
  !reading.known && reading.reason.endsWith('-unanswered')

const fieldsOf = ({ symbol, name, decimals }: TokenMetadata) => [symbol, name, decimals] as const

/** Every field has a value. */
export const isFullyKnown = (token: TokenMetadata): boolean =>
  fieldsOf(token).every(({ known: isKnown }) => isKnown)

/** The node refused a call, so the contract was not heard. */
export const hasUnanswered = (token: TokenMetadata): boolean => fieldsOf(token).some(isRefused)

const laterReading = <T>(before: Reading<T>, now: Reading<T>): Reading<T> =>
  now.known || (!before.known && !isRefused(now)) ? now : before

/** What two readings of a token say: a value is kept, and a refusal replaces nothing. */
export const mergeMetadata = (before: TokenMetadata, now: TokenMetadata): TokenMetadata => ({
  symbol: laterReading(before.symbol, now.symbol),
  name: laterReading(before.name, now.name),
  decimals: laterReading(before.decimals, now.decimals),
})
