import { Type } from 'typebox'
import { seriesRowsMax } from '../../domain/series/series-range.ts'
import {
  type HookReview,
  hookVerdicts,
  type PastBlockView,
  type PoolDetailView,
  type PoolSeriesRow,
  type ScreenerCheck,
  type SwapView,
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

/** Promised by docs/api.md. */
const swapRowsMax = 100

export const bucketTsField = field(
  unixSecondsSchema,
  'Start of the bucket, aligned to the epoch.',
  1_795_215_600,
)
export const closedField = field(
  Type.Boolean(),
  'False for the last bucket, which still changes.',
  true,
)

export const PoolSeriesRowSchema = describes<PoolSeriesRow>()(
  record('One time bucket. Its numbers are null if the index lacks blocks of it.', {
    ts: bucketTsField,
    open: nullableRatio('First price.', 0.0602),
    high: nullableRatio('Highest price.', 0.0611),
    low: nullableRatio('Lowest price.', 0.0601),
    close: nullableRatio('Last price.', 0.0606),
    stockPriceInOther: nullableRatio("Price at the bucket's end.", 0.0606),
    stockPriceUsd: nullableUsd("Price of one stock token at the bucket's end.", 225.4),
    otherPriceUsd: nullableUsd("Price of one other token at the bucket's end.", 3_719.47),
    liquidityUsd: nullableUsd("Value of the reserves at the bucket's end.", 2_308_933.2),
    volumeUsd: nullableUsd('Volume in the bucket.', 1_204.11),
    swaps: field(nullable(countSchema), 'Swaps in the bucket.', 3),
    closed: closedField,
  }),
)

export const SwapSchema = describes<SwapView>()(
  record('One confirmed swap. (txHash, logIndex) is unique.', {
    txHash: field(
      hashSchema,
      'Transaction of the swap.',
      '0x5f1c7b9ae1d54c0a7f6f52b1b1c1d4b75a3a1f4c2f6f0e7d8c9b0a1f2e3d4c5b',
    ),
    logIndex: field(
      Type.Integer({ minimum: 0, 'x-unit': 'position in the block' }),
      'Index of the log in the block.',
      17,
    ),
    block: field(blockSchema, 'Block of the swap.', 24_880_412),
    ts: field(unixSecondsSchema, 'Time of the block.', 1_795_215_600),
    side: field(
      Type.Enum(['buy', 'sell']),
      "The trader's side: with buy, stock leaves the pool.",
      'buy',
    ),
    stockAmount: nullableTokens('Stock tokens that changed hands.', 1.5),
    otherAmount: nullableTokens('Other tokens that changed hands.', 0.0909),
    priceInOther: nullableRatio('Executed price; null if no stock token moved.', 0.0606),
    amountUsd: nullableUsd('Value of the trusted side at the time of the swap.', 338.1),
    sender: field(
      addressSchema,
      'Caller of the pool, usually a router.',
      '0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
    ),
    recipient: field(
      nullable(addressSchema),
      'Recipient; null in v4, whose event has none.',
      '0x3f5ce5fbfe3e9af3971dd833d26ba9b5c936f0be',
    ),
    fee: field(
      nullable(feeSchema),
      'Fee paid by the swap: LP and protocol fee, without the hook; null if no log says it.',
      3_000,
    ),
    sqrtPriceX96: field(
      bigIntegerSchema,
      'Square root of the raw price after the swap times 2^96, as decimal text.',
      '79228162514264337593543950336',
    ),
    tick: field(tickSchema, 'Tick after the swap.', -28_040),
    implausible: field(
      Type.Boolean(),
      'Worth at least $1,000 and more than ten times what its pool held before its block.',
      false,
    ),
  }),
)

export const ScreenerCheckSchema = describes<ScreenerCheck>()(
  record("A third party's value for comparison; it never enters the service's own numbers.", {
    liquidityUsd: field(usdSchema, 'Value of both sides according to the screener.', 2_288_120),
    ts: field(unixSecondsSchema, 'Time of the value.', 1_795_215_570),
    differenceBps: nullableBasisPoints(
      'Difference from the value of the complete reserves; null if they cannot be compared.',
      -90.1,
    ),
    agrees: field(
      nullable(Type.Boolean()),
      'Whether both values are within a tenth; null if they cannot be compared.',
      true,
    ),
  }),
)

export const HookReviewSchema = describes<HookReview>()(
  record("What is known of the pool's hook.", {
    verdict: field(
      Type.Enum([...hookVerdicts]),
      'reviewed: the network file lists it; harmless: it acts on liquidity only; else unreviewed.',
      'reviewed',
    ),
    note: field(
      nullable(Type.String({ maxLength: 500 })),
      'What the operator found in a reviewed hook.',
      null,
    ),
  }),
)

export const PastBlockSchema = describes<PastBlockView>()(
  record('The past block of a reply.', {
    block: field(blockSchema, 'The record is as it was after this block.', 24_880_412),
    ts: field(
      unixSecondsSchema,
      'Time of `tsBlock`, at which the record is judged.',
      1_795_215_600,
    ),
    tsBlock: field(
      blockSchema,
      'Newest block up to `block` whose time is kept; nothing happened between the two.',
      24_880_409,
    ),
    complete: field(
      Type.Boolean(),
      'False if rows that the record, series or swaps are made of are not kept.',
      true,
    ),
  }),
)

/** Of every reply that may be about the past. */
export const pastField = field(
  nullable(PastBlockSchema),
  'With `asOfBlock` or `asOfTs` the block that the reply is about; else null.',
  null,
)

export const PoolDetailSchema = describes<PoolDetailView>()(
  record('A pool, its series and its latest swaps, all of one snapshot.', {
    pool: PoolSchema,
    series: field(listOf(PoolSeriesRowSchema, seriesRowsMax), 'Buckets, oldest first.', []),
    swaps: field(listOf(SwapSchema, swapRowsMax), 'Swaps within the range, newest first.', []),
    screener: field(
      nullable(ScreenerCheckSchema),
      'Value from a screener; null without one.',
      null,
    ),
    hookReview: field(
      nullable(HookReviewSchema),
      "What is known of the pool's hook; null without one.",
      null,
    ),
    past: pastField,
  }),
)
