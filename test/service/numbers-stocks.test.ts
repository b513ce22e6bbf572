import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionAt } from '../../src/domain/stock/market-session.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import type { HealthView } from '../../src/domain/views/service.ts'
import type { StockDetailView, StockView } from '../../src/domain/views/stock.ts'
import { eventually } from './api.ts'
import type { ContractStock } from './numbers/contracts.ts'
import {
  answerScale,
  answersInForce,
  createIssuerBook,
  type IssuerQuote,
  isBeingSplit,
  isInConflict,
  type MarketFacts,
  nearly,
  readMarketFacts,
} from './numbers/market-facts.ts'
import { openService } from './numbers/moment.ts'
import { bestOf, reviewedHookOf } from './numbers/trust.ts'

/*
 * Every field of every stock's row by hand: from the registry, the issuer's quotes, the feeds'
 * logs, the token's contract and the pools beside it in the same reply (docs/api.md,
 * docs/methodology.md §3). What the pools say of themselves is recomputed elsewhere.
 */

const service = openService()
afterAll(() => service.stored.close())

type Registered = { readonly tokenSymbol: string; readonly tokenName: string }

const book = createIssuerBook(service)
let facts: MarketFacts
let details: readonly StockDetailView[]
let registered: readonly Registered[]

/** The sessions while the details were read: a bell may ring between two of them. */
let sessions: readonly string[] = []

const readSession = async (): Promise<string> =>
  sessionAt((await service.api.read<HealthView>('/api/v1/health')).ts)

const readDetails = async (): Promise<readonly StockDetailView[]> => {
  await book.read()
  const { api, manifest } = service
  const stocks = manifest.tokens.filter(({ role }) => role === 'stock')
  const before = await readSession()
  const read = await Promise.all(
    stocks.map(({ symbol }) => api.read<StockDetailView>(`/api/v1/stocks/${symbol}?range=1h`)),
  )
  sessions = [before, await readSession()]
  return read
}

beforeAll(async () => {
  const answer = await fetch(`${service.manifest.urls.issuer}/assets`)
  registered = ((await answer.json()) as { assets: readonly Registered[] }).assets
  details = await eventually(readDetails, (rows) =>
    rows.every(
      ({ stock }) =>
        stock.dataStatus === 'fresh' && book.at(stock.address, stock.quoteTs) !== undefined,
    ),
  )
  facts = await readMarketFacts(service)
})

const listedFacts = ({ symbol }: StockView) => {
  const token = service.manifest.tokens.find((each) => each.symbol === symbol)
  const { tokenName } = registered.find((each) => each.tokenSymbol === symbol) as Registered
  // "NVIDIA • Sandbox Token": the company, and who issues the token.
  const [name, issuer] = tokenName.replace(/ Token$/, '').split(' • ')
  const { address, decimals } = token ?? {}
  return { symbol, name, address, decimals, issuer }
}

const textOf = (multiplier: bigint): string => {
  const digits = String(multiplier).padStart(19, '0')
  return `${digits.slice(0, -18)}.${digits.slice(-18)}`
}

const sharesOf = ({ address }: StockView) => {
  const { multiplier, announced, effectiveTs } = facts.contractStocks.get(address) as ContractStock
  const isPending = effectiveTs > facts.moment.ts && announced !== multiplier
  return {
    multiplier: textOf(multiplier),
    pendingMultiplier: isPending ? textOf(announced) : null,
    multiplierEffectiveTs: effectiveTs === 0 ? null : effectiveTs,
  }
}

const quoteOf = ({ address, quoteTs }: StockView) => {
  const { bid, ask, halted } = book.at(address, quoteTs) as IssuerQuote
  const { multiplier } = facts.contractStocks.get(address) as ContractStock
  const quoteUsd = (bid + ask) / 2
  return {
    ...{ quoteUsd, quoteBid: bid, quoteAsk: ask, quoteTs, quoteSource: 'issuer' },
    ...{ tokenUsd: (quoteUsd * Number(multiplier)) / 1e18, tradingHalt: halted },
  }
}

/** Of the answers that may be the last that was known, the one of the row's time. */
const oracleOf = (stock: StockView) => {
  const { address, oracleTs } = stock
  const { aggregator } = service.manifest.tokens.find((each) => each.address === address) ?? {}
  if (aggregator == null) return { oracleUsd: null, oracleTs: null }
  const inForce = answersInForce(facts, aggregator, [stock])
  const latest = inForce.find(({ updatedTs }) => updatedTs === oracleTs)
  return { oracleUsd: Number(latest?.answer) / answerScale, oracleTs }
}

const sumOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

