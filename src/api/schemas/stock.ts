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
  shareSchema,
} from './fields.ts'
import { pageSchema } from './page.ts'
import { dataStatusField, PoolSchema, statusReasonsField } from './pool.ts'
import { bucketTsField, closedField } from './pool-detail.ts'

const stockPoolsMax = 50

export const marketSessionSchema = Type.Enum(['regular', 'pre', 'post', 'overnight', 'closed'])

const identity = {
  symbol: field(Type.String(), "Ticker in the issuer's registry.", 'NVDA'),
  name: field(Type.String(), "Name in the issuer's registry.", 'NVIDIA'),
  address: field(addressSchema, 'The stock token.', '0xd0601ce157db5bdc3162bbac2a2c8af5320d9eec'),
  decimals: field(
    Type.Integer({ minimum: 0, maximum: 36, 'x-unit': 'decimal places' }),
    'Decimals of the token.',
    18,
  ),
  issuer: field(nullable(Type.String()), 'Issuer of the token.', 'Robinhood'),
}

const shares = {
  multiplier: field(
    nullable(decimalSchema),
    'Shares per token, by its standard (methodology §1), as decimal text.',
    '1.000000000000000000',
  ),
  pendingMultiplier: field(nullable(decimalSchema), 'Announced multiplier, as decimal text.', null),
  multiplierEffectiveTs: nullableTime('When the announced multiplier takes effect.', null),
}

const references = {
  quoteUsd: nullableUsd('Quoted price of one share.', 225.4),
  quoteBid: nullableUsd('Bid for one share.', 225.38),
  quoteAsk: nullableUsd('Ask for one share.', 225.42),
  quoteTs: nullableTime('Time of the quote according to its publisher.', 1_795_215_600),
  quoteSource: field(
    nullable(Type.Enum([...quotePublishers])),
    'Publisher of the quote.',
    'issuer',
  ),
  tokenUsd: nullableUsd('Price of one token: quoteUsd times the multiplier.', 225.4),
  oracleUsd: nullableUsd('Chainlink price of one token.', 225.31),
  oracleTs: nullableTime('Time of the Chainlink price.', 1_795_215_540),
  marketSession: field(marketSessionSchema, 'Session of the US equity market.', 'regular'),
  tradingHalt: field(
    nullable(Type.Boolean()),
    'Whether trading of the share is halted; null if no source has said so or denied it recently.',
    false,
  ),
  oraclePaused: field(
    nullable(Type.Boolean()),
    'Whether the token reports a paused oracle.',
    false,
  ),
}

const poolCount = (meaning: string, example: number) => field(countSchema, meaning, example)

const market = {
  poolPriceUsd: nullableUsd('Price of one token in the best pool (methodology §6).', 225.61),
  bestPoolId: field(
    nullable(poolIdSchema),
    'The best pool; null if no pool may represent the stock.',
    '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b',
  ),
  premiumBps: nullableBasisPoints(
    'Best pool price over the independent reference price while the exchange is open.',
    9.3,
  ),
  driftBps: nullableBasisPoints(
    'Best pool price over the last reference price while the exchange is closed.',
    null,
  ),
  pools: record('Counts of the pools that hold the stock.', {
    total: poolCount('All pools.', 214),
    active: poolCount('Active pools.', 61),
    canonical: poolCount('Pools with a trusted quote token.', 9),
    meme: poolCount('Pools with another token.', 203),
    stockStock: poolCount('Pools with another stock.', 2),
  }),
  liquidityUsd: nullableUsd('Liquidity of all its pools.', 3_120_400.5),
  vol24hUsd: nullableUsd('Volume of all its pools in the last 24 hours.', 810_233.9),
  vol24hFilteredUsd: nullableUsd(
    'That volume without wash trades, of the pools whose traders are known (methodology §5).',
    729_210.5,
  ),
  washShare24h: field(
    nullable(shareSchema),
    'Part of the volume of these pools that is left out, 0 to 1; null without volume.',
    0.1,
  ),
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
  record('One time bucket. Its numbers are null if they are not known.', {
    ts: bucketTsField,
    referenceUsd: nullableUsd('Reference price of one token.', 225.4),
    poolPriceUsd: nullableUsd('Price of one token in the best pool (methodology §6).', 225.61),
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
    pools: field(
      listOf(PoolSchema, stockPoolsMax),
      'Pools of the stock, the most liquid first.',
      [],
    ),
  }),
)
