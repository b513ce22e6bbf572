import { Type } from 'typebox'
import { dataStatuses, statusReasons } from '../../domain/status/data-status.ts'
import {
  type PoolQuoteView,
  type SwapQuote,
  swapAssumptions,
  swapQuoteReasons,
  swapSides,
} from '../../domain/views/swap-quote.ts'
import {
  addressSchema,
  bigIntegerSchema,
  countSchema,
  describes,
  feeSchema,
  field,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableBlock,
  nullableRatio,
  nullableTime,
  nullableTokens,
  nullableUsd,
  poolIdSchema,
  record,
  tickSchema,
} from './fields.ts'

/** The state that an answer is of, as in the row of the pool or stock. */
export const originFields = {
  asOfBlock: nullableBlock('Block that the answer is of.', 24_880_420),
  stateTs: nullableTime('Block time of that state.', 1_795_215_598),
  dataStatus: field(Type.Enum([...dataStatuses]), 'Freshness of the row.', 'fresh'),
  statusReasons: field(
    listOf(Type.Enum([...statusReasons])),
    'Why the row is not fresh or not comparable; may be empty.',
    [],
  ),
}

export const rawAmount = (description: string, example: string) =>
  field(
    Type.With(bigIntegerSchema, { 'x-unit': 'smallest units' }) as typeof bigIntegerSchema,
    `${description}, as decimal text.`,
    example,
  )

export const swapQuoteFields = {
  poolId: field(poolIdSchema, 'The pool.', '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'),
  side: field(Type.Enum([...swapSides]), "The trader's side: buy receives stock.", 'buy'),
  exact: field(Type.Enum(['input', 'output']), 'The amount that the order fixes.', 'input'),
  tokenIn: field(
    addressSchema,
    'Token that the trader pays.',
    '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
  ),
  tokenOut: field(
    addressSchema,
    'Token that the trader receives.',
    '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec',
  ),
  amountIn: nullableTokens('Amount paid, with the fee; null without decimals.', 2.5),
  amountInRaw: rawAmount('Amount paid, with the fee', '2500000000000000000'),
  amountOut: nullableTokens('Amount received; null without decimals.', 41.1),
  amountOutRaw: rawAmount('Amount received', '41100000000000000000'),
  filled: field(
    Type.Boolean(),
    'False when the liquidity ends first: the amounts are what is possible.',
    true,
  ),
  midPriceInOther: nullableRatio('Price before the swap.', 0.0606),
  executionPriceInOther: nullableRatio('Price of the amounts, with the fee.', 0.060_827),
  executionPriceUsd: nullableUsd('The same per stock token.', 226.24),
  priceImpactBps: nullableBasisPoints(
    'Value lost against the mid price, without the fee; null for an input of nothing.',
    7.4,
  ),
  feeAmountRaw: rawAmount('Fee in the token paid: LP and protocol fee', '7500000000000000'),
  costBps: nullableBasisPoints('Value lost against the mid price, with the fee.', 37.4),
  sqrtPriceX96After: field(
    bigIntegerSchema,
    'Square root of the raw price after the swap times 2^96, as decimal text.',
    '19503220911872347216350103412',
  ),
  tickAfter: field(tickSchema, 'Tick after the swap.', -28_033),
  liquidityAfter: field(
    bigIntegerSchema,
    'In-range liquidity after the swap, as decimal text.',
    '1517882343751509868544',
  ),
  ticksCrossed: field(countSchema, 'Ticks with positions that the price crosses.', 0),
  fee: field(feeSchema, 'Fee of the input: LP and protocol fee of this direction.', 3_000),
  feeBlock: nullableBlock(
    'Block of the creation, log or read since which the pool has its fee as far as is known.',
    24_880_431,
  ),
}

export const SwapQuoteSchema = describes<SwapQuote>()(
  record('What a swap in a pool would pay and receive.', swapQuoteFields),
)

export const assumptionsField = field(
  listOf(Type.Enum([...swapAssumptions])),
  'What the quote takes for granted; empty without one.',
  [],
)

export const PoolQuoteSchema = describes<PoolQuoteView>()(
  record('What a swap would get in one pool at one block.', {
    quote: field(nullable(SwapQuoteSchema), 'The swap quote; null if it is not known.', null),
    reasons: field(
      listOf(Type.Enum([...swapQuoteReasons])),
      'Why there is no quote; empty with one.',
      [],
    ),
    assumptions: assumptionsField,
    ...originFields,
  }),
)
