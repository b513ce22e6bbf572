import { describe, expect, test } from 'vitest'
import { noon, oracleOf, quoteOf, saturday } from '../../../test/support/domain/sample-inputs.ts'
import { policyDefault as policy } from '../status/freshness.ts'
import type { Quote } from './quote.ts'
import { rejectFutureQuote, updateQuote } from './quote-update.ts'
import { isTradingHalted } from './trading-halt.ts'

const haltAt = (now: number, quotes: readonly Quote[]) => isTradingHalted(quotes, { now, policy })
const wordOf = (halted: boolean, publishedTs: number, rest: Partial<Quote> = {}): Quote =>
  quoteOf({ halted, publishedTs, fetchedTs: publishedTs, ...rest })

const unpriced = () => null

const fileWord = (halted: boolean, publishedTs: number): Quote =>
  wordOf(halted, publishedTs, { source: 'file' })

/** The Friday evening before Saturday: post-market ends and the market closes. */
const closing = Date.parse('2026-09-18T20:00:00-04:00') / 1000
const opening = Date.parse('2026-09-20T20:00:00-04:00') / 1000

describe('a halt', () => {
  test.each<readonly [string, number, readonly Quote[], boolean | null]>([
    ['said just now', noon, [wordOf(true, noon)], true],
    ['said as long ago as a quote may be', noon + 45, [wordOf(true, noon)], true],
    ['ends with the age of the word', noon + 46, [wordOf(true, noon)], null],
    ['denied just now', noon, [wordOf(false, noon)], false],
    ['denied too long ago is unknown', noon + 46, [wordOf(false, noon)], null],
    ['of a time far ahead of our clock', noon, [wordOf(true, noon + 31)], null],
    ['no source of share quotes', noon, [oracleOf(200)], null],
    ['no source at all', noon, [], null],
    ['of one of two current sources', noon, [wordOf(true, noon - 9), fileWord(false, noon)], true],
    ['of the other one', noon, [wordOf(false, noon), fileWord(true, noon - 9)], true],
    [
      'of an old one beside a current one',
      noon,
      [wordOf(true, noon - 46), fileWord(false, noon)],
      false,
    ],
    ['of an old one beside none', noon, [wordOf(true, noon - 46), fileWord(true, noon - 99)], null],
  ])('%s', (_, now, quotes, halted) => {
    expect(haltAt(now, quotes)).toBe(halted)
  })

  test.each<readonly [string, number, number, boolean | null]>([
    ['said in the last second before the close', closing - 1, saturday, true],
    ['said in the first second of the session before', closing - 4 * 3600, saturday, true],
    ['said a session earlier', closing - 4 * 3600 - 1, saturday, null],
    ['said while the market is closed', closing + 3600, opening - 1, true],
    ['of the weekend is old when the market opens', opening - 3600, opening, null],
    ['of the evening before a word of the night', closing - 1, closing, true],
  ])('while the market is closed, %s', (_, saidTs, now, halted) => {
    expect(haltAt(now, [wordOf(true, saidTs)])).toBe(halted)
  })

  test('is as old as the publisher says it is, not as the price that is kept', () => {
    const priced = wordOf(false, noon - 600)
    const oneSided = updateQuote(priced, wordOf(true, noon, { bid: null }), unpriced)
    expect(oneSided.publishedTs).toBe(noon - 600)
    expect(haltAt(noon, [oneSided])).toBe(true)
    expect(haltAt(noon + 46, [oneSided])).toBeNull()
    // The same word, fetched again much later, says nothing new.
    const next = wordOf(true, noon, { bid: null, fetchedTs: noon + 600 })
    const again = updateQuote(oneSided, next, unpriced)
    expect(haltAt(noon + 600, [again])).toBeNull()
  })

  test('is not made younger by a time that was rejected', () => {
    const { address, source } = quoteOf()
    const kept = rejectFutureQuote(wordOf(true, noon), { address, source, now: noon + 46 })
    expect(kept.fetchedTs).toBe(noon + 46)
    expect(haltAt(noon + 46, [kept])).toBeNull()
    const first = rejectFutureQuote(undefined, { address, source, now: noon })
    expect(haltAt(noon, [first])).toBeNull()
  })

  test('is known from a source that has not named a price yet', () => {
    expect(haltAt(noon, [wordOf(true, noon, { bid: null, ask: null })])).toBe(true)
  })
})
