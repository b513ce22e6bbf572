import { Type } from 'typebox'
import { segmentsMax } from '../../domain/swap/liquidity-segments.ts'
import {
  type BandAmounts,
  type DepthProfile,
  type LadderFill,
  type LadderStep,
  type LiquiditySegment,
  type PoolDepthView,
  type PriceBand,
  segmentChoices,
} from '../../domain/views/pool-depth.ts'
import {
  basisPointsSchema,
  bigIntegerSchema,
  describes,
  field,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableRatio,
  nullableUsd,
  ratioSchema,
  record,
  tickSchema,
  tokensSchema,
  usdSchema,
} from './fields.ts'
import { choiceField } from './query-fields.ts'
import { originFields } from './swap-quote.ts'

export const segmentsField = choiceField(
  'Liquidity segments: none, near (from half to twice the price), or all (the nearest).',
  segmentChoices,
  'near',
)

const BandAmountsSchema = describes<BandAmounts>()(
  record('What moves the price so far, without the fee.', {
    stockAmount: field(tokensSchema, 'Stock tokens that change hands.', 117.2),
    otherAmount: field(tokensSchema, 'Other tokens that change hands.', 7.14),
    usd: nullableUsd('Value of the trusted side.', 26_556.8),
  }),
)

const PriceBandSchema = describes<PriceBand>()(
  record('Trades that move the price by so many basis points.', {
    bps: field(basisPointsSchema, 'How far the price of the stock moves.', 100),
    buy: field(BandAmountsSchema, 'The price of the stock rises so far.', null),
    sell: field(BandAmountsSchema, 'The price of the stock falls so far.', null),
  }),
)

const LadderFillSchema = describes<LadderFill>()(
  record('What the order would get.', {
    executionPriceUsd: nullableUsd('Price per stock token, with the fee.', 226.24),
    priceImpactBps: nullableBasisPoints('Value lost against the mid price, without the fee.', 7.4),
    filled: field(Type.Boolean(), 'False when the liquidity ends first.', true),
  }),
)

const LadderStepSchema = describes<LadderStep>()(
  record('An order of so many dollars in both directions.', {
    usd: field(usdSchema, 'Value of what the trader pays.', 10_000),
    buy: field(nullable(LadderFillSchema), 'Buying stock; null without a swap quote.', null),
    sell: field(nullable(LadderFillSchema), 'Selling stock; null without a swap quote.', null),
  }),
)

const LiquiditySegmentSchema = describes<LiquiditySegment>()(
  record('Liquidity between two neighbouring ticks with positions.', {
    tickLower: field(tickSchema, 'Lower tick.', -28_080),
    tickUpper: field(tickSchema, 'Upper tick.', -27_960),
    priceLower: field(ratioSchema, "Lower end in the stock's price.", 0.060_33),
    priceUpper: field(ratioSchema, "Upper end in the stock's price.", 0.061_06),
    liquidity: field(bigIntegerSchema, 'Liquidity, as decimal text.', '1517882343751509868544'),
    stockAmount: field(tokensSchema, 'Stock tokens within.', 18.3),
    otherAmount: field(tokensSchema, 'Other tokens within.', 0.41),
    usd: nullableUsd('Value of both.', 5_649.8),
  }),
)

const DepthProfileSchema = describes<DepthProfile>()(
  record('What trades of any size meet in one pool.', {
    midPriceInOther: nullableRatio('Present price.', 0.0606),
    bands: field(listOf(PriceBandSchema), 'By ascending distance.', []),
    ladder: field(listOf(LadderStepSchema), 'By ascending size.', []),
    segments: field(
      listOf(LiquiditySegmentSchema, segmentsMax),
      'Liquidity around the price, by ascending price; those without liquidity are left out.',
      [],
    ),
  }),
)

export const PoolDepthSchema = describes<PoolDepthView>()(
  record('Depth of one pool at one block.', {
    depth: field(
      nullable(DepthProfileSchema),
      'Null if swaps of the pool cannot be simulated.',
      null,
    ),
    ...originFields,
  }),
)

export const depthSchemas = {
  BandAmounts: BandAmountsSchema,
  LadderFill: LadderFillSchema,
  LadderStep: LadderStepSchema,
  LiquiditySegment: LiquiditySegmentSchema,
  DepthProfile: DepthProfileSchema,
  PoolDepth: PoolDepthSchema,
  PriceBand: PriceBandSchema,
}
