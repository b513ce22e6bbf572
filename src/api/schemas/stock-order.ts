import { Type } from 'typebox'
import { excludedPoolsMax, orderPoolsMax } from '../../domain/swap/stock-pools.ts'
import {
  type ExcludedPool,
  type PooledDepth,
  poolExclusions,
  type SplitQuote,
  type SplitQuoteLeg,
  type StockBand,
  type StockDepthView,
  type StockQuoteView,
  stockOrderReasons,
} from '../../domain/views/stock-order.ts'
import { swapSides } from '../../domain/views/swap-quote.ts'
import {
  describes,
  field,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableUsd,
  poolIdSchema,
  record,
  shareSchema,
  usdSchema,
} from './fields.ts'
import { assumptionsField, originFields, rawAmount, swapQuoteFields } from './swap-quote.ts'

const tokensSchema = Type.Number({ minimum: 0, 'x-unit': 'whole tokens' })
/** Those of the market, and those that only their tick maps exclude. */
const excludedMax = excludedPoolsMax + orderPoolsMax
const poolIdExample = '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'

const ExcludedPoolSchema = describes<ExcludedPool>()(
  record('A pool that takes no part.', {
    poolId: field(poolIdSchema, 'The pool.', poolIdExample),
    reason: field(Type.Enum([...poolExclusions]), 'Why it takes no part.', 'hook_unreviewed'),
  }),
)

/** What both answers have in common. */
const commonFields = {
  reasons: field(
    listOf(Type.Enum([...stockOrderReasons])),
    'Why there is no answer; empty with one.',
    [],
  ),
  assumptions: assumptionsField,
  excluded: field(
    listOf(ExcludedPoolSchema, excludedMax),
    'Pools against trusted tokens that take no part, the deepest first.',
    [],
  ),
  ...originFields,
}

const midPriceField = field(
  usdSchema,
  'Present price of one token in the best pool, or in the deepest that takes part.',
  225.61,
)

export const SplitQuoteLegSchema = describes<SplitQuoteLeg>()(
  record('The part of a pool: its own swap quote.', {
    share: field(shareSchema, 'Part of the amount that the order fixes.', 0.62),
    ...swapQuoteFields,
  }),
)

export const SplitQuoteSchema = describes<SplitQuote>()(
  record('What an order would pay and receive in the pools of a stock.', {
    side: field(Type.Enum([...swapSides]), "The trader's side: buy receives stock.", 'buy'),
    exact: field(Type.Enum(['input', 'output']), 'The amount that the order fixes.', 'input'),
    stockAmount: field(tokensSchema, 'Stock paid or received.', 44.2),
    stockAmountRaw: rawAmount('Stock paid or received', '44200000000000000000'),
    usd: field(usdSchema, 'Other tokens received or paid, by their references.', 10_000),
    filled: field(
      Type.Boolean(),
      'False when the liquidity of all pools ends first: the amounts are what is possible.',
      true,
    ),
    midPriceUsd: midPriceField,
    executionPriceUsd: nullableUsd('Dollars per stock token of the amounts, with fees.', 226.24),
    priceImpactBps: nullableBasisPoints(
      'Value lost against the mid price, without fees; negative if other pools are cheaper.',
      4.1,
    ),
    costBps: nullableBasisPoints('Value lost against the mid price, with fees.', 28.6),
    singlePoolId: field(
      nullable(poolIdSchema),
      'The best pool for the whole order; null if none can fill it.',
      poolIdExample,
    ),
    savedBps: nullableBasisPoints(
      'How much more the split pays, or how much less it asks, than that pool.',
      11.9,
    ),
    legs: field(
      listOf(SplitQuoteLegSchema, orderPoolsMax),
      'The pools that are used, by share.',
      [],
    ),
  }),
)

export const StockQuoteSchema = describes<StockQuoteView>()(
  record('The best split of an order over the pools of a stock at one block.', {
    quote: field(nullable(SplitQuoteSchema), 'The split; null without a usable pool.', null),
    ...commonFields,
  }),
)

const bandSide = (description: string) =>
  record(description, {
    stockAmount: field(tokensSchema, 'Stock bought or sold.', 1204.5),
    usd: field(usdSchema, 'Other tokens paid or received, by their references.', 272_400),
  })

const StockBandSchema = describes<StockBand>()(
  record('A distance from the mid price.', {
    bps: field(Type.Integer({ minimum: 1, 'x-unit': 'basis points' }), 'The distance.', 100),
    buy: bandSide('Bought until every pool is at least so far above the mid price, without fees.'),
    sell: bandSide('Sold until every pool is at least so far below the mid price, without fees.'),
  }),
)

export const PooledDepthSchema = describes<PooledDepth>()(
  record('What moves the price in all pools of a stock.', {
    midPriceUsd: midPriceField,
    bands: field(listOf(StockBandSchema, 3), 'By distance: 1, 2 and 5 %.', []),
    usdToMove1Pct: field(usdSchema, 'Dollars of the first band, the cheaper side.', 268_100),
    topPoolId: field(
      nullable(poolIdSchema),
      'Pool with the most dollars of both sides of that band.',
      poolIdExample,
    ),
    topPoolShare: field(
      nullable(shareSchema),
      'Its part of them; null if the band is empty.',
      0.81,
    ),
  }),
)

export const StockDepthSchema = describes<StockDepthView>()(
  record('How much trades in the pools of a stock around its present price, at one block.', {
    depth: field(nullable(PooledDepthSchema), 'Null without a usable pool.', null),
    ...commonFields,
  }),
)
