import { Type } from 'typebox'
import type { BookOrder } from '../../domain/feed/order-book.ts'
import { numberText, ratioText } from '../../domain/math/decimal-text.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { Address, PoolId } from '../../domain/units.ts'
import type { PastSwapView } from '../../domain/views/history.ts'
import type { PoolView } from '../../domain/views/pool.ts'
import { swapSides } from '../../domain/views/swap-quote.ts'
import type { FeedTicker } from '../../market/feed/feed.ts'
import { problems } from '../http/problems.ts'
import type { RequiredField } from '../http/query.ts'
import { defineEndpoint } from '../routes/route.ts'
import { choiceField, integerField } from '../schemas/query-fields.ts'
import {
  CoinGeckoOrderBookSchema,
  CoinGeckoPairsSchema,
  CoinGeckoTickersSchema,
  CoinGeckoTradesSchema,
  tickerIdPattern,
} from './coingecko-schemas.ts'
import { placesMax } from './feed-fields.ts'

const msPerSecond = 1000
/** More than the logs of any block. */
const logsPerBlock = 100_000

type TickerId = { readonly base: Address; readonly target: Address; readonly id: PoolId }

const tickerIdField: RequiredField<TickerId> = {
  description: 'As in /pairs: two addresses and the id of a pool; case-insensitive.',
  rule: 'two addresses and the id of a pool, with underscores between them',
  schema: Type.String({ pattern: tickerIdPattern.source }),
  errorCode: 'invalid_parameter',
  parse: (text) => {
    if (!tickerIdPattern.test(text)) return undefined
    const [base, target, id] = text.toLowerCase().split('_') as [Address, Address, PoolId]
    return { base, target, id }
  },
}

const pageFields = {
  limit: integerField('Pools of this page.', { min: 1, max: 500 }, 500),
  skip: integerField('Pools to skip.', { min: 0, max: 1_000_000 }, 0),
}

const exampleTicker =
  'ticker_id=0x4d21483f44bd3ad56f7e3d8cee9cb4e36a4d9c9f_' +
  '0x5fc5360d0400a0fd4f2af552add042d716f1d168_0x52e65b17fb6e5ba00ed806f37afcaf60c8dd8e9b'

const toTickerId = ({ stockAddress, otherAddress, id }: PoolView): string =>
  `${stockAddress}_${otherAddress}_${id}`

const pairsEndpoint = defineEndpoint({
  path: '/integrations/coingecko/pairs',
  operationId: 'listCoinGeckoPairs',
  description:
    'Active pools of stocks whose price is known, by liquidity, a page of at most 500. ' +
    'Several pools may have the same two tokens: the ticker names the pool as well.',
  tag: 'market',
  summary: 'Lists active pools for CoinGecko.',
  rateLimited: true,
  isBareList: true,
  queryFields: pageFields,
  schema: CoinGeckoPairsSchema,
  answer: async ({ market }, { query: { limit, skip } }) => {
    const tickers = await market.feedTickers({ limit, offset: skip })
    return success({
      items: tickers.map(({ pool }) => ({
        ticker_id: toTickerId(pool),
        base: pool.stockAddress,
        target: pool.otherAddress,
        pool_id: pool.id,
      })),
    })
  },
})

const textOf = <Name extends string>(name: Name, value: number | null) =>
  value === null || !Number.isFinite(value) ? {} : ({ [name]: numberText(value) } as const)

const over = (usd: number | null, price: number | null): number | null =>
  usd === null || price === null || price === 0 ? null : usd / price

const toTicker = ({ pool, bid, ask }: FeedTicker) => ({
  ticker_id: toTickerId(pool),
  base_currency: pool.stockAddress,
  target_currency: pool.otherAddress,
  pool_id: pool.id,
  last_price: numberText(pool.stockPriceInOther ?? 0),
  ...textOf('base_volume', over(pool.vol24hUsd, pool.stockPriceUsd)),
  ...textOf('target_volume', over(pool.vol24hUsd, pool.otherPriceUsd)),
  ...textOf('liquidity_in_usd', pool.liquidityUsd),
  ...textOf('bid', bid),
  ...textOf('ask', ask),
})

const tickersEndpoint = defineEndpoint({
  path: '/integrations/coingecko/tickers',
  operationId: 'listCoinGeckoTickers',
  description:
    'The same pools with price, volume and liquidity. Bid and ask are what an ' +
    'infinitesimal trade gets and pays, fee included. What is not known is left out.',
  tag: 'market',
  summary: 'Lists prices, volumes and liquidity of active pools for CoinGecko.',
  rateLimited: true,
  isBareList: true,
  queryFields: pageFields,
  schema: CoinGeckoTickersSchema,
  answer: async ({ market }, { query: { limit, skip } }) =>
    success({ items: (await market.feedTickers({ limit, offset: skip })).map(toTicker) }),
})

