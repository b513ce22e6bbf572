import { describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { StockDetailView, StockView } from '../../src/domain/views/stock.ts'
import { createApi, eventually, type Page, readBesideAllPools, someOffsets } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import { bucketsOf } from './numbers/recount.ts'
import { bestOf, reviewedHookOf } from './numbers/trust.ts'
import { misfits, misfitsOfRows } from './shape.ts'
import {
  pageShape,
  poolShape,
  ranges,
  stockDetailShape,
  stockSeriesShape,
  stockShape,
} from './shapes.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const path = '/api/v1/stocks'
const readAllStocks = () => api.readAll<StockView>(path)

test('returns the first 25 rows by default', async () => {
  const page = await api.read<Page<StockView>>(path)
  expect(misfits(pageShape, page, 'page')).toEqual([])
  expect(page).toMatchObject({ limit: 25, offset: 0 })
  expect(page.items).toHaveLength(Math.min(25, page.total))
})

test('every row has exactly the documented fields', async () => {
  expect(misfitsOfRows(stockShape, await readAllStocks(), 'stocks')).toEqual([])
})

test('lists exactly the registered stocks', async () => {
  const { tokens, multipliers } = readManifest(sandboxDir)
  const registered = tokens.filter((token) => token.role === 'stock')
  const rows = await readAllStocks()
  expect(rows.map((row) => row.address).toSorted()).toEqual(
    registered.map((token) => token.address).toSorted(),
  )
  expect(rows.length).toBeGreaterThanOrEqual(12)
  for (const row of rows) {
    const token = registered.find(({ address }) => address === row.address)
    expect(token).toMatchObject({ symbol: row.symbol, decimals: row.decimals })
    expect(row.tradingHalt).toBe(token?.halted)
    expect(row.oraclePaused).toBe(token?.proof === 'beacon' ? token.oraclePaused : null)
    expect(row.statusReasons.includes('trading_halt')).toBe(token?.halted)
    expect(row.statusReasons.includes('oracle_paused')).toBe(token?.oraclePaused)
    expect(row.oracleUsd === null).toBe(token?.feed === null)
    if (multipliers[row.symbol] === undefined) expect(Number(row.multiplier)).toBe(1)
    expect(row.statusReasons.includes('multiplier_pending')).toBe(row.pendingMultiplier !== null)
    if (row.pendingMultiplier !== null) expect(row.multiplierEffectiveTs).not.toBeNull()
  }
})

test('quotes, multipliers and token prices are consistent', async () => {
  for (const row of await readAllStocks()) {
    const { quoteUsd, quoteBid, quoteAsk, quoteSource, quoteTs, tokenUsd, multiplier } = row
    const quote = [quoteUsd, quoteSource, quoteTs]
    expect(new Set(quote.map((value) => value === null)).size).toBe(1)
    if (quoteSource === 'issuer') {
      expect(quoteUsd).toBeCloseTo(((quoteBid ?? Number.NaN) + (quoteAsk ?? Number.NaN)) / 2, 9)
    }
    const factor = multiplier === null ? Number.NaN : Number(multiplier)
    if (quoteUsd !== null) expect((tokenUsd ?? 0) / (quoteUsd * factor)).toBeCloseTo(1, 9)
    expect(row.oracleTs === null).toBe(row.oracleUsd === null)
  }
})

// The sandbox's issuer never sleeps, its exchange does: both sides of the bell are tested by
// when the test runs at their hour.
test('shows a premium in session and a drift outside of it', async () => {
  // It quotes every few seconds, so that nothing is old once it is read.
  const rows = await eventually(readAllStocks, (stocks) =>
    stocks.every((row) => row.dataStatus === 'fresh'),
  )
  for (const row of rows) {
    const { marketSession, premiumBps, driftBps, statusReasons } = row
    const isClosed = marketSession === 'closed'
    expect(statusReasons.includes('market_closed')).toBe(isClosed)
    if (isClosed) expect(premiumBps).toBeNull()
    else expect(driftBps).toBeNull()
    if (row.bestPoolId === null) expect([premiumBps, driftBps]).toEqual([null, null])
    expect(statusReasons).not.toContain('quote_old')
  }
})

test('sums up the pools of a stock and prices it by its best pool', async () => {
  const { all, value: stocks } = await readBesideAllPools(api, readAllStocks)
  const sum = (values: readonly (number | null)[]): number | null => {
    const known = values.filter((value) => value !== null)
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0)
  }
  const reviewedHook = reviewedHookOf({ manifest: readManifest(sandboxDir) })
  for (const stock of stocks) {
    const own = all.filter(({ token0, token1 }) => [token0, token1].includes(stock.address))
    const count = (isWanted: (row: PoolView) => boolean) => own.filter(isWanted).length
    expect(stock.pools).toEqual({
      total: own.length,
      active: count((row) => row.active),
      canonical: count((row) => row.kind === 'canonical'),
      meme: count((row) => row.kind === 'meme'),
      stockStock: count((row) => row.kind === 'stock-stock'),
    })
    expect(stock.liquidityUsd).toBeCloseTo(sum(own.map((row) => row.liquidityUsd)) ?? 0, 4)
    expect(stock.vol24hUsd).toBeCloseTo(sum(own.map((row) => row.vol24hUsd)) ?? 0, 4)
    // A stock that rebases has none.
    const best = bestOf(own, reviewedHook) ?? null
    expect([stock.bestPoolId, stock.poolPriceUsd]).toEqual([
      ...[best?.id ?? null, best?.stockPriceUsd ?? null],
    ])
    expect([stock.premiumBps, stock.driftBps]).toEqual([
      ...[best?.premiumBps ?? null, best?.driftBps ?? null],
    ])
  }
})

