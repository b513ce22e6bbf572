import { describe, expect, test } from 'vitest'
import {
  noon as now,
  oracleOf,
  poolQuoteOf,
  quoteOf,
} from '../../../test/support/domain/sample-inputs.ts'
import { policyDefault as policy } from '../status/freshness.ts'
import type { Multiplier } from '../stock/multiplier.ts'
import {
  publisherTraits,
  type Quote,
  type QuoteSourceId,
  quotePublishers,
  referenceRankOf,
} from './quote.ts'
import { quotedTokenUsd, quoteMid } from './quoted-usd.ts'
import { selectStockReference, selectTrustedReference } from './reference-price.ts'

const one = 10n ** 18n
const single: Multiplier = { current: one, pending: null, effectiveTs: null }

describe('the middle of a quote (methodology §3, guards)', () => {
  const table: readonly [string, Partial<Quote>, number | null][] = [
    ['both sides', { bid: 100, ask: 101 }, 100.5],
    ['no spread at all', { bid: 100, ask: 100 }, 100],
    ['a spread of exactly 2 %', { bid: 99, ask: 101 }, 100],
    ['a wider one', { bid: 98.9, ask: 101 }, null],
    ['crossed', { bid: 101, ask: 100 }, null],
    ['no bid', { bid: null, ask: 100 }, null],
    ['no ask', { bid: 100, ask: null }, null],
    ['a bid of nothing', { bid: 0, ask: 0.01 }, null],
    ['not numbers', { bid: Number.NaN, ask: Number.NaN }, null],
  ]
  test.each(table)('%s', (_, sides, mid) => {
    expect(quoteMid(quoteOf(sides))).toBe(mid)
  })
})

describe('dollars per token', () => {
  test.each([
    ['a share is multiplied', quoteOf({ bid: 100, ask: 100 }), 2n * one, 200],
    ['a token is not', oracleOf(100), 2n * one, 100],
    ['a share without a multiplier', quoteOf(), null, null],
    ['a token needs none', oracleOf(100), null, 100],
    ['a multiplier of nothing', quoteOf(), 0n, null],
    ['an answer of nothing', oracleOf(0), one, null],
    ['a negative answer', oracleOf(-1), one, null],
    ['an endless answer', oracleOf(Number.POSITIVE_INFINITY), one, null],
  ] as const)('%s', (_, quote, multiplier, usd) => {
    expect(quotedTokenUsd(quote, multiplier)).toBe(usd)
  })
})

