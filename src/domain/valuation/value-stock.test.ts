import { describe, expect, test } from 'vitest'
import {
  addressOf,
  noon,
  oracleOf,
  poolQuoteOf,
  quoteOf,
  stockOf,
  tokens,
} from '../../../test/support/domain/sample-inputs.ts'
import type { Quote } from '../price/quote.ts'
import { policyDefault as policy } from '../status/freshness.ts'
import type { PoolKind } from '../views/pool.ts'
import { buildStockInputs, toMultiplier } from './stock-inputs.ts'
import { type PoolSummary, sumStockPools } from './stock-totals.ts'
import { toStockView } from './value-stock.ts'

const one = 10n ** 18n

type Values = Omit<PoolSummary, 'pool'> & {
  readonly kind: PoolKind
  readonly vol24hUsd: number | null
}

const pool = (
  number: number,
  { kind = 'canonical', vol24hUsd = 10, ...rest }: Partial<Values> = {},
): PoolSummary => ({
  pool: {
    id: addressOf(number),
    classification: { kind },
    volume: { vol24hUsd, vol24hFilteredUsd: vol24hUsd && vol24hUsd * 0.8 },
  },
  active: true,
  comparable: true,
  mayRepresent: kind === 'canonical' && rest.active !== false && rest.stockPriceUsd !== null,
  stockPriceUsd: 201,
  liquidityUsd: 1000,
  depthUsd: 20_000,
  premiumBps: 50,
  driftBps: null,
  ...rest,
})

const viewOf = ({
  stock = stockOf(),
  quotes = [quoteOf()],
  pools = [],
  session = 'regular',
}: {
  readonly stock?: ReturnType<typeof stockOf>
  readonly quotes?: readonly Quote[]
  readonly pools?: readonly PoolSummary[]
  readonly session?: 'regular' | 'closed'
} = {}) => {
  const facts = buildStockInputs({ stock, quotes, session, policy, now: noon })
  const multiplier = toMultiplier(stock, noon)
  return toStockView({
    stock,
    inputs: facts,
    multiplier,
    quotes,
    pools: sumStockPools(pools),
    now: noon,
  })
}

test('an oracle of the share is multiplied once, one of the token never', () => {
  const stock = stockOf({ multiplier: 3n * one })
  const oracle = oracleOf(100)
  expect(viewOf({ stock, quotes: [oracle] })).toMatchObject({ oracleUsd: 100, tokenUsd: 100 })
  const ofShare = { ...oracle, per: 'share' as const }
  const view = viewOf({ stock, quotes: [ofShare] })
  expect(view).toMatchObject({ quoteUsd: 100, oracleUsd: 300, tokenUsd: 300 })
})

test('a quoted stock with one pool: every field', () => {
  const stock = stockOf({ multiplier: 2n * one })
  const quotes = [
    quoteOf({ bid: 99, ask: 101, publishedTs: noon - 3 }),
    oracleOf(199, { publishedTs: noon - 9 }),
  ]
  expect(viewOf({ stock, quotes, pools: [pool(1)] })).toEqual({
    symbol: 'NVDA',
    name: 'NVIDIA',
    address: tokens.nvda,
    decimals: 18,
    issuer: 'robinhood',
    multiplier: '2.000000000000000000',
    pendingMultiplier: null,
    multiplierEffectiveTs: null,
    quoteUsd: 100,
    quoteBid: 99,
    quoteAsk: 101,
    quoteTs: noon - 3,
    quoteSource: 'issuer',
    tokenUsd: 200,
    oracleUsd: 199,
    oracleTs: noon - 9,
    marketSession: 'regular',
    tradingHalt: false,
    oraclePaused: false,
    poolPriceUsd: 201,
    bestPoolId: addressOf(1),
    premiumBps: 50,
    driftBps: null,
    pools: { total: 1, active: 1, canonical: 1, meme: 0, stockStock: 0 },
    liquidityUsd: 1000,
    vol24hUsd: 10,
    vol24hFilteredUsd: 8,
    washShare24h: expect.closeTo(0.2, 12),
    dataStatus: 'fresh',
    statusReasons: [],
  })
})

