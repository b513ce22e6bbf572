import { exampleFromSchema } from '../../../src/api/openapi/components.ts'
import { CandleSchema } from '../../../src/api/schemas/candle.ts'
import { LiquidityChangeSchema } from '../../../src/api/schemas/liquidity-change.ts'
import { PastSwapSchema } from '../../../src/api/schemas/past-swap.ts'
import { PoolSchema } from '../../../src/api/schemas/pool.ts'
import { PoolDepthSchema } from '../../../src/api/schemas/pool-depth.ts'
import {
  HookReviewSchema,
  PoolSeriesRowSchema,
  ScreenerCheckSchema,
  SwapSchema,
} from '../../../src/api/schemas/pool-detail.ts'
import { PoolProvenanceSchema } from '../../../src/api/schemas/pool-provenance.ts'
import { PoolRangesSchema } from '../../../src/api/schemas/range.ts'
import { ResolvedTokenSchema } from '../../../src/api/schemas/resolved-token.ts'
import { HealthSchema, SourceSchema, StatusSchema } from '../../../src/api/schemas/service.ts'
import { StockSchema, StockSeriesRowSchema } from '../../../src/api/schemas/stock.ts'
import { StockDepthSchema, StockQuoteSchema } from '../../../src/api/schemas/stock-order.ts'
import { PoolQuoteSchema } from '../../../src/api/schemas/swap-quote.ts'
import { TokenPriceSchema } from '../../../src/api/schemas/token-price.ts'
import { type EventCursor, toEventCursor } from '../../../src/domain/history/event-cursor.ts'
import { failure, type Outcome, success } from '../../../src/domain/outcome.ts'
import type { Address, Hash } from '../../../src/domain/units.ts'
import type { HistoryPage, LiquidityChangeView } from '../../../src/domain/views/history.ts'
import type { PastBlockView, PoolDetailView, PoolView } from '../../../src/domain/views/pool.ts'
import type { StockView } from '../../../src/domain/views/stock.ts'
import type { ChangeEvent, ChangeListener } from '../../../src/market/changes.ts'
import type {
  CandlePage,
  EventFault,
  HistoryPruned,
  HistoryQuery,
  StockCandleQuery,
  SwapPage,
  SwapQuery,
} from '../../../src/market/history.ts'
import type { Market, Page, PoolsQuery, StocksQuery } from '../../../src/market/market.ts'
import type { PageQuery } from '../../../src/market/page-query.ts'
import type { AskedMoment, PoolAtFault } from '../../../src/market/past.ts'
import type { StockKey } from '../../../src/market/stock-key.ts'
import { type Answer, sampleFeed } from './sample-feed.ts'

const idOf = (digits: number, seed: number) =>
  `0x${seed.toString(16).padStart(digits, 'a')}` as const

const pool = exampleFromSchema(PoolSchema)

/** Three pools: canonical v3, meme v4, and one of which nothing is known yet. */
export const samplePools: readonly PoolView[] = [
  { ...pool, id: idOf(40, 1), stockSymbol: 'NVDA', otherSymbol: 'WETH', liquidityUsd: 900 },
  {
    ...pool,
    id: idOf(64, 2),
    version: 'v4',
    kind: 'meme',
    stockSymbol: 'TSLA',
    otherSymbol: 'ÉMÈ <script>',
    hooks: idOf(40, 0),
    liquidityUsd: 0,
  },
  {
    ...pool,
    id: idOf(40, 3),
    otherSymbol: null,
    stateTs: null,
    sqrtPriceX96: null,
    liquidity: null,
    stockReserve: null,
    reserveSource: null,
    liquidityUsd: null,
    dataStatus: 'unavailable',
    statusReasons: ['decimals_unknown', 'index_gap'],
  },
]

const stock = exampleFromSchema(StockSchema)
export const sampleStocks: readonly StockView[] = [
  { ...stock, symbol: 'NVDA', address: idOf(40, 11) },
  { ...stock, symbol: 'TSLA', address: idOf(40, 12), quoteUsd: null, quoteSource: null },
]

const pageOf = <T>(rows: readonly T[], { limit, offset }: PageQuery): Page<T> => ({
  items: rows.slice(offset, offset + limit),
  total: rows.length,
  limit,
  offset,
})

