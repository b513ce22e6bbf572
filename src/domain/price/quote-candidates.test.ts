import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { noon, oracleOf, poolQuoteOf, quoteOf } from '../../../test/support/domain/sample-inputs.ts'
import { policyDefault as policy } from '../status/freshness.ts'
import { multiplierOne } from '../stock/multiplier.ts'
import { type PublishedQuote, publisherTraits, type Quote } from './quote.ts'
import { confirmedQuotes } from './quote-candidates.ts'
import { updateQuote } from './quote-update.ts'
import { quotedUsd } from './quoted-usd.ts'
import { selectStockReference, selectTrustedReference } from './reference-price.ts'

const now = noon
const multiplier = { current: multiplierOne, pending: null, effectiveTs: null }
const given = (quotes: readonly Quote[], at = now) => ({
  quotes,
  multiplier,
  oracleSession: true,
  policy,
  now: at,
})
const select = (quotes: readonly Quote[], at = now) => selectStockReference(given(quotes, at))
const priced = (usd: number, ts: number, rest: Partial<Quote> = {}): PublishedQuote =>
  quoteOf({ bid: usd, ask: usd, publishedTs: ts, fetchedTs: ts, ...rest })

/** The issuer's quotes one after another, as the indexer stores them. */
const follow = (...steps: readonly (readonly [secondsAgo: number, usd: number])[]): Quote => {
  let quote: Quote | undefined
  for (const [seconds, usd] of steps) {
    quote = updateQuote(quote, priced(usd, now - seconds), quotedUsd)
  }
  if (quote === undefined) throw new Error('no quote')
  return quote
}

const jumped = follow([60, 100], [5, 1000])

describe('a quote that jumps (methodology §3)', () => {
  test('ten times the price of one source is not the reference, nor the last price', () => {
    expect(select([jumped])).toMatchObject({
      reference: { usd: 100, fresh: false, publishedTs: now - 60 },
      lastExternal: { usd: 100 },
      unconfirmed: 'issuer',
    })
  })

  test.each<readonly [string, readonly Quote[], number]>([
    ['Chainlink within 10 %', [oracleOf(910)], 1000],
    ['Chainlink further away is the reference itself', [oracleOf(890)], 890],
    ['the pools within 10 %', [poolQuoteOf(910)], 1000],
    ['old pools confirm nothing', [poolQuoteOf(1000, { publishedTs: now - 121 })], 100],
    ['an old answer of Chainlink neither', [oracleOf(1000, { publishedTs: now - 3601 })], 100],
    ['nor one that lapsed', [oracleOf(1000, { publishedTs: now - 99, lapse: 'clock-ahead' })], 100],
    ['a file is the next of rule 1', [quoteOf({ source: 'file', bid: 101, ask: 101 })], 101],
  ])('%s', (_, others, usd) => {
    expect(select([jumped, ...others]).reference?.usd).toBe(usd)
  })

  test('a confirmed jump stays accepted after the source that confirmed it is gone', () => {
    const [accepted] = confirmedQuotes(given([jumped, oracleOf(990)]), publisherTraits)
    expect(accepted).toMatchObject({ acceptedUsd: 1000, jumpTs: null })
    expect(select(accepted === undefined ? [] : [accepted])).toMatchObject({
      reference: { usd: 1000, fresh: true },
      unconfirmed: null,
    })
    expect(confirmedQuotes(given([jumped]), publisherTraits)).toEqual([])
  })

  test('an answer of Chainlink that jumps is confirmed by the issuer or the pools alike', () => {
    const oracle = oracleOf(1000, { acceptedUsd: 100, acceptedTs: now - 60 })
    expect(select([oracle])).toMatchObject({ reference: { usd: 100 }, unconfirmed: 'chainlink' })
    expect(select([oracle, quoteOf({ bid: 990, ask: 990 })]).reference?.usd).toBe(990)
    expect(select([oracle, poolQuoteOf(990)]).reference?.usd).toBe(1000)
  })

  test('a publisher cannot shorten the five minutes by its own clock', () => {
    const first = updateQuote(undefined, priced(100, now - 60), quotedUsd)
    let quote = updateQuote(first, priced(1000, now - 9000, { fetchedTs: now - 20 }), quotedUsd)
    for (const ts of [now - 400, now - 10, now + 30]) {
      quote = updateQuote(quote, priced(1000, ts, { fetchedTs: now }), quotedUsd)
    }
    expect(quote.jumpUpdates).toBe(4)
    expect(select([quote]).unconfirmed).toBe('issuer')
  })

  test('the same quote fetched again is no update', () => {
    let quote = follow([400, 100], [310, 1000])
    for (const fetchedTs of [now - 200, now - 100, now]) {
      quote = updateQuote(quote, { ...priced(1000, now - 310), fetchedTs }, quotedUsd)
    }
    expect(quote.jumpUpdates).toBe(1)
  })

  test('a jump that moves on begins again', () => {
    const quote = follow([400, 100], [310, 1000], [200, 1300], [100, 1300], [1, 1300])
    expect(quote).toMatchObject({ acceptedUsd: 100, jumpUsd: 1300, jumpUpdates: 3 })
    expect(select([quote]).unconfirmed).toBe('issuer')
  })

  test('a store of the version before: its quote is the accepted one', () => {
    const stored = quoteOf({ bid: 100, ask: 100, publishedTs: now - 60 })
    const next = updateQuote(stored, priced(1000, now - 5), quotedUsd)
    expect(select([next])).toMatchObject({ reference: { usd: 100 }, unconfirmed: 'issuer' })
  })

  test('a quote without a price keeps what was accepted', () => {
    const wide = updateQuote(jumped, priced(1, now, { ask: null }), () => null)
    expect(wide).toMatchObject({ acceptedUsd: 100, jumpUsd: 1000, lapse: 'unpriced' })
  })

  test('whatever one source says within five minutes, its price moves by a quarter a quote', () => {
    const anySteps = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { maxLength: 20 })
    fc.assert(
      fc.property(anySteps, (prices) => {
        let quote = updateQuote(undefined, priced(100, now - 250), quotedUsd)
        for (const [index, usd] of prices.entries()) {
          const before = select([quote], now - 250 + index * 10).lastExternal?.usd ?? 0
          quote = updateQuote(quote, priced(usd, now - 240 + index * 10), quotedUsd)
          const after = select([quote], now - 240 + index * 10).lastExternal?.usd ?? 0
          expect(Math.abs(after / before - 1)).toBeLessThanOrEqual(0.25 + 1e-9)
        }
      }),
    )
  })
})