describe('the status of a stock', () => {
  const table: readonly [string, readonly Quote[], string, readonly string[]][] = [
    ['quoted 45 s ago', [quoteOf({ publishedTs: noon - 45 })], 'fresh', []],
    ['a second more', [quoteOf({ publishedTs: noon - 46 })], 'stale', ['quote_old']],
    ['Chainlink stands in', [oracleOf(200)], 'partial', ['quote_old']],
    ['only our pools have a price', [poolQuoteOf(200)], 'partial', ['quote_missing']],
    [
      'a quote of the future',
      [quoteOf({ publishedTs: noon + 31 })],
      'stale',
      ['quote_missing', 'clock_ahead'],
    ],
    [
      'its source has since reported a time ahead of our clock',
      [quoteOf({ publishedTs: noon - 9, lapse: 'clock-ahead' })],
      'stale',
      ['quote_old', 'clock_ahead'],
    ],
    [
      'so it has from the first, and Chainlink stands in',
      [quoteOf({ bid: null, ask: null, lapse: 'clock-ahead' }), oracleOf(200)],
      'partial',
      ['quote_old', 'clock_ahead'],
    ],
    [
      'so it has from the first',
      [quoteOf({ bid: null, ask: null, lapse: 'clock-ahead' })],
      'unavailable',
      ['quote_missing', 'clock_ahead'],
    ],
    [
      'its book has since grown too wide',
      [quoteOf({ publishedTs: noon - 9, lapse: 'unpriced' })],
      'stale',
      ['quote_old'],
    ],
    ['one side only, ever', [quoteOf({ bid: null })], 'unavailable', ['quote_missing']],
    ['no quote at all', [], 'unavailable', ['quote_missing']],
    ['sources at odds', [quoteOf(), oracleOf(100)], 'fresh', ['reference_conflict']],
  ]
  test.each(table)('%s', (_, quotes, status, reasons) => {
    const view = viewOf({ quotes })
    expect([view.dataStatus, ...view.statusReasons]).toEqual([status, ...reasons])
  })

  test('a price in a pool is a price', () => {
    const view = viewOf({ quotes: [], pools: [pool(1)] })
    expect(view).toMatchObject({ dataStatus: 'partial', statusReasons: ['quote_missing'] })
  })

  test('at the weekend an old quote is normal, and said', () => {
    const quotes = [quoteOf({ publishedTs: noon - 5000 })]
    const view = viewOf({ quotes, session: 'closed' })
    expect(view).toMatchObject({ dataStatus: 'stale', quoteUsd: 200, marketSession: 'closed' })
    expect(view.statusReasons).toEqual(['quote_old', 'market_closed'])
  })
})

describe('the quote that is shown', () => {
  test.each([
    ['the one in force', [quoteOf(), oracleOf(190)], 'issuer', 200],
    ['Chainlink, per share', [oracleOf(190)], 'chainlink', 95],
    ['not the median of pools', [poolQuoteOf(190), quoteOf({ publishedTs: 5 })], 'issuer', 200],
    ['none', [poolQuoteOf(190)], null, null],
  ] as const)('%s', (_, quotes, quoteSource, quoteUsd) => {
    expect(viewOf({ quotes, stock: stockOf({ multiplier: 2n * one }) })).toMatchObject({
      quoteSource,
      quoteUsd: quoteUsd === null ? null : expect.closeTo(quoteUsd, 10),
    })
  })

  test('without a multiplier there is a price per share, none per token', () => {
    const view = viewOf({ stock: stockOf({ multiplier: null }) })
    expect(view).toMatchObject({ quoteUsd: 200, tokenUsd: null, multiplier: null })
  })

  test('of a contract that was read more than a day ago nothing is shown', () => {
    const unread = viewOf({ stock: stockOf({ readTs: noon - 86_401, oraclePaused: true }) })
    expect(unread).toMatchObject({ quoteUsd: 200, tokenUsd: null, multiplier: null })
    expect(unread).toMatchObject({ oraclePaused: null, dataStatus: 'stale' })
    expect(unread.statusReasons).toEqual(['quote_missing', 'multiplier_old'])
    const old = viewOf({ stock: stockOf({ readTs: noon - 301 }) })
    expect(old).toMatchObject({ tokenUsd: 200, dataStatus: 'partial' })
    expect(old.statusReasons).toEqual(['multiplier_old'])
  })

  test('only who quotes shares knows of a halt', () => {
    expect(viewOf({ quotes: [oracleOf(200)] }).tradingHalt).toBeNull()
    expect(viewOf({ quotes: [quoteOf({ halted: true })] }).tradingHalt).toBe(true)
    const silent = viewOf({ quotes: [quoteOf({ halted: true, publishedTs: noon - 46 })] })
    expect(silent).toMatchObject({ tradingHalt: null, statusReasons: ['quote_old'] })
    const oneSided = viewOf({ quotes: [quoteOf({ halted: true, bid: null })] })
    expect(oneSided).toMatchObject({ tradingHalt: true })
  })
})