describe('the reference of a stock', () => {
  const issuer = (age: number, rest: Partial<Quote> = {}) =>
    quoteOf({ bid: 100, ask: 100, publishedTs: now - age, ...rest })
  const file = (age: number) => issuer(age, { source: 'file', bid: 102, ask: 102 })
  const oracle = (age: number, last = 101) => oracleOf(last, { publishedTs: now - age })
  const pools = (age: number) => poolQuoteOf(103, { publishedTs: now - age })
  const select = (quotes: readonly Quote[], oracleSession = true) =>
    selectStockReference({ quotes, multiplier: single, oracleSession, policy, now })

  const table: readonly [string, readonly Quote[], boolean, string][] = [
    ['1: an issuer quote within 45 s', [issuer(45), oracle(1), pools(1)], true, 'issuer fresh'],
    ['the issuer before the file', [file(1), issuer(45)], true, 'issuer fresh'],
    ['the file where the issuer is old', [issuer(46), file(45)], true, 'file fresh'],
    ['also at night', [issuer(1), oracle(1)], false, 'issuer fresh'],
    ['2: Chainlink in session', [issuer(46), oracle(3600), pools(1)], true, 'chainlink fresh'],
    ['not out of session', [issuer(46), oracle(1), pools(1)], false, 'pools'],
    ['not after an hour', [issuer(46), oracle(3601), pools(1)], true, 'pools'],
    ['3: the median of the pools', [pools(120)], true, 'pools'],
    ['not an old one', [pools(121)], true, 'none'],
    ['4: the last price, the newer one', [issuer(9000), oracle(8000)], true, 'chainlink'],
    ['or the issuer, if it is newer', [issuer(8000), oracle(9000)], true, 'issuer'],
    ['4 before an old median', [issuer(9000), pools(121)], true, 'issuer'],
    ['nothing', [], true, 'none'],
    ['a one-sided quote is none', [issuer(1, { bid: null })], true, 'none'],
    ['a wide one neither', [issuer(1, { bid: 90 }), oracle(5)], true, 'chainlink fresh'],
  ]
  test.each(table)('%s', (_, quotes, oracleSession, expected) => {
    const { reference } = select(quotes, oracleSession)
    const selected = reference && `${reference.source}${reference.fresh ? ' fresh' : ''}`
    expect(selected ?? 'none').toBe(expected)
    // Good for comparisons is only what comes from outside and is young enough.
    expect(reference?.independent ?? false).toBe(expected.endsWith('fresh'))
  })

  test('the last price from outside is kept beside the one in force', () => {
    const { reference, lastExternal } = select([issuer(9000), pools(1)], false)
    expect(reference).toMatchObject({ source: 'pools', usd: 103 })
    expect(lastExternal).toMatchObject({ source: 'issuer', usd: 100, independent: false })
    expect(select([pools(1)]).lastExternal).toBeNull()
  })

  test.each([
    ['within 5 %', [issuer(10), oracle(10, 105)], false],
    ['more than 5 % apart', [issuer(10), oracle(10, 94)], true],
    ['one of them an hour old', [issuer(10), oracle(3600, 94)], false],
    ['the other an hour old', [issuer(3600), oracle(10, 94)], false],
    ['both just younger', [issuer(3599), oracle(3599, 94)], true],
    ['the pools do not count', [issuer(10), poolQuoteOf(50)], false],
  ] as const)('conflict of issuer and Chainlink: %s: %s', (_, quotes, conflict) => {
    expect(select(quotes).conflict).toBe(conflict)
  })

  test('a quote of the future is refused, and said to be', () => {
    const ahead = select([issuer(-31), oracle(10)])
    expect(ahead).toMatchObject({ clockAhead: true, reference: { source: 'chainlink' } })
    expect(select([issuer(-30)])).toMatchObject({ clockAhead: false, reference: { fresh: true } })
  })

  // What its source no longer stands by is the last price, and nothing more.
  test.each([
    ['a book grown too wide', 'unpriced', false],
    ['a clock ahead of ours', 'clock-ahead', true],
  ] as const)('a quote that lapsed by %s is never fresh', (_, lapse, clockAhead) => {
    const lapsed = issuer(1, { lapse })
    expect(select([lapsed])).toMatchObject({
      reference: { source: 'issuer', usd: 100, fresh: false, independent: false },
      clockAhead,
    })
    expect(select([lapsed, oracle(3600)]).reference).toMatchObject({ source: 'chainlink' })
    expect(select([lapsed, file(45)]).reference).toMatchObject({ source: 'file', fresh: true })
    expect(select([lapsed], false).lastExternal).toMatchObject({ usd: 100 })
  })

  test('a newer file that agrees does not hide the conflict', () => {
    expect(select([issuer(10), { ...file(1), bid: 95, ask: 95 }, oracle(10, 94)]).conflict).toBe(
      true,
    )
  })

  test('a publisher a little ahead of us quotes the share of after the split', () => {
    const multiplier = { current: one, pending: 2n * one, effectiveTs: now + 5 }
    const usdOf = (age: number) =>
      selectStockReference({ quotes: [issuer(age)], multiplier, oracleSession: true, policy, now })
    expect(usdOf(-4).reference?.usd).toBe(100)
    expect(usdOf(-5).reference?.usd).toBe(200)
  })

  // A split of one share into two: the price of a share halves when the multiplier doubles.
  test.each([
    ['of before the split', 3, 100],
    ['of after it', 2, 200],
  ])('a price %s goes with the multiplier of that time', (_, age, usd) => {
    const multiplier = { current: one, pending: 2n * one, effectiveTs: now - 2 }
    const input = { quotes: [issuer(age)], multiplier, oracleSession: true, policy, now }
    expect(selectStockReference(input).reference?.usd).toBe(usd)
  })

  test('a share cannot be priced as a token while the multiplier is unknown', () => {
    const quotes = [issuer(1), oracle(10)]
    const input = { quotes, multiplier: null, oracleSession: true, policy, now }
    expect(selectStockReference(input).reference?.source).toBe('chainlink')
  })
})

