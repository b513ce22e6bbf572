import { followSwaps } from './follow-swaps.ts'
import { readHistory } from './read-history.ts'
import { type ClientOptions, createApiRequest, type Query, type RequestOptions } from './request.ts'
import { streamEvents } from './stream.ts'
import type {
  AsOf,
  Candle,
  CandleFilter,
  Depth,
  ExportedFiles,
  FileFilter,
  FollowOptions,
  Health,
  HistoryPage,
  HistoryPaging,
  HistoryRange,
  Index,
  LiquidityChange,
  Page,
  Paging,
  Pool,
  PoolDetail,
  PoolFilter,
  PoolQuote,
  PoolRanges,
  Provenance,
  QuoteOrder,
  Range,
  RangeOrder,
  ResolvedToken,
  Segments,
  Status,
  Stock,
  StockCandleFilter,
  StockDepth,
  StockDetail,
  StockFilter,
  StockQuote,
  StockQuoteOrder,
  StreamEvent,
  StreamOptions,
  Swap,
  SwapFilter,
  SwapStep,
  TokenPrices,
} from './types.ts'

/** The API of a stockpools service. Errors of the service are thrown: see `isApiError`. */
export type Client = {
  /** The service's network, sandbox flag, explorer and endpoints. */
  readonly index: (options?: RequestOptions) => Promise<Index>
  readonly health: (options?: RequestOptions) => Promise<Health>
  readonly status: (options?: RequestOptions) => Promise<Status>
  readonly pools: (query?: PoolFilter & Paging, options?: RequestOptions) => Promise<Page<Pool>>
  /** By v3 address or v4 PoolId; now, or as it was at a block. */
  readonly pool: (id: string, query?: Range & AsOf, options?: RequestOptions) => Promise<PoolDetail>
  /** What a swap in the pool would pay and receive; exactly one amount is given. */
  readonly quotePool: (
    id: string,
    order: QuoteOrder,
    options?: RequestOptions,
  ) => Promise<PoolQuote>
  /** Price bands, order ladder and liquidity segments of the pool. */
  readonly poolDepth: (id: string, query?: Segments, options?: RequestOptions) => Promise<Depth>
  /** What a position in a range of prices would have earned in a day and a week. */
  readonly poolRanges: (
    id: string,
    order: RangeOrder,
    options?: RequestOptions,
  ) => Promise<PoolRanges>
  /** How the numbers of the pool were made, or one and the steps to it; now, or at a block. */
  readonly provenance: (
    id: string,
    query?: { readonly field?: string } & AsOf,
    options?: RequestOptions,
  ) => Promise<Provenance>
  /** One page of the pool's candles. */
  readonly candles: (
    id: string,
    query: CandleFilter & HistoryPaging,
    options?: RequestOptions,
  ) => Promise<HistoryPage<Candle>>
  /** All candles of the pool in this range, page by page. */
  readonly eachCandle: (
    id: string,
    filter: CandleFilter,
    options?: RequestOptions,
  ) => AsyncIterable<Candle>
  /** One page of the pool's swaps. */
  readonly swaps: (
    id: string,
    query?: SwapFilter & HistoryPaging,
    options?: RequestOptions,
  ) => Promise<HistoryPage<Swap>>
  /** All swaps of the pool in this range, page by page. */
  readonly eachSwap: (
    id: string,
    filter?: SwapFilter,
    options?: RequestOptions,
  ) => AsyncIterable<Swap>
  /** One page of the pool's changes of liquidity. */
  readonly liquidityChanges: (
    id: string,
    query?: HistoryRange & HistoryPaging,
    options?: RequestOptions,
  ) => Promise<HistoryPage<LiquidityChange>>
  readonly eachLiquidityChange: (
    id: string,
    filter?: HistoryRange,
    options?: RequestOptions,
  ) => AsyncIterable<LiquidityChange>
  readonly stocks: (query?: StockFilter & Paging, options?: RequestOptions) => Promise<Page<Stock>>
  /** By ticker or token address. */
  readonly stock: (symbol: string, query?: Range, options?: RequestOptions) => Promise<StockDetail>
  /** The best split of an order over the pools of a stock. */
  readonly quoteStock: (
    symbol: string,
    order: StockQuoteOrder,
    options?: RequestOptions,
  ) => Promise<StockQuote>
  /** What moves the price in all pools of a stock. */
  readonly stockDepth: (symbol: string, options?: RequestOptions) => Promise<StockDepth>
  /** One page of the candles of all comparable pools of the stock. */
  readonly stockCandles: (
    symbol: string,
    query: StockCandleFilter & HistoryPaging,
    options?: RequestOptions,
  ) => Promise<HistoryPage<Candle>>
  readonly eachStockCandle: (
    symbol: string,
    filter: StockCandleFilter,
    options?: RequestOptions,
  ) => AsyncIterable<Candle>
  /** One page of the swaps in all pools of the stock. */
  readonly stockSwaps: (
    symbol: string,
    query?: SwapFilter & HistoryPaging,
    options?: RequestOptions,
  ) => Promise<HistoryPage<Swap>>
  readonly eachStockSwap: (
    symbol: string,
    filter?: SwapFilter,
    options?: RequestOptions,
  ) => AsyncIterable<Swap>
  /** One page of the swaps of all stocks. */
  readonly allSwaps: (
    query?: SwapFilter & HistoryPaging,
    options?: RequestOptions,
  ) => Promise<HistoryPage<Swap>>
  readonly eachOfAllSwaps: (filter?: SwapFilter, options?: RequestOptions) => AsyncIterable<Swap>
  /** The one verified token of a ticker, a name or an address, and its look-alikes. */
  readonly resolve: (q: string, options?: RequestOptions) => Promise<ResolvedToken>
  /** A price for each of at most 100 token addresses, in their order. */
  readonly prices: (addresses: readonly string[], options?: RequestOptions) => Promise<TokenPrices>
  /** All matching pools, page by page, each once. */
  readonly eachPool: (filter?: PoolFilter, options?: RequestOptions) => AsyncIterable<Pool>
  readonly eachStock: (filter?: StockFilter, options?: RequestOptions) => AsyncIterable<Stock>
  /** The finished files of the export; each is downloaded from its `url`. */
  readonly files: (query?: FileFilter & Paging, options?: RequestOptions) => Promise<ExportedFiles>
  /**
   * The swaps since a time, then each new one, across restarts, reorganisations and `resync`. Who
   * adds each swap and drops those above each `rollback` holds exactly the indexed ones.
   */
  readonly followSwaps: (options?: FollowOptions) => AsyncGenerator<SwapStep, void, undefined>
  /** Changes as they happen, across broken connections. */
  readonly stream: (options?: StreamOptions) => AsyncIterable<StreamEvent>
}