const toOrder = ({ price, amount }: BookOrder) => [
  ratioText(price, placesMax),
  ratioText(amount, placesMax),
]

const orderBookEndpoint = defineEndpoint({
  path: '/integrations/coingecko/orderbook',
  operationId: 'getCoinGeckoOrderBook',
  description:
    'The tick map of a pool as orders. Each moves the price by a tenth of a percent and ' +
    'has the price of that trade, fee included.',
  tag: 'market',
  summary: 'Returns a pool as an order book for CoinGecko.',
  rateLimited: true,
  queryFields: {
    ticker_id: tickerIdField,
    depth: integerField('Orders of both sides together.', { min: 2, max: 1_000 }, 100),
  },
  exampleQuery: exampleTicker,
  schema: CoinGeckoOrderBookSchema,
  notFound: 'pool_not_found',
  answer: async ({ market }, { query: { ticker_id: ticker, depth } }) => {
    const book = await market.orderBook(ticker.id, Math.floor(depth / 2))
    if (book === null) return failure(problems.tickerNotFound)
    return success({
      ticker_id: `${ticker.base}_${ticker.target}_${ticker.id}`,
      timestamp: market.health().ts * msPerSecond,
      bids: book.bids.map(toOrder),
      asks: book.asks.map(toOrder),
    })
  },
})

const toTrade = (swap: PastSwapView) => ({
  trade_id: swap.block * logsPerBlock + swap.logIndex,
  price: numberText(swap.priceInOther ?? 0),
  base_volume: numberText(swap.stockAmount ?? 0),
  target_volume: numberText(swap.otherAmount ?? 0),
  trade_timestamp: swap.ts * msPerSecond,
  type: swap.side,
})

const timeField = (description: string) =>
  integerField(description, { min: 0, max: Number.MAX_SAFE_INTEGER }, null)

const tradesEndpoint = defineEndpoint({
  path: '/integrations/coingecko/historical_trades',
  operationId: 'listCoinGeckoTrades',
  description:
    'Swaps of a pool in settled blocks, newest first, purchases and sales of the stock ' +
    'apart. Times are Unix milliseconds.',
  tag: 'market',
  summary: 'Lists settled swaps of a pool for CoinGecko.',
  rateLimited: true,
  queryFields: {
    ticker_id: tickerIdField,
    type: choiceField('Only purchases or only sales of stock.', swapSides, null),
    limit: integerField('Swaps at most, the newest.', { min: 1, max: 500 }, 200),
    start_time: timeField('First time, included, in Unix milliseconds.'),
    end_time: timeField('Last time, included, in Unix milliseconds.'),
  },
  exampleQuery: exampleTicker,
  schema: CoinGeckoTradesSchema,
  notFound: 'pool_not_found',
  errors: ['history_pruned'],
  answer: async ({ market }, { query }) => {
    const { ticker_id: ticker, type: side, limit, start_time: start, end_time: end } = query
    const settled = await market.feedBlock()
    if (settled === null) return failure(problems.notReady)
    const toTs = Math.min(settled.ts, Math.floor((end ?? Number.MAX_SAFE_INTEGER) / msPerSecond))
    const found = await market.poolSwaps(ticker.id, {
      ...{ limit, cursor: null, order: 'desc', side, minUsd: null, trader: null, sender: null },
      ...{ fromTs: start === null ? null : Math.ceil(start / msPerSecond), toTs },
    })
    if (found === null) return failure(problems.tickerNotFound)
    if (!found.ok) {
      const { fault } = found
      return failure(
        fault.kind === 'history-pruned'
          ? problems.historyPruned(fault.keptSince)
          : problems.cursorReplaced,
      )
    }
    const isPriced = ({ block, priceInOther }: PastSwapView) =>
      block <= settled.block && priceInOther !== null && priceInOther > 0
    const trades = found.value.items.filter(isPriced).map(toTrade)
    const ofType = (wanted: 'buy' | 'sell') => trades.filter(({ type }) => type === wanted)
    return success({ buy: ofType('buy'), sell: ofType('sell') })
  },
})

export const coinGeckoEndpoints = [
  pairsEndpoint,
  tickersEndpoint,
  orderBookEndpoint,
  tradesEndpoint,
]