const matchesPool =
  ({ symbol, kind, version, q }: PoolsQuery) =>
  (row: PoolView): boolean =>
    (symbol === null || row.stockSymbol === symbol) &&
    (kind === null || row.kind === kind) &&
    (version === null || row.version === version) &&
    (q === null || `${row.stockSymbol} ${row.otherSymbol}`.toLowerCase().includes(q.toLowerCase()))

export type SampleMarket = Market & {
  /** Every query so far, the latest last. */
  readonly queries: unknown[]
  ready: boolean
  /** The version; null for a different one on every read. */
  revision: string | null
  readonly publish: (news: readonly ChangeEvent[]) => void
  /** Thrown by the next reads, if set. */
  readError: Error | null
}

/** Before this nothing is kept; one hour is a page. */
export const sampleKeptSince = 1_795_000_000

const candlePage = ({ toTs }: StockCandleQuery): Outcome<CandlePage, HistoryPruned> =>
  toTs !== null && toTs < sampleKeptSince
    ? failure({ kind: 'history-pruned', keptSince: sampleKeptSince })
    : success({
        items: [exampleFromSchema(CandleSchema)],
        next: { ts: 1_795_215_600 },
        asOfBlock: 7,
        complete: true,
      })

const sampleAccount: Address = `0x${'5'.repeat(40)}`
const sampleSalt: Hash = `0x${'6'.repeat(64)}`

/** Of a block that the chain replaced. */
export const sampleReplacedTs = sampleKeptSince + 1

/** Before this the backfill has not read. */
export const sampleReadSince = sampleKeptSince + 2

/** One row, of which everything else is an example. */
const eventPage = <Row extends Parameters<typeof toEventCursor>[0]>(
  row: Row,
  { cursor, fromTs, toTs }: HistoryQuery<EventCursor>,
): Outcome<HistoryPage<Row, EventCursor>, EventFault> => {
  if (cursor !== null && toTs === sampleReplacedTs) return failure({ kind: 'cursor-replaced' })
  const complete = fromTs === null || fromTs >= sampleReadSince
  return success({ items: [row], next: toEventCursor(row, null), asOfBlock: 7, complete })
}

/** Unlike changes of liquidity, swaps are deleted. */
const swapPage = (query: SwapQuery): Outcome<SwapPage, EventFault> =>
  query.toTs !== null && query.toTs < sampleKeptSince
    ? failure({ kind: 'history-pruned', keptSince: sampleKeptSince })
    : eventPage(exampleFromSchema(PastSwapSchema), query)

/** Of v3 or v4, by the form of the id. */
const sampleChangeOf = (id: string): LiquidityChangeView => {
  const change = exampleFromSchema(LiquidityChangeSchema)
  const position = { sender: sampleAccount, salt: sampleSalt }
  return id.length === sampleAccount.length ? change : { ...change, owner: null, ...position }
}

/** An in-memory market for tests of the HTTP layer. */
const findSampleStock = (key: StockKey) =>
  sampleStocks.find((row) =>
    'symbol' in key ? row.symbol === key.symbol : row.address === key.address,
  )

const detailOf = (id: string): PoolDetailView | null => {
  const found = samplePools.find((row) => row.id === id)
  if (found === undefined) return null
  return {
    pool: found,
    series: [exampleFromSchema(PoolSeriesRowSchema)],
    swaps: [exampleFromSchema(SwapSchema)],
    screener: exampleFromSchema(ScreenerCheckSchema),
    hookReview: exampleFromSchema(HookReviewSchema),
    past: null,
  }
}

const pastOf = (moment: AskedMoment): Outcome<PastBlockView, PoolAtFault> => {
  const at = 'block' in moment ? moment.block : moment.ts
  if (at < 100) return failure({ kind: 'not-created', created: { block: 100, ts: 100 } })
  if (at < 200) return failure({ kind: 'history-pruned', keptSince: 200 })
  const last = { block: 1e10, ts: 1e10 }
  if (at > last.block) return failure({ kind: 'not-indexed', last })
  return success({ block: at, ts: at, tsBlock: at, complete: true })
}

