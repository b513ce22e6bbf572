import { Type } from 'typebox'
import { seriesRowsMax } from '../../domain/series/series-range.ts'
import type {
  PoolDetailView,
  PoolSeriesRow,
  ScreenerCheck,
  SwapView,
} from '../../domain/views/pool.ts'
import {
  addressSchema,
  bigIntegerSchema,
  blockSchema,
  countSchema,
  describes,
  feeSchema,
  field,
  hashSchema,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableRatio,
  nullableTokens,
  nullableUsd,
  record,
  tickSchema,
  unixSecondsSchema,
  usdSchema,
} from './fields.ts'
import { PoolSchema } from './pool.ts'

/** By the interface document. */
const swapRowsMax = 100

export const bucketTsField = field(
  unixSecondsSchema,
  'Start of the bucket, aligned to the epoch.',
  1_795_215_600,
)
export const closedField = field(
  Type.Boolean(),
  'False for the last bucket, which still grows.',
  true,
)

export const PoolSeriesRowSchema = describes<PoolSeriesRow>()(
  record('One bucket of time. Its numbers are null if the index misses blocks of it.', {
    ts: bucketTsField,
    open: nullableRatio('First price.', 0.0602),
    high: nullableRatio('Highest price.', 0.0611),
    low: nullableRatio('Lowest price.', 0.0601),
    close: nullableRatio('Last price.', 0.0606),
    stockPriceInOther: nullableRatio("Price at the bucket's end.", 0.0606),
    stockPriceUsd: nullableUsd("Price of one stock token at the bucket's end.", 225.4),
    otherPriceUsd: nullableUsd("Price of one other token at the bucket's end.", 3_719.47),
    liquidityUsd: nullableUsd("Value of the reserves at the bucket's end.", 2_308_933.2),
    volumeUsd: nullableUsd('Traded in the bucket.', 1_204.11),
    swaps: field(nullable(countSchema), 'Swaps in the bucket.', 3),
    closed: closedField,
  }),
)

export const SwapSchema = describes<SwapView>()(
  record('One confirmed swap. (txHash, logIndex) is unique.', {
    txHash: field(
      hashSchema,
      'The transaction.',
      '0x5f1c7b9ae1d54c0a7f6f52b1b1c1d4b75a3a1f4c2f6f0e7d8c9b0a1f2e3d4c5b',
    ),
    logIndex: field(
      Type.Integer({ minimum: 0, 'x-unit': 'position in the block' }),
      'Which log of the block.',
      17,
    ),
    block: field(blockSchema, 'Its block.', 24_880_412),
    ts: field(unixSecondsSchema, 'Time of its block.', 1_795_215_600),
    side: field(
      Type.Enum(['buy', 'sell']),
      "The trader's side: buy means that stock leaves the pool.",
      'buy',
    ),
    stockAmount: nullableTokens('Stock tokens that changed hands.', 1.5),
    otherAmount: nullableTokens('Other tokens that changed hands.', 0.0909),
    priceInOther: nullableRatio('The executed price; null when no stock token moved.', 0.0606),
    amountUsd: nullableUsd('Value of the trusted leg at its own time.', 338.1),
    sender: field(
      addressSchema,
      'Who called the pool; usually a router.',
      '0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
    ),
    recipient: field(
      nullable(addressSchema),
      'Who received; null in v4, whose event names nobody.',
      '0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be',
    ),
    fee: field(feeSchema, 'The fee that the swap paid: LP and protocol, never the hook.', 3_000),
    sqrtPriceX96: field(
      bigIntegerSchema,
      'Square root of the raw price after the swap times 2^96, as decimal text.',
      '79228162514264337593543950336',
    ),
    tick: field(tickSchema, 'The tick after the swap.', -28_040),
  }),
)

export const ScreenerCheckSchema = describes<ScreenerCheck>()(
  record("A third party's word on the pool beside ours; it never enters our own numbers.", {
    liquidityUsd: field(usdSchema, 'What it says that both sides are worth.', 2_288_120),
    ts: field(unixSecondsSchema, 'When it said so.', 1_795_215_570),
    differenceBps: nullableBasisPoints(
      'How much more that is than ours, by whole reserves; null if the two can not be compared.',
      -90.1,
    ),
    agrees: field(
      nullable(Type.Boolean()),
      'Whether the two are within a tenth; null if they can not be compared.',
      true,
    ),
  }),
)

export const PoolDetailSchema = describes<PoolDetailView>()(
  record('A pool, its series and its latest swaps, all of one snapshot.', {
    pool: PoolSchema,
    series: field(listOf(PoolSeriesRowSchema, seriesRowsMax), 'Buckets, oldest first.', []),
    swaps: field(listOf(SwapSchema, swapRowsMax), 'Swaps within the range, newest first.', []),
    screener: field(
      nullable(ScreenerCheckSchema),
      'What a screener says of it; null if none did.',
      null,
    ),
  }),
)