/** Of the pools whose traders are known. */
const filteredOf = (pools: readonly PoolView[]) => {
  const judged = pools.filter((row) => row.vol24hFilteredUsd !== null)
  const [filtered, all] = [
    sumOf(judged.map((row) => row.vol24hFilteredUsd)),
    sumOf(judged.map((row) => row.vol24hUsd)),
  ]
  return {
    vol24hFilteredUsd: judged.length === 0 ? null : filtered,
    washShare24h: all > 0 ? Math.max(0, 1 - filtered / all) : null,
  }
}

const sumsOf = (pools: readonly PoolView[]) => {
  const count = (matches: (row: PoolView) => boolean): number => pools.filter(matches).length
  const best = bestOf(pools, reviewedHookOf(service))
  return {
    poolPriceUsd: best?.stockPriceUsd ?? null,
    bestPoolId: best?.id ?? null,
    premiumBps: best?.premiumBps ?? null,
    driftBps: best?.driftBps ?? null,
    pools: {
      total: pools.length,
      active: count((row) => row.active),
      canonical: count((row) => row.kind === 'canonical'),
      meme: count((row) => row.kind === 'meme'),
      stockStock: count((row) => row.kind === 'stock-stock'),
    },
    liquidityUsd: sumOf(pools.map((row) => row.liquidityUsd)),
    vol24hUsd: sumOf(pools.map((row) => row.vol24hUsd)),
    ...filteredOf(pools),
  }
}

/** The sandbox's issuer never sleeps: its quotes are fresh, whatever else is to be said. */
const statusOf = (stock: StockView, pendingMultiplier: string | null) => {
  const { oraclePaused } = facts.contractStocks.get(stock.address) as ContractStock
  const marketSession = sessions.find((each) => each === stock.marketSession) ?? sessions[0]
  const reasons = {
    market_closed: marketSession === 'closed',
    trading_halt: (book.at(stock.address, stock.quoteTs) as IssuerQuote).halted,
    oracle_paused: oraclePaused === true,
    multiplier_pending: pendingMultiplier !== null,
    reference_conflict: isInConflict(facts, stock),
  }
  const statusReasons = Object.entries(reasons).flatMap(([code, holds]) => (holds ? [code] : []))
  return { marketSession, oraclePaused, dataStatus: 'fresh', statusReasons }
}

/** Sums and products of doubles: the last digits are the order's. */
const toleranceOfSums = 1e-9
const sums = ['liquidityUsd', 'vol24hUsd', 'vol24hFilteredUsd'] as const

test('every field of every row follows from what others publish', () => {
  expect(details.length).toBeGreaterThanOrEqual(12)
  for (const { stock, pools } of details) {
    if (isBeingSplit(facts, stock)) continue
    const shares = sharesOf(stock)
    const expected: Record<string, unknown> = {
      ...listedFacts(stock),
      ...shares,
      ...quoteOf(stock),
      ...oracleOf(stock),
      ...sumsOf(pools),
      ...statusOf(stock, shares.pendingMultiplier),
    }
    for (const key of [...sums, 'quoteUsd', 'tokenUsd'] as const) {
      const isRight = nearly(stock[key], Number(expected[key]), toleranceOfSums)
      if (isRight) expected[key] = stock[key]
    }
    // A difference of two sums, which may be of their last digits.
    const share = expected.washShare24h
    if (Math.abs(Number(stock.washShare24h) - Number(share)) <= toleranceOfSums && share !== null) {
      expected.washShare24h = stock.washShare24h
    }
    expect(stock, stock.symbol).toEqual(expected)
  }
})

test('among them are a stock that is halted, one that is paused, one that was split', () => {
  const stocks = details.map(({ stock }) => stock)
  expect(stocks.some(({ tradingHalt }) => tradingHalt === true)).toBe(true)
  expect(stocks.some(({ oraclePaused }) => oraclePaused === true)).toBe(true)
  expect(stocks.some(({ oracleUsd }) => oracleUsd === null)).toBe(true)
  expect(stocks.map(({ multiplier }) => multiplier)).toEqual(
    expect.arrayContaining(['4.000000000000000000', '1.021500000000000000']),
  )
})

test('the record in a detail is the one of the list', async () => {
  const rows = await service.api.readAll<StockView>('/api/v1/stocks')
  expect(rows.map(({ symbol }) => symbol).toSorted()).toEqual(
    details.map(({ stock }) => stock.symbol).toSorted(),
  )
  for (const row of rows) {
    const { stock } = details.find((each) => each.stock.symbol === row.symbol) ?? {}
    expect(Object.keys(row), row.symbol).toEqual(Object.keys(stock ?? {}))
  }
})