export const createSampleMarket = (): SampleMarket => {
  const asked: unknown[] = []
  let stamps = 0
  const listeners = new Set<ChangeListener>()
  const answer: Answer = async (question, read) => {
    asked.push(question)
    if (market.readError !== null) throw market.readError
    return read()
  }
  const sources = [{ ...exampleFromSchema(SourceSchema), source: 'quotes' as const }]
  const market: SampleMarket = {
    queries: asked,
    ready: true,
    readError: null,
    revision: null,
    stamp: () => market.revision ?? String(stamps++),
    isReady: () => market.ready,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    missedChanges: async () => ({ kind: 'lost' }),
    publish: (news) => {
      for (const listener of listeners) listener(news)
    },
    asOf: (block) => ({ block: block ?? 7, hash: `0x${'b'.repeat(64)}` }),
    health: () => ({ ...exampleFromSchema(HealthSchema), ok: market.ready, sources }),
    status: () => ({ ...exampleFromSchema(StatusSchema), sources }),
    pools: (query) => answer(query, () => pageOf(samplePools.filter(matchesPool(query)), query)),
    pool: (id, range) => answer({ id, range }, () => detailOf(id)),
    poolAt: (id, range, moment) =>
      answer({ id, range, moment }, () => {
        const detail = detailOf(id)
        if (detail === null) return null
        const past = pastOf(moment)
        return past.ok ? success({ ...detail, past: past.value }) : past
      }),
    quote: (id, order) =>
      answer({ id, order }, () => {
        if (!samplePools.some((row) => row.id === id)) return null
        if ('whole' in order.amount && order.amount.whole.decimals > 6) {
          return failure({ kind: 'too-many-decimals', decimals: 6 })
        }
        return success(exampleFromSchema(PoolQuoteSchema))
      }),
    ...sampleFeed(answer),
    poolCandles: (id, query) =>
      answer({ id, query }, () => {
        if (!samplePools.some((row) => row.id === id)) return null
        return candlePage(query)
      }),
    stockCandles: (key, query) =>
      answer({ key, query }, () => (findSampleStock(key) === undefined ? null : candlePage(query))),
    poolSwaps: (id, query) =>
      answer({ id, query }, () =>
        samplePools.some((row) => row.id === id) ? swapPage(query) : null,
      ),
    liquidityChanges: (id, query) =>
      answer({ id, query }, () => {
        if (!samplePools.some((row) => row.id === id)) return null
        return eventPage(sampleChangeOf(id), query)
      }),
    stockSwaps: (key, query) =>
      answer({ key, query }, () => (findSampleStock(key) === undefined ? null : swapPage(query))),
    swaps: (query) => answer({ query }, () => swapPage(query)),
    depth: (id, segments) =>
      answer({ id, segments }, () => {
        const isListed = samplePools.some((row) => row.id === id)
        return isListed ? exampleFromSchema(PoolDepthSchema) : null
      }),
    ranges: (id, query) =>
      answer({ id, query }, () => {
        const isListed = samplePools.some((row) => row.id === id)
        return isListed ? exampleFromSchema(PoolRangesSchema) : null
      }),
    provenanceAt: (id, moment) =>
      answer({ id, moment }, () => {
        const past = pastOf(moment)
        if (detailOf(id) === null || !past.ok) return past.ok ? null : past
        return success({ ...exampleFromSchema(PoolProvenanceSchema), past: past.value })
      }),
    provenance: (id) =>
      answer({ id }, () => {
        const isListed = samplePools.some((row) => row.id === id)
        return isListed ? { ...exampleFromSchema(PoolProvenanceSchema), past: null } : null
      }),
    stocks: (query: StocksQuery) => answer(query, () => pageOf(sampleStocks, query)),
    stock: (key, range) =>
      answer({ key, range }, () => {
        const found = findSampleStock(key)
        if (found === undefined) return null
        return {
          stock: found,
          series: [exampleFromSchema(StockSeriesRowSchema)],
          pools: samplePools,
        }
      }),
    stockQuote: (key, order) =>
      answer({ key, order }, () => {
        if (findSampleStock(key) === undefined) return null
        if ('whole' in order.amount && order.amount.whole.decimals > 6) {
          return failure({ kind: 'too-many-decimals', decimals: 6 })
        }
        return success(exampleFromSchema(StockQuoteSchema))
      }),
    stockDepth: (key) =>
      answer({ key }, () => (findSampleStock(key) ? exampleFromSchema(StockDepthSchema) : null)),
    resolve: (q) => answer({ q }, () => ({ ...exampleFromSchema(ResolvedTokenSchema), q })),
    prices: (addresses) =>
      answer({ addresses }, () => ({
        items: addresses.map((address) => ({ ...exampleFromSchema(TokenPriceSchema), address })),
      })),
  }
  return market
}
