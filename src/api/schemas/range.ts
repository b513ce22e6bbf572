import { Type } from 'typebox'
import {
  type LiquidityRange,
  type PoolRangesView,
  type RangeWindow,
  rangeReasons,
} from '../../domain/views/range-earnings.ts'
import { type Problem, problems } from '../http/problems.ts'
import type { QueryField, RequiredField } from '../http/query.ts'
import {
  countSchema,
  describes,
  field,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableTokens,
  nullableUsd,
  poolIdSchema,
  ratioSchema,
  record,
  tickSchema,
  unixSecondsSchema,
  usdSchema,
} from './fields.ts'
import { originFields } from './swap-quote.ts'

const pricePattern = /^[0-9]{1,31}(\.[0-9]{1,36})?$/
/** A higher one is no price of a pool whose tokens have up to 36 decimals. */
const priceMax = 1e30
const usdPattern = /^[0-9]{1,16}(\.[0-9]{1,18})?$/
/** More than all existing money. */
const usdMax = 1e15
const usdDefault = 1_000

const positive = (text: string, pattern: RegExp, max: number): number | undefined => {
  const value = pattern.test(text) ? Number(text) : 0
  return value > 0 && value <= max ? value : undefined
}

export const rangeBoundField = (what: string): RequiredField<number> => ({
  description: `${what}, in other tokens per stock token.`,
  rule: `a number above 0 and up to ${priceMax} in decimal digits`,
  schema: Type.Number({ exclusiveMinimum: 0, maximum: priceMax }),
  errorCode: 'invalid_parameter',
  parse: (text) => positive(text, pricePattern, priceMax),
})

export const rangeUsdField: QueryField<number> = {
  description: 'US dollars put in at the start of each window.',
  rule: `a number above 0 and up to ${usdMax} in decimal digits`,
  schema: Type.Number({ exclusiveMinimum: 0, maximum: usdMax }),
  errorCode: 'invalid_parameter',
  absent: usdDefault,
  parse: (text) => positive(text, usdPattern, usdMax),
}

/** What single fields cannot check. */
export const checkRange = ({
  lower,
  upper,
}: {
  readonly lower: number
  readonly upper: number
}): Problem | null => (lower < upper ? null : problems.invalidParameter('lower', 'below `upper`'))

const part = (unit: string) => Type.Number({ minimum: 0, 'x-unit': unit })

const LiquidityRangeSchema = describes<LiquidityRange>()(
  record('The range as a position can have it, at ticks of the pool.', {
    tickLower: field(tickSchema, 'Its lower tick.', -230_280),
    tickUpper: field(tickSchema, 'Its upper tick.', -228_300),
    priceLower: field(ratioSchema, 'Price at its lower end.', 181.2),
    priceUpper: field(ratioSchema, 'Price at its upper end.', 220.9),
  }),
)

const RangeWindowSchema = describes<RangeWindow>()(
  record('What the position would have made of a time.', {
    fromTs: field(unixSecondsSchema, 'When the dollars are put in.', 1_795_129_198),
    toTs: field(unixSecondsSchema, 'Time of the last indexed block.', 1_795_215_598),
    complete: field(
      Type.Boolean(),
      'Whether all of the day or week counts, or all of the life of a younger pool.',
      true,
    ),
    swaps: field(countSchema, 'Swaps of that time.', 812),
    inRangeShare: field(
      nullable(part('part of the time')),
      'Part of the time in which the price was inside the range.',
      0.93,
    ),
    feesStock: nullableTokens('Fees earned in the stock token.', 0.011),
    feesOther: nullableTokens('Fees earned in the other token.', 2.31),
    feesUsd: nullableUsd('Fees earned, each valued at its swap.', 4.4),
    feeApr: field(
      nullable(part('part of one a year')),
      'These fees by the dollars put in, at the rate of a year; 0.5 is 50 % a year.',
      1.6,
    ),
    heldUsd: nullableUsd(
      'What the tokens put in are worth now, by the prices of the row.',
      1_004.2,
    ),
    positionUsd: nullableUsd('What the position is worth now, without fees.', 1_002.9),
    versusHoldingBps: nullableBasisPoints(
      'The position without fees over the tokens kept, by the price of the pool; never above 0.',
      -13,
    ),
    netUsd: field(
      nullable(Type.Number({ 'x-unit': 'US dollars' })),
      '`positionUsd` + `feesUsd` − `heldUsd`.',
      3.1,
    ),
    reasons: field(
      listOf(Type.Enum([...rangeReasons])),
      'Why numbers are null, or why the time is shorter; may be empty.',
      [],
    ),
  }),
)

export const PoolRangesSchema = describes<PoolRangesView>()(
  record('What a position in a range would have earned, at the prices and swaps that were.', {
    poolId: field(poolIdSchema, 'The pool.', '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'),
    usd: field(usdSchema, 'Dollars put in.', 1_000),
    range: Type.With(nullable(LiquidityRangeSchema), {
      description: 'The range; null without price and decimals.',
    }) as ReturnType<typeof nullable<typeof LiquidityRangeSchema>>,
    day: Type.With(RangeWindowSchema, { description: 'The last 24 hours.' }),
    week: Type.With(RangeWindowSchema, { description: 'The last seven days.' }),
    ...originFields,
  }),
)

export const rangeSchemas = {
  LiquidityRange: LiquidityRangeSchema,
  PoolRanges: PoolRangesSchema,
  RangeWindow: RangeWindowSchema,
} as const
