import { Type } from 'typebox'
import {
  type DecimalAmount,
  type OrderAmount,
  type OrderFault,
  rawAmountMax,
} from '../../domain/swap/order-amount.ts'
import type { StockOrder } from '../../domain/swap/quote-stock.ts'
import { swapSides } from '../../domain/views/swap-quote.ts'
import { type Problem, problems } from '../http/problems.ts'
import type { QueryField, RequiredField } from '../http/query.ts'

/** More than all existing money. */
const usdMax = 1e15
const usdPattern = /^[0-9]{1,16}(\.[0-9]{1,18})?$/
const wholePattern = /^[0-9]{1,78}(\.[0-9]{1,36})?$/
const rawPattern = /^[0-9]{1,78}$/

const parseWhole = (text: string): DecimalAmount | undefined => {
  if (!wholePattern.test(text)) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  const digits = BigInt(whole + fraction)
  return digits > 0n ? { digits, decimals: fraction.length } : undefined
}

const parseRaw = (text: string): bigint | undefined => {
  const raw = rawPattern.test(text) ? BigInt(text) : 0n
  return raw > 0n && raw <= rawAmountMax ? raw : undefined
}

const parseUsd = (text: string): number | undefined => {
  const usd = usdPattern.test(text) ? Number(text) : 0
  return usd > 0 && usd <= usdMax ? usd : undefined
}

const amountField = <T>(
  parts: Omit<QueryField<T>, 'absent' | 'errorCode'>,
): QueryField<T | null> => ({
  ...parts,
  errorCode: 'invalid_parameter',
  absent: null,
})

const wholeField = (token: string) =>
  amountField({
    description: `Amount of the ${token} token, in whole tokens.`,
    rule: "a number above 0 in decimal digits, with at most the token's decimals",
    schema: Type.String({ pattern: wholePattern.source }),
    parse: parseWhole,
  })

const rawField = (token: string) =>
  amountField({
    description: `Amount of the ${token} token, in its smallest units.`,
    rule: 'an integer from 1 to 2^256 - 1 in decimal digits',
    schema: Type.String({ pattern: rawPattern.source }),
    parse: parseRaw,
  })

export const sideField: RequiredField<(typeof swapSides)[number]> = {
  description: 'What the trader does with the stock: buy receives stock, sell pays with it.',
  rule: `one of ${swapSides.join(', ')}`,
  schema: Type.Enum([...swapSides]),
  errorCode: 'invalid_parameter',
  parse: (text) => swapSides.find((side) => side === text),
}

/** Exactly one of them is given. */
export const amountFields = {
  stockAmount: wholeField('stock'),
  otherAmount: wholeField('other'),
  stockAmountRaw: rawField('stock'),
  otherAmountRaw: rawField('other'),
  usd: amountField({
    description: 'US dollars that the token paid is worth, by the prices of the row.',
    rule: `a number above 0 and up to ${usdMax} in decimal digits`,
    schema: Type.Number({ exclusiveMinimum: 0, maximum: usdMax }),
    parse: parseUsd,
  }),
}

type AmountValues = {
  readonly stockAmount: DecimalAmount | null
  readonly otherAmount: DecimalAmount | null
  readonly stockAmountRaw: bigint | null
  readonly otherAmountRaw: bigint | null
  readonly usd: number | null
}

/** The amounts that an endpoint has, each null when absent. */
type SomeAmounts = Partial<AmountValues>

const amountNames = Object.keys(amountFields) as readonly (keyof AmountValues)[]

const listGiven = (values: SomeAmounts): readonly string[] =>
  amountNames.filter((name) => (values[name] ?? null) !== null)

/** The problem of a query without an amount or with several. */
export const checkAmounts = (values: SomeAmounts): Problem | null => {
  const given = listGiven(values)
  const names = amountNames.filter((name) => name in values)
  return given.length === 1 ? null : problems.notExactlyOne(names, given)
}

/** The amount of a query that `checkAmounts` accepts. */
export const toOrderAmount = (values: AmountValues): OrderAmount => {
  const { stockAmount, otherAmount, stockAmountRaw, otherAmountRaw, usd } = values
  if (stockAmount !== null) return { of: 'stock', whole: stockAmount }
  if (otherAmount !== null) return { of: 'other', whole: otherAmount }
  if (stockAmountRaw !== null) return { of: 'stock', raw: stockAmountRaw }
  if (otherAmountRaw !== null) return { of: 'other', raw: otherAmountRaw }
  return { of: 'usd', usd: usd ?? 0 }
}

const ruleOf = (fault: OrderFault): string => {
  switch (fault.kind) {
    case 'too-many-decimals':
      return `a number with at most the ${fault.decimals} decimals of the token`
    case 'too-large':
      return "at most 2^256 - 1 of the token's smallest units"
    case 'too-small':
      return "at least one of the token's smallest units"
  }
}

/** Of an order in all pools of a stock: their other tokens have dollars in common. */
export const stockAmountFields = {
  stockAmount: amountFields.stockAmount,
  usd: {
    ...amountFields.usd,
    description: 'US dollars that the input is worth: by references, of stock by the mid price.',
  },
}

/** The amount of a query that `checkAmounts` accepts. */
export const toStockOrderAmount = ({
  stockAmount,
  usd,
}: Pick<AmountValues, 'stockAmount' | 'usd'>): StockOrder['amount'] =>
  stockAmount === null ? { usd: usd ?? 0 } : { whole: stockAmount }

/** Names the amount that does not fit the tokens. */
export const orderProblem = (values: SomeAmounts, fault: OrderFault): Problem =>
  problems.invalidParameter(listGiven(values).join(), ruleOf(fault))
