import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createWatch, type IssuerRow, iso, newYork } from './watch.ts'

/*
 * A good quote, some time, then rubbish. What was good stays, with its own price and its own time;
 * what is wrong is refused, counted, and named in the words of the source row.
 */

const startTs = newYork('2026-09-16 11:00:00')

const goodAt = (ts: number): IssuerRow => ({
  bid: '99.9',
  ask: '100.1',
  isTradingHalt: false,
  generatedAt: iso(ts),
})

type Bad = { readonly row?: (ts: number) => IssuerRow; readonly body?: string }

/** Reads a good quote, waits, reads a bad one; returns the rows and the source report. */
const wrongAfter = async (seconds: number, { row, body }: Bad) => {
  const watch = createWatch()
  watch.publish({ issuer: goodAt(startTs), oracle: null })
  await watch.look(startTs)
  const ts = startTs + seconds
  watch.publish({ issuer: body ?? { ...goodAt(ts), ...row?.(ts) } })
  await watch.look(ts)
  return { ...(await watch.read(ts)), report: watch.report() ?? '' }
}

/** The last good quote, shown with its own price and time. */
const kept = { quoteUsd: 100, quoteTs: startTs, quoteSource: 'issuer' }

const table: readonly [string, Bad, string][] = [
  ['a price of zero', { row: () => ({ bid: '0' }) }, 'bid-not-positive'],
  ['a negative price', { row: () => ({ ask: '-100.1' }) }, 'ask-not-positive'],
  ['a number that is none', { row: () => ({ bid: 'NaN' }) }, 'bid-not-a-number'],
  ['an endless number', { row: () => ({ bid: 'Infinity' }) }, 'bid-not-a-number'],
  ['a huge text', { row: () => ({ ask: '9'.repeat(5000) }) }, 'ask-not-a-number'],
  ['an exponent', { row: () => ({ bid: '9.9e1' }) }, 'bid-not-a-number'],
  ['a list', { row: () => ({ bid: ['99.9'] }) }, 'bid-not-a-number'],
  ['nothing at all', { row: () => ({ bid: '', ask: null }) }, 'price-missing'],
  ['another currency', { row: () => ({ currency: 'EUR' }) }, 'currency-not-usd'],
  ['no currency', { row: () => ({ currency: undefined }) }, 'currency-not-usd'],
  ['a halt that is neither', { row: () => ({ isTradingHalt: 'no' }) }, 'halt-malformed'],
  ['milliseconds', { row: (ts) => ({ generatedAt: ts * 1000 }) }, 'time-malformed'],
  ['milliseconds as text', { row: (ts) => ({ generatedAt: `${ts * 1000}` }) }, 'time-malformed'],
  ['a time of no calendar', { row: () => ({ generatedAt: '2026-02-30T00:00:00Z' }) }, 'time-'],
  ['the default time', { row: () => ({ generatedAt: '1970-01-01T00:00:00Z' }) }, 'time-malformed'],
  ['bid above ask', { row: () => ({ bid: '100.2' }) }, 'crossed'],
  ['a page', { body: '<html><body>Sorry</body></html>' }, 'malformed'],
  ['an empty body', { body: '' }, 'malformed'],
  ['another form', { body: '{"quotes":{}}' }, 'malformed'],
  ['a rate limit that calls itself a success', { body: 'local_rate_limited' }, 'rate-limited'],
  ['an empty list', { body: '{"quotes":[]}' }, '0 of 1 quotes'],
]

describe.each(table)('%s', (_, bad, reason) => {
  test('leaves a good quote of 45 s ago as fresh as it is', async () => {
    const { stock, pool, report } = await wrongAfter(45, bad)
    expect(stock).toMatchObject({ ...kept, dataStatus: 'fresh', statusReasons: [] })
    expect(pool).toMatchObject({ dataStatus: 'fresh', comparable: true })
    expect(report).toContain(reason)
  })

  test('and one of 46 s ago as old', async () => {
    const { stock, pool, report } = await wrongAfter(46, bad)
    expect(stock).toMatchObject({ ...kept, dataStatus: 'stale', statusReasons: ['quote_old'] })
    expect(pool).toMatchObject({ dataStatus: 'partial', comparable: false, premiumBps: null })
    expect(report).toContain(reason)
  })
})

test('ten times the price waits until a source confirms it', async () => {
  const { stock, pool, report } = await wrongAfter(5, { row: () => ({ bid: '999', ask: '1001' }) })
  expect(report).not.toContain('issuer')
  expect(stock).toMatchObject({ quoteUsd: 1000, dataStatus: 'stale', premiumBps: null })
  expect(pool).toMatchObject({
    comparable: false,
    statusReasons: ['quote_old', 'quote_unconfirmed'],
  })
})

test('each source reports its own reasons', async () => {
  const watch = createWatch()
  watch.publish({ issuer: { ...goodAt(startTs), bid: '0' }, oracle: { usd: -1, ts: startTs } })
  await watch.look(startTs)
  expect(watch.report()).toBe(
    'issuer: 0 of 1 quotes, 1 rejected (bid-not-positive); ' +
      'chainlink: 1 of 2 quotes, 1 rejected (answer-not-positive)',
  )
})

const anyText = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom('', 'NaN', '1e9', '0x1', '-1', '0'),
)
const anyField = fc.oneof(anyText, fc.anything(), fc.double(), fc.integer())
const anyRow = fc.record(
  {
    bid: anyField,
    ask: anyField,
    currency: anyField,
    isTradingHalt: anyField,
    generatedAt: anyField,
  },
  { requiredKeys: [] },
)

const isWritable = (row: IssuerRow): boolean => {
  try {
    JSON.stringify(row)
    return true
  } catch {
    return false
  }
}

test('whatever a row says, what is shown is a quote that was good at its own time', async () => {
  await fc.assert(
    fc.asyncProperty(anyRow.filter(isWritable), fc.nat(100), async (row, seconds) => {
      const { stock, pool } = await wrongAfter(seconds, { row: () => row })
      const now = startTs + seconds
      expect(stock.quoteUsd).toBeGreaterThan(0)
      expect(Number.isFinite(stock.tokenUsd)).toBe(true)
      expect(stock.quoteTs).toBeLessThanOrEqual(now + 30)
      if (stock.dataStatus === 'fresh') expect(now - (stock.quoteTs ?? 0)).toBeLessThanOrEqual(45)
      if (pool.comparable) expect(Math.abs(pool.premiumBps ?? Infinity)).toBeLessThanOrEqual(5000)
      for (const value of Object.values({ ...stock, ...pool })) {
        if (typeof value === 'number') expect(Number.isFinite(value)).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

test('whatever the body is, the last good quote stays', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, fc.nat(100), async (body, seconds) => {
      const { stock } = await wrongAfter(seconds, { body })
      expect(stock).toMatchObject(kept)
      expect(stock.dataStatus).toBe(seconds <= 45 ? 'fresh' : 'stale')
    }),
    { numRuns: 200 },
  )
})
