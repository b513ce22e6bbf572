import { Type } from 'typebox'
import { quotePublishers } from '../../domain/price/quote.ts'
import { seriesRowsMax } from '../../domain/series/series-range.ts'
import type { StockDetailView, StockSeriesRow, StockView } from '../../domain/views/stock.ts'
import type { Page } from '../../market/market.ts'
import {
  addressSchema,
  countSchema,
  decimalSchema,
  describes,
  field,
  listOf,
  nullable,
  nullableBasisPoints,
  nullableTime,
  nullableUsd,
  poolIdSchema,
  record,
} from './fields.ts'
import { pageSchema } from './page.ts'
import { dataStatusField, PoolSchema, statusReasonsField } from './pool.ts'
import { bucketTsField, closedField } from './pool-detail.ts'

/** Pools of one stock in its detail reply, the most liquid first. */
const stockPoolsMax = 50

const identity = {
  symbol: field(Type.String(), "The ticker in the issuer's registry.", 'NVDA'),
  name: field(Type.String(), "The name in the issuer's registry.", 'NVIDIA'),
  address: field(addressSchema, 'The stock token.', '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'),
  decimals: field(
    Type.Integer({ minimum: 0, maximum: 36, 'x-unit': 'decimal places' }),
    'Decimals of the token.',
    18,
  ),
  issuer: field(nullable(Type.String()), 'Who issued the token.', 'Robinhood'),
}

const shares = {
  multiplier: field(
    nullable(decimalSchema),
    'Shares that one token stands for (ERC-8056), as decimal text.',
    '1.000000000000000000',
  ),
  pendingMultiplier: field(
    nullable(decimalSchema),
    'The multiplier that is announced, as decimal text.',
    null,
  ),
  multiplierEffectiveTs: nullableTime('When the announced multiplier takes effect.', null),
}

const references = {
  quoteUsd: nullableUsd('Quoted price of one share.', 225.4),
  quoteBid: nullableUsd('Bid for one share.', 225.38),
  quoteAsk: nullableUsd('Ask for one share.', 225.42),
  quoteTs: nullableTime("The publisher's time of the quote.", 1_795_215_600),
  quoteSource: field(
    nullable(Type.Enum([...quotePublishers])),
    'Who published the quote.',
    'issuer',
  ),
  tokenUsd: nullableUsd('Price of one token: quoteUsd times the multiplier.', 225.4),
  oracleUsd: nullableUsd("Chainlink's price of one token.", 225.31),
  oracleTs: nullableTime("Chainlink's time of that price.", 1_795_215_540),
  marketSession: field(
    Type.Enum(['regular', 'pre', 'post', 'overnight', 'closed']),
    'Where the market of US equities stands.',
    'regular',
  ),
  tradingHalt: field(nullable(Type.Boolean()), 'Whether trading of the share is halted.', false),
  oraclePaused: field(
    nullable(Type.Boolean()),
    'Whether the token says that its oracle is paused.',
    false,
  ),
}

const countsField = (what: string, example: number) => field(countSchema, what, example)

const market = {
  poolPriceUsd: nullableUsd('Price of one token in the best canonical pool.', 225.61),
  bestPoolId: field(
    nullable(poolIdSchema),
    'The best canonical pool.',
    '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b',
  ),
  premiumBps: nullableBasisPoints(
    'Best pool price over the independent reference price, in session.',
    9.3,
  ),
  driftBps: nullableBasisPoints('The same against the last reference price, out of session.', null),
  pools: record('How many pools hold the stock.', {
    total: countsField('All of them.', 214),
    active: countsField('Those that are active.', 61),
    canonical: countsField('Against a trusted quote token.', 9),
    meme: countsField('Against any other token.', 203),
    stockStock: countsField('Against another stock.', 2),
  }),
  liquidityUsd: nullableUsd('Liquidity of its pools.', 3_120_400.5),
  vol24hUsd: nullableUsd('Traded in its pools in the last 24 hours.', 810_233.9),
}

export const StockSchema = describes<StockView>()(
  record('A tokenized stock.', {
    ...identity,
    ...shares,
    ...references,
    ...market,
    dataStatus: dataStatusField,
    statusReasons: statusReasonsField,
  }),
)

export const StockSeriesRowSchema = describes<StockSeriesRow>()(
  record('One bucket of time. Its numbers are null if they are not known.', {
    ts: bucketTsField,
    referenceUsd: nullableUsd('Reference price of one token.', 225.4),
    poolPriceUsd: nullableUsd('Price of one token in the best canonical pool.', 225.61),
    premiumBps: nullableBasisPoints('Pool price over reference price.', 9.3),
    closed: closedField,
  }),
)

export const StocksPageSchema = describes<Page<StockView>>()(
  pageSchema(StockSchema, 'One page of stocks.'),
)

export const StockDetailSchema = describes<StockDetailView>()(
  record('A stock, its series and its pools, all of one snapshot.', {
    stock: StockSchema,
    series: field(listOf(StockSeriesRowSchema, seriesRowsMax), 'Buckets, oldest first.', []),
    pools: field(listOf(PoolSchema, stockPoolsMax), 'Its pools, the most liquid first.', []),
  }),
)