describe('prices by pools', () => {
  const old = quoteOf({ bid: 100, ask: 100, publishedTs: now - 9000 })

  test.each([
    [125, 'pools', false],
    [125.1, 'issuer', true],
    [75, 'pools', false],
    [74.9, 'issuer', true],
    [100_000, 'issuer', true],
  ])('a median of %s is %s', (usd, source, conflict) => {
    expect(select([old, poolQuoteOf(usd)])).toMatchObject({ reference: { source }, conflict })
  })

  test('without any price from outside the median is what there is', () => {
    expect(select([poolQuoteOf(7)])).toMatchObject({ reference: { usd: 7 }, conflict: false })
  })

  test.each([
    ['two pools further than half away', { pools: 2 }, 151, true],
    ['within half', { pools: 2 }, 150, false],
    ['below', { pools: 2 }, 49, true],
    ['one pool', { pools: 1 }, 900, false],
    ['a number that was not stored', {}, 900, false],
    ['old ones', { pools: 2, publishedTs: now - 121 }, 900, false],
  ])('a fresh quote and %s', (_, rest, usd, conflict) => {
    const result = select([quoteOf({ bid: 100, ask: 100 }), poolQuoteOf(usd, rest)])
    expect(result).toMatchObject({ reference: { usd: 100, fresh: true }, conflict })
  })

  test.each([
    [86_401, 3700, 3700, false],
    [86_401, 30, null, true],
    [2 * 86_400, 30, null, true],
    [2 * 86_400 + 1, 30, 30, false],
  ])('ETH, answered 3,000 %s s ago and %s by pools', (age, usd, expected, conflict) => {
    const quotes = [oracleOf(3000, { publishedTs: now - age }), poolQuoteOf(usd)]
    const result = selectTrustedReference({ quotes, isDollar: false, policy, now })
    expect(result).toMatchObject({ conflict })
    expect(result.reference?.usd ?? null).toBe(expected)
  })
})

describe('a change of the multiplier', () => {
  const split = (quotes: readonly Quote[], pending = 4n * multiplierOne) =>
    selectStockReference({
      ...given(quotes),
      multiplier: { current: multiplierOne, pending, effectiveTs: now - 10 },
    })
  const of = (age: number, usd: number) =>
    quoteOf({ bid: usd, ask: usd, publishedTs: now - age, acceptedUsd: 100, acceptedTs: now - 60 })

  test.each<readonly [string, readonly Quote[], object]>([
    ['a quote of after it counts', [of(9, 25)], { reference: { usd: 100, fresh: true } }],
    ['one of its second does not', [of(10, 25)], { unconfirmed: 'issuer' }],
    ['one of before does not', [of(11, 100)], { reference: { fresh: false } }],
    [
      'unless the pools confirm it within a quarter',
      [of(11, 100), poolQuoteOf(80)],
      { reference: { usd: 100, source: 'issuer', fresh: true }, unconfirmed: null },
    ],
    [
      'four-fold prices of a late quote are never fresh',
      [of(5, 100)],
      { reference: { usd: 100, fresh: false }, unconfirmed: 'issuer' },
    ],
    [
      'Chainlink’s answer holds the multiplier, whatever its time',
      [oracleOf(100, { publishedTs: now - 600 })],
      { reference: { usd: 100, fresh: true }, unconfirmed: null },
    ],
  ])('%s', (_, quotes, expected) => {
    expect(split(quotes)).toMatchObject(expected)
  })
})
