import { describe, expect, test } from 'vitest'
import { noon, oracleOf, quoteOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import type { Quote } from './quote.ts'
import { isReported, rejectFutureQuote, updateQuote } from './quote-update.ts'

/*
 *  good ---- wide ---- wide ---- good
 *    |        |__________|        |
 *  itself    the good one, lapsed itself
 */

const good = quoteOf({ publishedTs: noon - 60, fetchedTs: noon - 58 })
const next = (rest: Partial<Quote>) => quoteOf({ publishedTs: noon, fetchedTs: noon + 1, ...rest })
const lapsed = { ...good, fetchedTs: noon + 1, haltTs: noon, lapse: 'unpriced' }

describe('what is kept when a source speaks again', () => {
  test.each<readonly [string, Quote | undefined, Quote, unknown]>([
    ['its first word', undefined, next({ bid: null }), next({ bid: null })],
    ['the next good quote', good, next({}), next({})],
    ['a good one before a wide one', good, next({ bid: 100 }), lapsed],
    ['a good one before a one-sided one', good, next({ ask: null }), lapsed],
    [
      'and whether it is halted now',
      good,
      next({ bid: null, halted: true }),
      {
        ...lapsed,
        halted: true,
      },
    ],
    ['the good one still', { ...good, lapse: 'unpriced' }, next({ bid: 100 }), lapsed],
    ['the good one that ends it', { ...good, lapse: 'unpriced' }, next({}), next({})],
    ['of two without a price the newer', next({ bid: null }), next({ bid: 1 }), next({ bid: 1 })],
    ['an answer of a feed', oracleOf(1), oracleOf(2), oracleOf(2)],
  ])('%s', (_, before, said, kept) => {
    expect(updateQuote(before, said, () => null)).toEqual(kept)
  })
})

describe('what is kept when a time of our future was refused', () => {
  const { nvda: address } = tokens

  test('the last good quote, with its own time', () => {
    expect(rejectFutureQuote(good, { address, source: 'issuer', now: noon })).toEqual({
      ...good,
      fetchedTs: noon,
      lapse: 'clock-ahead',
    })
  })

  test.each([
    ['issuer', 'share'],
    ['chainlink', 'token'],
  ] as const)('without one: that there is none, by the %s', (source, per) => {
    const mark = rejectFutureQuote(undefined, { address, source, now: noon })
    expect(mark).toMatchObject({ address, source, per, lapse: 'clock-ahead', halted: false })
    expect(isReported(mark)).toBe(false)
  })
})