test('a multiplier that is announced, then in force', () => {
  const announced = { pendingMultiplier: 10n * one, multiplierEffectiveTs: noon + 1 }
  expect(viewOf({ stock: stockOf(announced) })).toMatchObject({
    multiplier: '1.000000000000000000',
    pendingMultiplier: '10.000000000000000000',
    multiplierEffectiveTs: noon + 1,
    tokenUsd: 200,
    statusReasons: ['multiplier_pending'],
  })
  const inForce = { ...announced, multiplierEffectiveTs: noon }
  expect(viewOf({ stock: stockOf(inForce) })).toMatchObject({
    multiplier: '10.000000000000000000',
    pendingMultiplier: null,
    tokenUsd: 2000,
  })
})

describe('the pricing pool of a stock', () => {
  test('is the deepest active canonical one that has a price', () => {
    const pools = [
      pool(1, { liquidityUsd: 10_000, depthUsd: 10 }),
      pool(2, { depthUsd: 90, kind: 'meme' }),
      pool(3, { depthUsd: 80, kind: 'stock-stock' }),
      pool(4, { depthUsd: 70, active: false }),
      pool(5, { depthUsd: 60, stockPriceUsd: null }),
      pool(6, { depthUsd: 50, stockPriceUsd: 205, premiumBps: 7 }),
      pool(7, { depthUsd: null }),
    ]
    const view = viewOf({ pools })
    expect(view).toMatchObject({ bestPoolId: addressOf(6), poolPriceUsd: 205, premiumBps: 7 })
    expect(view.pools).toEqual({ total: 7, active: 6, canonical: 5, meme: 1, stockStock: 1 })
    expect(view.liquidityUsd).toBe(10_000 + 6 * 1000)
  })

  test('is a comparable one before a deeper one that is not', () => {
    const pools = [
      pool(1, { depthUsd: 9000, comparable: false }),
      pool(2, { depthUsd: 20 }),
      pool(3, { depthUsd: 30 }),
      pool(4, { depthUsd: null }),
    ]
    expect(viewOf({ pools }).bestPoolId).toBe(addressOf(3))
    expect(viewOf({ pools: pools.slice(0, 1) }).bestPoolId).toBe(addressOf(1))
  })

  test('is never one that may not represent the stock, however deep', () => {
    const depthUsd = 9_000_000
    const unfit = pool(1, { depthUsd, comparable: false, mayRepresent: false, stockPriceUsd: 999 })
    const honest = pool(2, { depthUsd: 4_000_000, stockPriceUsd: 201 })
    expect(viewOf({ pools: [unfit, honest] })).toMatchObject({
      bestPoolId: addressOf(2),
      poolPriceUsd: 201,
    })
    expect(viewOf({ pools: [unfit, { ...honest, comparable: false }] }).poolPriceUsd).toBe(201)
    const none = { bestPoolId: null, poolPriceUsd: null, premiumBps: null, driftBps: null }
    expect(viewOf({ pools: [unfit] })).toMatchObject(none)
  })

  test('of equals the first by id, in whatever order they come', () => {
    const pools = [pool(2), pool(1), pool(3)]
    expect(viewOf({ pools }).bestPoolId).toBe(addressOf(1))
    expect(viewOf({ pools: pools.toReversed() }).bestPoolId).toBe(addressOf(1))
  })

  test('sums are null only when nothing is known, and 0 without pools', () => {
    expect(viewOf({ pools: [pool(1, { liquidityUsd: null, vol24hUsd: null })] })).toMatchObject({
      liquidityUsd: null,
      vol24hUsd: null,
    })
    expect(viewOf()).toMatchObject({ liquidityUsd: 0, vol24hUsd: 0, bestPoolId: null })
  })
})
