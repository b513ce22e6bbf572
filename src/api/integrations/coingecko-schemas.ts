import { Type } from 'typebox'
import { addressSchema, field, listOf, poolIdSchema, record } from '../schemas/fields.ts'

/*
 * CoinGecko's format for decentralised exchanges, as their integrations publish it:
 * https://github.com/Team-Kujira/docs, https://github.com/invariant-labs/docs
 */

const exampleBase = '0x4d21483f44bd3ad56f7e3d8cee9cb4e36a4d9c9f'
const exampleTarget = '0x5fc5360d0400a0fd4f2af552add042d716f1d168'
const exampleId = '0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'

/** Numbers as text, in plain digits. */
const decimalText = (unit: string) =>
  Type.String({ pattern: '^(0|[1-9][0-9]*)\\.[0-9]+$', 'x-unit': unit })
const price = decimalText('other tokens per stock token')
const stockTokens = decimalText('whole stock tokens')
const otherTokens = decimalText('whole other tokens')
const milliseconds = Type.Integer({ minimum: 0, 'x-unit': 'Unix milliseconds' })

export const tickerIdPattern =
  /^0x[0-9a-fA-F]{40}_0x[0-9a-fA-F]{40}_0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/

const tickerId = field(
  Type.String({ pattern: tickerIdPattern.source }),
  'Addresses of the stock and of the other token and the id of the pool, with underscores.',
  `${exampleBase}_${exampleTarget}_${exampleId}`,
)
const poolId = field(poolIdSchema, 'v3: the pool address. v4: the PoolId.', exampleId)

const CoinGeckoPairSchema = record('A pool.', {
  ticker_id: tickerId,
  base: field(addressSchema, 'The stock token.', exampleBase),
  target: field(addressSchema, 'The other token.', exampleTarget),
  pool_id: poolId,
})

export const CoinGeckoPairsSchema = record('Active pools, the most liquid first.', {
  items: field(listOf(CoinGeckoPairSchema), 'The pools.', []),
})

const CoinGeckoTickerSchema = record('A pool and its last day.', {
  ticker_id: tickerId,
  base_currency: field(addressSchema, 'The stock token.', exampleBase),
  target_currency: field(addressSchema, 'The other token.', exampleTarget),
  pool_id: poolId,
  last_price: field(price, 'The price of the pool.', '207.469611'),
  base_volume: Type.Optional(
    field(
      stockTokens,
      "The dollar volume of 24 hours at the stock's price; left out if either is not known.",
      '1520.25',
    ),
  ),
  target_volume: Type.Optional(
    field(otherTokens, "The same at the other token's price.", '315401.5'),
  ),
  liquidity_in_usd: Type.Optional(
    field(decimalText('US dollars'), 'Dollars in the pool; left out if not known.', '740211.25'),
  ),
  bid: Type.Optional(
    field(
      price,
      'What an infinitesimal sale of stock gets, fee included; left out where it is not known.',
      '207.4074',
    ),
  ),
  ask: Type.Optional(field(price, 'What an infinitesimal purchase pays.', '207.53187')),
})

export const CoinGeckoTickersSchema = record('Active pools, the most liquid first.', {
  items: field(listOf(CoinGeckoTickerSchema), 'The pools.', []),
})

const orderSchema = listOf(decimalText('price, then whole stock tokens'))

export const CoinGeckoOrderBookSchema = record('A pool as orders.', {
  ticker_id: tickerId,
  timestamp: field(milliseconds, 'Time of the answer.', 1_795_215_600_000),
  bids: field(
    listOf(orderSchema),
    'Price and amount of each order, the highest price first: each moves the price by a tenth of ' +
      'a percent, fee included. Empty where no swap can be simulated.',
    [['207.4', '1.25']],
  ),
  asks: field(listOf(orderSchema), 'The same, the lowest price first.', [['207.54', '1.25']]),
})

const CoinGeckoTradeSchema = record('A settled swap.', {
  trade_id: field(
    Type.Integer({ minimum: 0 }),
    'Number of the block times 100,000 and the place of the log.',
    2_488_041_200_017,
  ),
  price: field(price, 'What was paid for what was received, fee included.', '207.469611'),
  base_volume: field(stockTokens, 'Stock that was bought or sold.', '1.5'),
  target_volume: field(otherTokens, 'What it was traded for.', '311.204417'),
  trade_timestamp: field(milliseconds, 'Time of the block.', 1_795_215_571_000),
  type: field(Type.Enum(['buy', 'sell']), 'What the trader did with the stock.', 'buy'),
})

export const CoinGeckoTradesSchema = record('Settled swaps of a pool, newest first.', {
  buy: field(listOf(CoinGeckoTradeSchema), 'In which traders bought stock.', []),
  sell: field(listOf(CoinGeckoTradeSchema), 'In which traders sold stock.', []),
})

/** By their names in generated clients. */
export const coinGeckoSchemas = {
  CoinGeckoPair: CoinGeckoPairSchema,
  CoinGeckoTicker: CoinGeckoTickerSchema,
  CoinGeckoOrderBook: CoinGeckoOrderBookSchema,
  CoinGeckoTrade: CoinGeckoTradeSchema,
  CoinGeckoTrades: CoinGeckoTradesSchema,
}
