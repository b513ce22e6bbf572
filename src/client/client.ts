import { type ApiRequest, type ClientOptions, createApiRequest, type Query } from './request.ts'
import { listen } from './stream.ts'
import type {
  Health,
  Index,
  Page,
  Paging,
  Pool,
  PoolDetail,
  PoolFilter,
  Range,
  Status,
  Stock,
  StockDetail,
  StockFilter,
  StreamEvent,
  StreamOptions,
} from './types.ts'

type Asking = { readonly signal?: AbortSignal }

/** The API of a stockpools service. Refusals are thrown: see `isApiError`. */
export type Client = {
  /** What it is: its network, whether that is a sandbox, its explorer; and what can be asked. */
  readonly index: (asking?: Asking) => Promise<Index>
  readonly health: (asking?: Asking) => Promise<Health>
  readonly status: (asking?: Asking) => Promise<Status>
  readonly pools: (query?: PoolFilter & Paging, asking?: Asking) => Promise<Page<Pool>>
  /** By v3 address or v4 PoolId. */
  readonly pool: (id: string, query?: Range, asking?: Asking) => Promise<PoolDetail>
  readonly stocks: (query?: StockFilter & Paging, asking?: Asking) => Promise<Page<Stock>>
  /** By ticker or token address. */
  readonly stock: (symbol: string, query?: Range, asking?: Asking) => Promise<StockDetail>
  /** All pools that match, page after page, each once. */
  readonly eachPool: (filter?: PoolFilter, asking?: Asking) => AsyncIterable<Pool>
  readonly eachStock: (filter?: StockFilter, asking?: Asking) => AsyncIterable<Stock>
  /** What changes, as it changes, across broken connections. */
  readonly stream: (options?: StreamOptions) => AsyncIterable<StreamEvent>
}

/** The most that the service puts on one page. */
const pageRows = 50

/** Pages are of one moment each: a row that moved down between two of them comes only once. */
async function* eachOf<Row>(
  read: (paging: Required<Paging>) => Promise<Page<Row>>,
  nameOf: (row: Row) => string,
): AsyncGenerator<Row, void, undefined> {
  const seen = new Set<string>()
  for (let offset = 0; ; offset += pageRows) {
    const { items, total } = await read({ limit: pageRows, offset })
    for (const row of items) {
      const name = nameOf(row)
      if (seen.has(name)) continue
      seen.add(name)
      yield row
    }
    if (items.length === 0 || offset + pageRows >= total) return
  }
}

const createQuestions = (ask: ApiRequest) => {
  const at =
    <Answer>(path: string) =>
    (query: Query = {}, asking: Asking = {}): Promise<Answer> =>
      ask(path, query, asking) as Promise<Answer>
  const named = (path: string, name: string): string => `${path}/${encodeURIComponent(name)}`
  return {
    index: (asking) => at<Index>('/api/v1')({}, asking),
    health: (asking) => at<Health>('/api/v1/health')({}, asking),
    status: (asking) => at<Status>('/api/v1/status')({}, asking),
    pools: at<Page<Pool>>('/api/v1/pools'),
    pool: (id, query, asking) => at<PoolDetail>(named('/api/v1/pools', id))(query, asking),
    stocks: at<Page<Stock>>('/api/v1/stocks'),
    stock: (symbol, query, asking) =>
      at<StockDetail>(named('/api/v1/stocks', symbol))(query, asking),
  } satisfies Partial<Client>
}

/** A client of the service at this URL; nothing is asked before you ask. */
export const createClient = (url: string, options: ClientOptions = {}): Client => {
  const questions = createQuestions(createApiRequest(url, options))
  return {
    ...questions,
    eachPool: (filter, asking) =>
      eachOf(
        (paging) => questions.pools({ ...filter, ...paging }, asking),
        ({ id }) => id,
      ),
    eachStock: (filter, asking) =>
      eachOf(
        (paging) => questions.stocks({ ...filter, ...paging }, asking),
        ({ address }) => address,
      ),
    stream: (stream = {}) => listen(url, stream, options),
  }
}
