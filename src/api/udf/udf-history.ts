import type { CandleWidthName } from '../../domain/history/candle-range.ts'
import { failure, success } from '../../domain/outcome.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { CandleView } from '../../domain/views/history.ts'
import type { CandlePage, StockCandleQuery } from '../../market/history.ts'
import type { Market } from '../../market/market.ts'
import { integerField } from '../schemas/query-fields.ts'
import {
  type UdfSymbol,
  udfFromField,
  udfResolutionField,
  udfSymbolField,
  udfToField,
} from './udf-fields.ts'
import { defineUdfRoute } from './udf-route.ts'
import { pricedInUsd, unknownSymbol } from './udf-symbols.ts'

/** Bars of one response: the newest of a long range. A library then asks for older ones. */
const barsMax = 5_000
const pageRows = 1_000
const pagesMax = 10

/** Null for what is not kept any more: to a chart there is nothing older. */
type ReadPage = (query: StockCandleQuery) => Promise<CandlePage | null>

/** Reads candles of a stock or of a pool; null if it is unknown. */
const openSymbol = async (market: Market, symbol: UdfSymbol): Promise<ReadPage | null> => {
  if ('stock' in symbol) {
    const { stock } = symbol
    if ((await market.stock(stock, '1h')) === null) return null
    return async (query) => {
      const result = await market.stockCandles(stock, query)
      return result?.ok ? result.value : null
    }
  }
  const detail = await market.pool(symbol.pool, '1h')
  if (detail === null) return null
  const price = pricedInUsd(detail.pool) ? 'usd' : 'other'
  return async (query) => {
    const asked = { ...query, price, fill: 'none', hasStockVolume: false } as const
    const result = await market.poolCandles(symbol.pool, asked)
    return result?.ok ? result.value : null
  }
}

type Bars = {
  readonly width: CandleWidthName
  readonly fromTs: UnixSeconds | null
  readonly toTs: UnixSeconds
  readonly count: number
}

type Bar = CandleView & { readonly [Name in 'open' | 'high' | 'low' | 'close']: number }

const isBar = ({ open, high, low, close }: CandleView): boolean =>
  open !== null && high !== null && low !== null && close !== null

type Found = {
  /** Newest first. */
  readonly bars: readonly Bar[]
  /** The range was not read to its end: the time before which it continues. */
  readonly beforeTs: UnixSeconds | null
}

/** The newest bars of a range. */
const readBars = async (readPage: ReadPage, { count, ...range }: Bars): Promise<Found> => {
  const bars: Bar[] = []
  let cursor: CandlePage['next'] = null
  for (let pages = 0; pages < pagesMax && bars.length < count; pages++) {
    const limit = Math.min(pageRows, count - bars.length)
    const page: CandlePage | null = await readPage({ ...range, limit, cursor, order: 'desc' })
    bars.push(...((page?.items.filter(isBar) ?? []) as readonly Bar[]))
    cursor = page?.next ?? null
    if (cursor === null) break
  }
  return { bars, beforeTs: cursor?.ts ?? null }
}

/** Where a library continues that was given no bar; undefined at the end of the data. */
const findNextTime = async (
  readPage: ReadPage,
  { width, fromTs, beforeTs }: Pick<Bars, 'width' | 'fromTs'> & Pick<Found, 'beforeTs'>,
): Promise<UnixSeconds | undefined> => {
  if (beforeTs !== null) return beforeTs - 1
  if (fromTs === null) return undefined
  const range = { width, fromTs: null, toTs: Math.max(0, fromTs - 1) }
  const before = await readBars(readPage, { ...range, count: 1 })
  return before.bars[0]?.ts ?? (before.beforeTs === null ? undefined : before.beforeTs - 1)
}

export const udfHistoryRoute = defineUdfRoute({
  path: '/udf/history',
  summary: 'Returns bars of a stock or a pool for charting libraries (UDF).',
  queryFields: {
    symbol: udfSymbolField,
    resolution: udfResolutionField,
    from: udfFromField,
    to: udfToField,
    countback: integerField('Bars before `to`, wherever they lie.', { min: 1, max: 1e6 }, null),
  },
  answer: async ({ market }, { symbol, resolution: width, from, to, countback }) => {
    const readPage = await openSymbol(market, symbol)
    if (readPage === null) return failure(unknownSymbol)
    const toTs = Math.max(0, to - 1)
    const fromTs = countback === null && from !== null ? Math.max(0, from) : null
    const count = Math.min(countback ?? barsMax, barsMax)
    const isBackwards = to <= (fromTs ?? 0)
    const asked = { width, fromTs, toTs, count }
    const found = isBackwards ? { bars: [], beforeTs: null } : await readBars(readPage, asked)
    const bars = found.bars.toReversed()
    if (bars.length === 0) {
      const nextTime = await findNextTime(readPage, { ...asked, ...found })
      return success({ s: 'no_data', nextTime })
    }
    return success({
      s: 'ok',
      t: bars.map(({ ts }) => ts),
      o: bars.map(({ open }) => open),
      h: bars.map(({ high }) => high),
      l: bars.map(({ low }) => low),
      c: bars.map(({ close }) => close),
      v: bars.map(({ volumeUsd }) => volumeUsd),
    })
  },
})