/** The service's maximum. */
const pageRows = 50

/** Yields each row once: a row may move to the next page between two requests. */
async function* readAllPages<Row>(
  readPage: (paging: Required<Paging>) => Promise<Page<Row>>,
  rowKey: (row: Row) => string,
): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<string>()
  for (let offset = 0; ; offset += pageRows) {
    const { items, total } = await readPage({ limit: pageRows, offset })
    for (const row of items) {
      const key = rowKey(row)
      if (seen.has(key)) continue
      seen.add(key)
      yield row
    }
    if (items.length === 0 || offset + pageRows >= total) return
  }
}

const resource = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`
const ofPool = (id: string, part: string): string => `${resource('/api/v1/pools', id)}/${part}`

/** Creates a client for the service at this URL, without sending a request. */
export const createClient = (url: string, options: ClientOptions = {}): Client => {
  const request = createApiRequest(url, options)
  const at =
    <Answer>(path: string) =>
    (query: Query = {}, requestOptions: RequestOptions = {}): Promise<Answer> =>
      request(path, query, requestOptions) as Promise<Answer>
  const ofStock = (symbol: string, part: string): string =>
    `${resource('/api/v1/stocks', symbol)}/${part}`
  const candles: Client['candles'] = (id, ...rest) =>
    at<HistoryPage<Candle>>(ofPool(id, 'candles'))(...rest)
  const stockCandles: Client['stockCandles'] = (symbol, ...rest) =>
    at<HistoryPage<Candle>>(ofStock(symbol, 'candles'))(...rest)
  const swaps: Client['swaps'] = (id, ...rest) =>
    at<HistoryPage<Swap>>(ofPool(id, 'swaps'))(...rest)
  const liquidityChanges: Client['liquidityChanges'] = (id, ...rest) =>
    at<HistoryPage<LiquidityChange>>(ofPool(id, 'liquidity'))(...rest)
  const stockSwaps: Client['stockSwaps'] = (symbol, ...rest) =>
    at<HistoryPage<Swap>>(ofStock(symbol, 'swaps'))(...rest)
  const allSwaps = at<HistoryPage<Swap>>('/api/v1/swaps')
  const swapsOf = (
    { id, symbol }: FollowOptions,
    paging: SwapFilter & HistoryPaging,
    signal?: AbortSignal,
  ) => {
    if (id !== undefined) return swaps(id, paging, { signal })
    return symbol === undefined
      ? allSwaps(paging, { signal })
      : stockSwaps(symbol, paging, { signal })
  }
  const pools = at<Page<Pool>>('/api/v1/pools')
  const stocks = at<Page<Stock>>('/api/v1/stocks')
  return {
    index: (requestOptions) => at<Index>('/api/v1')({}, requestOptions),
    health: (requestOptions) => at<Health>('/api/v1/health')({}, requestOptions),
    status: (requestOptions) => at<Status>('/api/v1/status')({}, requestOptions),
    pools,
    pool: (id, ...rest) => at<PoolDetail>(resource('/api/v1/pools', id))(...rest),
    quotePool: (id, ...rest) => at<PoolQuote>(ofPool(id, 'quote'))(...rest),
    poolRanges: (id, ...rest) => at<PoolRanges>(ofPool(id, 'ranges'))(...rest),
    poolDepth: (id, ...rest) => at<Depth>(ofPool(id, 'depth'))(...rest),
    provenance: (id, ...rest) => at<Provenance>(ofPool(id, 'provenance'))(...rest),
    candles,
    eachCandle: (id, filter, requestOptions) =>
      readHistory((paging) => candles(id, { ...filter, ...paging }, requestOptions)),
    swaps,
    eachSwap: (id, filter, requestOptions) =>
      readHistory((paging) => swaps(id, { ...filter, ...paging }, requestOptions)),
    liquidityChanges,
    eachLiquidityChange: (id, filter, requestOptions) =>
      readHistory((paging) => liquidityChanges(id, { ...filter, ...paging }, requestOptions)),
    stocks,
    stock: (symbol, ...rest) => at<StockDetail>(resource('/api/v1/stocks', symbol))(...rest),
    quoteStock: (symbol, ...rest) => at<StockQuote>(ofStock(symbol, 'quote'))(...rest),
    stockDepth: (symbol, requestOptions) =>
      at<StockDepth>(ofStock(symbol, 'depth'))({}, requestOptions),
    stockCandles,
    eachStockCandle: (symbol, filter, requestOptions) =>
      readHistory((paging) => stockCandles(symbol, { ...filter, ...paging }, requestOptions)),
    stockSwaps,
    eachStockSwap: (symbol, filter, requestOptions) =>
      readHistory((paging) => stockSwaps(symbol, { ...filter, ...paging }, requestOptions)),
    allSwaps,
    eachOfAllSwaps: (filter, requestOptions) =>
      readHistory((paging) => allSwaps({ ...filter, ...paging }, requestOptions)),
    resolve: (q, requestOptions) => at<ResolvedToken>('/api/v1/resolve')({ q }, requestOptions),
    prices: (addresses, requestOptions) =>
      at<TokenPrices>('/api/v1/prices')({ addresses: addresses.join(',') }, requestOptions),
    eachPool: (filter, requestOptions) =>
      readAllPages(
        (paging) => pools({ ...filter, ...paging }, requestOptions),
        ({ id }) => id,
      ),
    eachStock: (filter, requestOptions) =>
      readAllPages(
        (paging) => stocks({ ...filter, ...paging }, requestOptions),
        ({ address }) => address,
      ),
    files: at<ExportedFiles>('/api/v1/files'),
    followSwaps: ({ from, signal, ...of } = {}) => {
      const readStatus = () => at<Status>('/api/v1/status')({}, { signal })
      return followSwaps({
        readStart: async () => from ?? (await readStatus()).ts,
        open: (onJoin, ending) => {
          const either = signal === undefined ? ending : AbortSignal.any([signal, ending])
          return streamEvents(url, { ...of, topics: ['swap'], signal: either }, options, onJoin)
        },
        readSince: (since) =>
          readHistory((paging) => swapsOf(of, { from: since, order: 'asc', ...paging }, signal)),
        readSettledBlock: async () => (await readStatus()).chain.settledBlock,
      })
    },
    stream: (streamOptions = {}) => streamEvents(url, streamOptions, options),
  }
}
