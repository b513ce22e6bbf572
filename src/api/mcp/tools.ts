import { poolCandlesEndpoint, stockCandlesEndpoint } from '../routes/candles.ts'
import { poolLiquidityEndpoint } from '../routes/liquidity.ts'
import { poolProvenanceEndpoint } from '../routes/pool-provenance.ts'
import { poolDepthEndpoint, poolQuoteEndpoint } from '../routes/pool-quote.ts'
import { poolEndpoint, poolsEndpoint } from '../routes/pools.ts'
import { resolveEndpoint } from '../routes/resolve.ts'
import { statusEndpoint } from '../routes/service.ts'
import { stockDepthEndpoint, stockQuoteEndpoint } from '../routes/stock-orders.ts'
import { stockEndpoint, stocksEndpoint } from '../routes/stocks.ts'
import { poolSwapsEndpoint, stockSwapsEndpoint, swapsEndpoint } from '../routes/swaps.ts'
import { tokenPricesEndpoint } from '../routes/token-prices.ts'
import { createListTool, createTool, createWholeTool, type Tool } from './endpoint-tool.ts'

const statusHint =
  'dataStatus is the freshness of the numbers (fresh, partial, stale, unavailable), ' +
  'statusReasons explains it. null is "not known", 0 is "observed to be zero". Times are Unix ' +
  'seconds.'

export const tools: readonly Tool[] = [
  createTool(resolveEndpoint, {
    name: 'resolve',
    title: 'Which token is meant',
    description:
      'The one verified token of a ticker ($NVDA), a company name or an address, and the ' +
      'look-alikes of it. Call this before anything that names a token. token is null unless ' +
      'result is "verified": then say so, and never take a look-alike in its place.',
  }),
  createWholeTool(tokenPricesEndpoint, {
    name: 'prices',
    title: 'What tokens are worth',
    description:
      'Dollar prices of up to 100 tokens by address (addresses separated by commas): stocks, ' +
      'trusted tokens and memes, each with source, age, depth and a confidence (high, medium, ' +
      'low, none), of which reasons say why. Say so when it is low; usd is null where it is none.',
  }),
  createTool(poolsEndpoint, {
    name: 'list_pools',
    title: 'Find pools',
    description:
      'Uniswap v3 and v4 pools of tokenized stocks, the most liquid first: price, ' +
      'liquidity, volume and premium over the stock. Filter by ticker, kind and more. ' +
      `Never identify a token by its symbol alone: use its address. ${statusHint}`,
  }),
  createTool(poolEndpoint, {
    name: 'get_pool',
    title: 'One pool',
    description:
      'One pool by its id (v3: address, v4: PoolId), with its price series over a range ' +
      '(at most 600 rows, oldest first) and its latest swaps (newest first). Give asOfBlock or ' +
      `asOfTs for the record as it was then; past says which block that is. ${statusHint}`,
  }),
  createTool(stocksEndpoint, {
    name: 'list_stocks',
    title: 'Find stocks',
    description:
      'Tokenized stocks with their quote per share, the dollars per token, market session, best ' +
      `pool price and premium. ${statusHint}`,
  }),
  createTool(stockEndpoint, {
    name: 'get_stock',
    title: 'One stock',
    description:
      'One stock by ticker or token address, with reference price, best pool price and premium ' +
      `over a range, and its pools. ${statusHint}`,
  }),
  createTool(poolQuoteEndpoint, {
    name: 'quote',
    title: 'What a trade would get',
    description:
      'What buying or selling a stock in one pool would pay and receive at the last indexed ' +
      'block: amounts, price impact, fee and price afterwards. Give exactly one of stockAmount, ' +
      'otherAmount, stockAmountRaw, otherAmountRaw and usd. quote is null where it is not known; ' +
      `reasons says why. ${statusHint}`,
  }),
  createTool(poolDepthEndpoint, {
    name: 'depth',
    title: 'How much a pool takes',
    description:
      'How much moves the price of one pool by 0.5 to 10 % (bands, without the fee), what orders ' +
      'of 1,000 to 1,000,000 dollars would get (ladder), and where its liquidity lies ' +
      `(segments). depth is null where swaps cannot be simulated. ${statusHint}`,
  }),
  createTool(poolProvenanceEndpoint, {
    name: 'explain',
    title: 'How a number was made',
    description:
      'How a number of one pool was made: formula, inputs with sources (log, contract read, ' +
      'quote, another number), block and section of the methodology. Give field for one number ' +
      'and the steps to it, asOfBlock or asOfTs for a record of the past. Of null, reason and ' +
      `missing say why. ${statusHint}`,
  }),
  createTool(poolCandlesEndpoint, {
    name: 'candles',
    title: 'Past prices of one pool',
    description:
      'Candles of one pool in dollars or other tokens, the newest first, page by page: pass next ' +
      'as cursor until it is null. complete is false if rows of the range are missing. Times are ' +
      'Unix seconds.',
  }),
  createTool(stockQuoteEndpoint, {
    name: 'quote_stock',
    title: 'What an order in all pools would get',
    description:
      'The best split of an order over the pools of a stock against trusted tokens at the last ' +
      'indexed block, with what each part would pay and receive, and what it saves against the ' +
      'best single pool. Give exactly one of stockAmount and usd. quote is null where no pool ' +
      `can take part; excluded says which pools do not, and why. ${statusHint}`,
  }),
  createTool(stockDepthEndpoint, {
    name: 'stock_depth',
    title: 'What moves the price of a stock',
    description:
      'How much is bought or sold, in stock and dollars, until all pools of a stock against ' +
      'trusted tokens stand 1, 2 and 5 % from the present price, and the part of the deepest. ' +
      statusHint,
  }),
  createTool(stockCandlesEndpoint, {
    name: 'stock_candles',
    title: 'Past prices of a stock',
    description:
      'Candles of one stock in dollars from the swaps in all of its comparable pools, the newest ' +
      'first, page by page: pass next as cursor until it is null. Times are Unix seconds.',
  }),
  createListTool([poolSwapsEndpoint, stockSwapsEndpoint, swapsEndpoint], {
    name: 'list_swaps',
    title: 'Past swaps',
    description:
      'Swaps of one pool (id), of all pools of one stock (symbol) or of all stocks (neither), ' +
      'the newest first, page by page: pass next as cursor until it is null. complete is false ' +
      'if rows of the range are missing. Times are Unix seconds.',
  }),
  createTool(poolLiquidityEndpoint, {
    name: 'list_liquidity_changes',
    title: 'Past changes of liquidity',
    description:
      'Liquidity added to and removed from one pool, with range, amounts and owner, the newest ' +
      'first, page by page: pass next as cursor until it is null. Times are Unix seconds.',
  }),
  createTool(statusEndpoint, {
    name: 'get_status',
    title: 'Data freshness',
    description:
      'The state and age of each source, and how far the index is behind the chain. Call this ' +
      'first if numbers look wrong.',
  }),
]
