import { describe, expect, test } from 'vitest'
import {
  noon,
  oracleOf,
  quoteOf,
  readingOf,
  referenceOf,
  sampleStockInputs,
  stockOf,
} from '../../../test/support/domain/sample-inputs.ts'
import { noReferencePrice } from '../price/reference-price.ts'
import { policyDefault as policy } from '../status/freshness.ts'
import {
  buildStockInputs,
  type StockInputs,
  stockStatusReasons,
  toMultiplier,
} from './stock-inputs.ts'

const one = 10n ** 18n

describe('what deserves distrust in a stock', () => {
  const oracle = referenceOf(200, { source: 'chainlink' })
  const pools = referenceOf(200, { source: 'pools', independent: false, fresh: false })
  const old = referenceOf(200, { independent: false, fresh: false })
  const table: readonly [string, Partial<StockInputs>, readonly string[]][] = [
    ['nothing', {}, []],
    ['Chainlink is as good', { reading: readingOf(oracle) }, []],
    ['no price at all', { reading: noReferencePrice }, ['quote_missing']],
    ['our own pools', { reading: readingOf(pools) }, ['quote_old']],
    ['an old quote', { reading: readingOf(old) }, ['quote_old']],
    ['the weekend', { session: 'closed' }, ['market_closed']],
    ['the night is a session', { session: 'overnight' }, []],
    ['halted', { halted: true }, ['trading_halt']],
    ['paused', { oraclePaused: true }, ['oracle_paused']],
    ['read too long ago', { multiplierOld: true }, ['multiplier_old']],
    ['about to split', { multiplierPending: true }, ['multiplier_pending']],
    [
      'a refused source, another good one',
      { reading: readingOf(oracle, { clockAhead: true }) },
      [],
    ],
    [
      'a refused source and no good one',
      { reading: readingOf(old, { clockAhead: true }) },
      ['quote_old', 'clock_ahead'],
    ],
    ['sources at odds', { reading: readingOf(oracle, { conflict: true }) }, ['reference_conflict']],
  ]
  test.each(table)('%s', (_, rest, reasons) => {
    expect(stockStatusReasons(sampleStockInputs(rest))).toEqual(reasons)
  })
})

describe('the facts of a stock', () => {
  const factsOf = (rest: Partial<Parameters<typeof buildStockInputs>[0]> = {}) =>
    buildStockInputs({
      stock: stockOf(),
      quotes: [quoteOf({ bid: 100, ask: 100 })],
      session: 'regular',
      policy,
      now: noon,
      ...rest,
    })

  test('an announced multiplier takes effect silently at its time', () => {
    const announced = stockOf({ pendingMultiplier: 2n * one, multiplierEffectiveTs: noon })
    const before = factsOf({
      stock: announced,
      now: noon - 1,
      quotes: [quoteOf({ bid: 100, ask: 100, publishedTs: noon - 1 })],
    })
    expect(before.reading.reference?.usd).toBe(100)
    expect(before.multiplierPending).toBe(true)
    const after = factsOf({ stock: announced })
    expect(after.reading.reference?.usd).toBe(200)
    expect(after.multiplierPending).toBe(false)
  })

  test('out of session Chainlink does not stand in for an old quote', () => {
    const quotes = [oracleOf(100)]
    expect(factsOf({ quotes }).reading.reference?.fresh).toBe(true)
    expect(factsOf({ quotes, session: 'closed' }).reading.reference?.fresh).toBe(false)
  })

  test('a halt reported by any current source counts; a pause must be known', () => {
    const quotes = [oracleOf(100), quoteOf({ halted: true })]
    expect(factsOf({ quotes }).halted).toBe(true)
    expect(factsOf({ quotes, now: noon + 46 }).halted).toBeNull()
    expect(factsOf({ stock: stockOf({ oraclePaused: true }) }).oraclePaused).toBe(true)
    expect(factsOf({ stock: stockOf({ oraclePaused: null }) }).oraclePaused).toBe(false)
  })

  test.each([
    [0, { multiplierOld: false, oraclePaused: true }, 200],
    [300, { multiplierOld: false, oraclePaused: true }, 200],
    [301, { multiplierOld: true, oraclePaused: true }, 200],
    [86_400, { multiplierOld: true, oraclePaused: true }, 200],
    [86_401, { multiplierOld: true, oraclePaused: false, multiplierPending: false }, undefined],
    [-31, { multiplierOld: true, oraclePaused: false }, undefined],
  ])('what the contract said %i s ago', (age, rest, usd) => {
    const stock = stockOf({
      readTs: noon - age,
      multiplier: 2n * one,
      oraclePaused: true,
      pendingMultiplier: one,
      multiplierEffectiveTs: noon + 9,
    })
    const facts = factsOf({ stock })
    expect(facts).toMatchObject(rest)
    expect(facts.reading.reference?.usd).toBe(usd)
  })

  test('a price of the token needs no multiplier, however old that is', () => {
    const stock = stockOf({ readTs: noon - 86_401 })
    const { reading } = factsOf({ stock, quotes: [quoteOf(), oracleOf(100)] })
    expect(reading.reference).toMatchObject({ usd: 100, source: 'chainlink', fresh: true })
    expect(reading.conflict).toBe(false)
  })

  test('a multiplier that was never read is none', () => {
    expect(toMultiplier(stockOf({ multiplier: null }), noon)).toBeNull()
    expect(factsOf({ stock: stockOf({ multiplier: null }) }).reading.reference).toBeNull()
  })
})
