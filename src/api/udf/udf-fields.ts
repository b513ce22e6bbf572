import { Type } from 'typebox'
import type { CandleWidthName } from '../../domain/history/candle-range.ts'
import type { PoolId } from '../../domain/units.ts'
import type { StockKey } from '../../market/stock-key.ts'
import type { Field, RequiredField } from '../http/query.ts'
import { poolIdField, stockKeyField } from '../schemas/query-fields.ts'

/** Shown as the exchange, and before the colon of a symbol's full name. */
export const udfExchange = 'STOCKPOOLS'

const widths: ReadonlyMap<string, CandleWidthName> = new Map([
  ['1', '1m'],
  ['5', '5m'],
  ['15', '15m'],
  ['60', '1h'],
  ['240', '4h'],
  ['1D', '1d'],
  ['D', '1d'],
])

/** As the library writes them; it builds weeks and months from days by itself. */
export const udfResolutions = ['1', '5', '15', '60', '240', '1D'] as const
export const intradayMultipliers = ['1', '5', '15', '60', '240'] as const

export type UdfSymbol = { readonly pool: PoolId } | { readonly stock: StockKey }

const parseSymbol = (text: string): UdfSymbol | undefined => {
  const prefix = `${udfExchange}:`
  const ticker = text.startsWith(prefix) ? text.slice(prefix.length) : text
  const pool = poolIdField.parse(ticker)
  if (pool !== undefined) return { pool }
  const stock = stockKeyField.parse(ticker)
  return stock === undefined ? undefined : { stock }
}

const required = <T>(
  description: string,
  rule: string,
  parse: (text: string) => T | undefined,
): RequiredField<T> => ({
  ...{ description, rule, parse },
  schema: Type.String(),
  errorCode: 'invalid_parameter',
})

export const udfSymbolField = required(
  'A ticker of a stock, or the id of a pool.',
  'a ticker of a stock or the id of a pool',
  parseSymbol,
)

export const udfResolutionField = required(
  'Width of a bar.',
  `one of ${udfResolutions.join(', ')}`,
  (text) => widths.get(text),
)

const plainInteger = /^-?[0-9]{1,12}$/

/** The library scrolls to times before 1970. */
const parseTime = (text: string): number | undefined =>
  plainInteger.test(text) ? Number(text) : undefined

const timeRule = 'a whole number of Unix seconds'

export const udfFromField: Field<number> & { readonly absent: null } = {
  ...required('First time, included.', timeRule, parseTime),
  absent: null,
}
export const udfToField = required('Last time, not included.', timeRule, parseTime)