test('sorts by liquidity', async () => {
  const rows = await readAllStocks()
  const values = rows.map((row) => row.liquidityUsd ?? -1)
  expect(values).toEqual(values.toSorted((a, b) => b - a))
})

test.each([1, 5, 50])('pages of %i contain every stock once', async (limit) => {
  for (const offset of someOffsets((await readAllStocks()).length, limit)) {
    const { value } = await readBesideAllPools(api, async () => ({
      whole: await readAllStocks(),
      page: await api.read<Page<StockView>>(`${path}?limit=${limit}&offset=${offset}`),
    }))
    const symbols = value.whole.map((row) => row.symbol)
    expect(value.page.items.map((row) => row.symbol)).toEqual(symbols.slice(offset, offset + limit))
    expect(value.page.total).toBe(symbols.length)
  }
})

test('returns an empty page with the total beyond the last stock', async () => {
  const { length: total } = await readAllStocks()
  const page = await api.read(`${path}?offset=1000000&limit=2`)
  expect(page).toEqual({ items: [], total, limit: 2, offset: 1_000_000 })
})

describe('q', () => {
  test.each(['NVDA', 'nvd', 'ETF', 'S&P', ' apple ', 'a', '%', '_', 'xyz', '', ' ', '0-3 month'])(
    '%j',
    async (text) => {
      const rows = await readAllStocks()
      const wanted = text.trim().toLowerCase()
      const expected = rows.filter(({ symbol, name }) =>
        [symbol, name].some((each) => each.toLowerCase().includes(wanted)),
      )
      const found = await api.readAll<StockView>(`${path}?q=${encodeURIComponent(text)}`)
      expect(found.map((row) => row.symbol).toSorted()).toEqual(
        expected.map((row) => row.symbol).toSorted(),
      )
    },
  )

  test('matches a prefix of an address in any case', async () => {
    for (const { symbol, address } of await readAllStocks()) {
      for (const begin of [
        address,
        address.toUpperCase(),
        address.slice(0, 12),
        address.slice(2, 14),
      ]) {
        const found = await api.readAll<StockView>(`${path}?q=${begin}`)
        expect(found.map((row) => row.symbol)).toContain(symbol)
      }
    }
  })
})

describe.each([...ranges, null])('every stock over %s', (range) => {
  test('has its record, its pools and a series', async () => {
    for (const { symbol, address } of await readAllStocks()) {
      const query = range === null ? '' : `?range=${range}`
      const detail = await api.read<StockDetailView>(`${path}/${symbol}${query}`)
      expect(misfits(stockDetailShape, detail, symbol)).toEqual([])
      const { stock, series, pools } = detail
      expect([stock.symbol, stock.address]).toEqual([symbol, address])
      expect(misfitsOfRows(stockSeriesShape, series, symbol)).toEqual([])
      expect(misfitsOfRows(poolShape, pools, symbol)).toEqual([])
      checkPools(stock, pools)
      checkSeries(detail, range ?? '24h')
    }
  })
})

const checkPools = (stock: StockView, pools: readonly PoolView[]): void => {
  expect(pools).toHaveLength(Math.min(stock.pools.total, 50))
  expect(new Set(pools.map((row) => row.asOfBlock)).size).toBe(1)
  for (const row of pools) expect([row.token0, row.token1]).toContain(stock.address)
  const depths = pools.map((row) => row.liquidityUsd ?? -1)
  expect(depths).toEqual(depths.toSorted((a, b) => b - a))
}

const checkSeries = ({ stock, series, pools }: StockDetailView, range: string): void => {
  const headTs = pools.find((row) => row.stateTs !== null)?.stateTs ?? 0
  const last = series.at(-1)
  const { starts } = bucketsOf(range, series[0]?.ts ?? 0, headTs)
  expect(series.map((row) => row.ts)).toEqual(starts)
  expect(series.map((row) => row.closed)).toEqual(series.map((row) => row !== last))
  expect(last).toMatchObject({ poolPriceUsd: stock.poolPriceUsd, premiumBps: stock.premiumBps })
  expect(last?.referenceUsd).toBe(stock.tokenUsd)
}

test('finds a stock by ticker or address in any case', async () => {
  for (const { symbol, address } of await readAllStocks()) {
    const upper = `0x${address.slice(2).toUpperCase()}`
    for (const key of [symbol, symbol.toLowerCase(), address, upper]) {
      const { stock } = await api.read<StockDetailView>(`${path}/${key}?range=1h`)
      expect(stock.symbol).toBe(symbol)
    }
  }
})
