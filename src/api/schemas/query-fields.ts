import { Type } from 'typebox'
import { type RangeName, rangeNames } from '../../domain/series/series-range.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { StockKey } from '../../market/stock-key.ts'
import type { Field, QueryField } from '../http/query.ts'
import { limitDefault, limitMax, offsetMax } from './page.ts'

type FieldParts<T> = Omit<Field<T>, 'errorCode'>

export const optionalField = <T, Absent>(
  parts: FieldParts<T>,
  absent: Absent,
): QueryField<T | Absent> => ({
  ...parts,
  errorCode: 'invalid_parameter',
  absent,
})

const plainDigits = /^[0-9]+$/
/** With some leading zeros. */
const digitsMin = 9

const integerParts = (description: string, min: number, max: number): FieldParts<number> => ({
  description,
  rule: `an integer from ${min} to ${max} in decimal digits`,
  schema: Type.Integer({ minimum: min, maximum: max }),
  parse: (text) => {
    const isPlain = plainDigits.test(text)
    const isShort = text.length <= Math.max(digitsMin, String(max).length)
    const value = isPlain && isShort ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  },
})

export const integerField = <Absent>(
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
  absent: Absent,
): QueryField<number | Absent> => optionalField(integerParts(description, min, max), absent)

export const limitField = optionalField(integerParts('Rows per page.', 1, limitMax), limitDefault)
export const offsetField = optionalField(integerParts('Rows to skip.', 0, offsetMax), 0)

export const choiceField = <const T extends string, const Absent>(
  description: string,
  choices: readonly T[],
  absent: Absent,
): QueryField<T | Absent> =>
  optionalField(
    {
      description,
      rule: `one of ${choices.join(', ')}`,
      schema: Type.Enum([...choices]),
      parse: (text) => choices.find((choice) => choice === text),
    },
    absent,
  )

const truths = new Map([
  ['true', true],
  ['false', false],
])

export const booleanField = (description: string): QueryField<boolean | null> =>
  optionalField(
    {
      description,
      rule: 'true or false',
      schema: Type.Boolean(),
      parse: (text) => truths.get(text),
    },
    null,
  )

export const rangeField: QueryField<RangeName> = choiceField(
  'Time range of the series, up to the last indexed block.',
  rangeNames,
  '24h',
)

const tickerPattern = /^[A-Za-z0-9.-]{1,16}$/
const tickerRule = '1 to 16 letters, digits, dots or hyphens'

export const symbolField: QueryField<string | null> = optionalField(
  {
    description: 'Only pools with this stock on either side; case-insensitive.',
    rule: `a ticker of ${tickerRule}`,
    schema: Type.String({ pattern: tickerPattern.source }),
    parse: (text) => (tickerPattern.test(text) ? text.toUpperCase() : undefined),
  },
  null,
)

const searchCodePointsMax = 80
/** C0, DEL and C1, which no name or address contains. */
const controlCharacter = /\p{Cc}/u

const parseSearch = (text: string): string | null | undefined => {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const isValid = [...trimmed].length <= searchCodePointsMax && !controlCharacter.test(trimmed)
  return isValid ? trimmed : undefined
}

export const searchField = (description: string): QueryField<string | null> =>
  optionalField(
    {
      description,
      rule: `UTF-8 of at most ${searchCodePointsMax} characters without control characters`,
      schema: Type.String({
        maxLength: searchCodePointsMax,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
      }),
      parse: parseSearch,
    },
    null,
  )

/** As in a network file. */
const venuePattern = /^[^\p{Cc}]{1,40}$/u

export const venueField: QueryField<string | null> = optionalField(
  {
    description: 'Only pools of the venues with this name, such as Uniswap v3; case-insensitive.',
    rule: '1 to 40 characters without control characters',
    schema: Type.String({
      minLength: 1,
      maxLength: 40,
      pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
    }),
    parse: (text) => (venuePattern.test(text) ? text.toLowerCase() : undefined),
  },
  null,
)

/** More than all existing money. */
const usdMax = 1e15
const decimalNumber = /^[0-9]{1,16}(\.[0-9]{1,18})?$/

export const usdMinField = (description: string): QueryField<number | null> =>
  optionalField(
    {
      description,
      rule: `a number of US dollars from 0 to ${usdMax} in decimal digits`,
      schema: Type.Number({ minimum: 0, maximum: usdMax }),
      parse: (text) => {
        const value = decimalNumber.test(text) ? Number(text) : Number.NaN
        return value <= usdMax ? value : undefined
      },
    },
    null,
  )

const lowerHex = (text: string) => text.toLowerCase() as `0x${string}`

const poolIdPattern = /^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/

export const poolIdField: Field<PoolId> = {
  description: 'v3: the pool address. v4: the PoolId. Case-insensitive.',
  rule: '0x and 40 or 64 hexadecimal digits',
  schema: Type.String({ pattern: poolIdPattern.source }),
  errorCode: 'invalid_pool_id',
  parse: (text) => (poolIdPattern.test(text) ? lowerHex(text) : undefined),
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/

export const stockKeyField: Field<StockKey> = {
  description: 'The ticker or the address of the stock token; case-insensitive.',
  rule: `a ticker of ${tickerRule}, or the address of a token`,
  schema: Type.String({ pattern: `${tickerPattern.source}|${addressPattern.source}` }),
  errorCode: 'invalid_parameter',
  parse: (text) => {
    if (addressPattern.test(text)) return { address: lowerHex(text) }
    return tickerPattern.test(text) ? { symbol: text.toUpperCase() } : undefined
  },
}

export const addressField = (description: string): QueryField<Address | null> =>
  optionalField(
    {
      description,
      rule: 'an address: 0x and 40 hexadecimal digits',
      schema: Type.String({ pattern: addressPattern.source }),
      parse: (text) => (addressPattern.test(text) ? lowerHex(text) : undefined),
    },
    null,
  )