describe('a publisher added to the table (CONTRIBUTING)', () => {
  const named = (source: string, rest: Partial<Quote> = {}): Quote => ({
    ...quoteOf({ bid: 104, ask: 104, ...rest }),
    source: source as QuoteSourceId,
  })
  const publishers = {
    ...publisherTraits,
    exchange: { per: 'share', rule: 1 },
    oracle: { per: 'token', rule: 2 },
  } as const
  const input = { multiplier: single, oracleSession: true, policy, now }
  const select = (...quotes: readonly Quote[]) =>
    selectStockReference({ ...input, quotes }, publishers)
  const exchange = named('exchange')
  const oracle = named('oracle', { publishedTs: now - 600 })

  test('becomes the reference', () => {
    expect(select(exchange).reference).toMatchObject({ source: 'exchange', usd: 104, fresh: true })
    expect(select(oracle).reference).toMatchObject({ source: 'oracle', usd: 104, fresh: true })
  })

  test('comes after those before it in the table, and rule 1 before rule 2', () => {
    expect(select(exchange, quoteOf()).reference?.source).toBe('issuer')
    expect(select(oracle, oracleOf(100)).reference?.source).toBe('chainlink')
    expect(select(oracle, exchange).reference?.source).toBe('exchange')
  })

  test('is the last price, and contradicts the others', () => {
    const old = { publishedTs: now - 9000 }
    expect(select(named('exchange', old)).lastExternal?.source).toBe('exchange')
    expect(select(quoteOf({ bid: 90, ask: 90 }), oracle).conflict).toBe(true)
  })

  test('each publisher of the table is chosen where it is the only one', () => {
    for (const source of quotePublishers) {
      expect(selectStockReference({ ...input, quotes: [named(source)] }).reference).toMatchObject({
        source,
        independent: true,
      })
    }
  })

  test('a stored point of rule 1 outranks one of rule 2, and this one the pools', () => {
    const ranks = (['issuer', 'file', 'chainlink', 'pools'] as const).map(referenceRankOf)
    expect(ranks).toEqual([2, 2, 1, 0])
  })
})

describe('the reference of a trusted token', () => {
  const select = (quotes: readonly Quote[], isDollar = false) =>
    selectTrustedReference({ quotes, isDollar, policy, now })
  const oracle = (age: number) => oracleOf(4000, { publishedTs: now - age })
  const pools = (age: number) => poolQuoteOf(4001, { publishedTs: now - age })

  test.each([
    ['Chainlink within its heartbeat of a day', [oracle(86_400), pools(1)], 4000],
    ['else the pools', [oracle(86_401), pools(120)], 4001],
    ['while they are young', [oracle(86_401), pools(121)], null],
    ['else it is unknown', [], null],
  ] as const)('%s', (_, quotes, usd) => {
    expect(select(quotes).reference?.usd ?? null).toBe(usd)
  })

  test.each([
    [1, 1],
    [1.0099, 1],
    [0.9901, 1],
    [1.0101, null],
    [0.9899, null],
  ])('a dollar token that pools trade at %s is worth %s', (usd, expected) => {
    expect(select([poolQuoteOf(usd)], true).reference?.usd ?? null).toBe(expected)
    // Chainlink's answer is what it is.
    expect(select([oracleOf(usd), poolQuoteOf(1)], true).reference?.usd).toBe(usd)
  })

  test('what pools say is fresh, but not independent of them', () => {
    expect(select([pools(5)]).reference).toMatchObject({ fresh: true, independent: false })
    expect(select([oracle(5)]).reference).toMatchObject({ fresh: true, independent: true })
  })

  test('an answer that its feed no longer stands by is the last resort, and stale', () => {
    const lapsed = oracleOf(4000, { publishedTs: now - 9, lapse: 'clock-ahead' })
    const stale = { usd: 4000, fresh: false, independent: false }
    expect(select([lapsed])).toMatchObject({ reference: stale, clockAhead: true })
    expect(select([lapsed, pools(5)]).reference).toMatchObject({ usd: 4001, fresh: true })
    expect(select([{ ...lapsed, publishedTs: now - 86_401 }]).reference).toBeNull()
  })

  test('an answer of the future is refused', () => {
    expect(select([oracle(-31)])).toMatchObject({ reference: null, clockAhead: true })
  })
})
