import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyDefault } from '../../domain/freshness/policy.ts'
import { known } from '../../domain/reading.ts'
import { noon, oracleOf, stockOf, tokens } from '../../domain/valuation/sample-facts.fixture.ts'
import type { StoreHeader } from '../../ports/store-rows.ts'
import type { PoolEntry } from './listing.ts'
import type { Model } from './model.ts'
import { momentFactsOf } from './moment-facts.ts'
import { type PoolRows, revalue, type ValuedRows } from './pool-rows.ts'
import { anchorAt, poolOf } from './sample-market.fixture.ts'
import { noVolumes } from './volume-book.ts'

const day = 86_400
const usdg = { symbol: 'USDG', address: tokens.usdg }

const entryOf = (
  pool: Partial<PoolEntry['pool']> = {},
  rest: Partial<Omit<PoolEntry, 'pool'>> = {},
): PoolEntry => ({
  pool: poolOf(1, pool),
  listing: {
    sides: { kind: 'canonical', stockIsToken0: true },
    stockAddress: tokens.nvda,
    otherAddress: tokens.usdg,
    decimals0: known(18),
    decimals1: known(6),
    otherSymbol: 'USDG',
    text: '',
    heads: [],
  },
  volume: { ...noVolumes, isGap: false },
  fallback: null,
  screened: null,
  ...rest,
})

const gap = { reserves: null, mapFault: 'index_gap' } as const
const told = { source: 'screener', amount0: 5, amount1: 6, ts: noon + 20 } as const

/** By number, as the book keeps them. */
const numbered = (list: readonly PoolEntry[]): readonly PoolEntry[] =>
  list.map((entry, number) => ({ ...entry, pool: { ...entry.pool, number } }))

/** Each has something that ends, or begins, a few seconds or minutes after noon. */
const entries = numbered([
  entryOf(),
  entryOf({ lastSwapTs: noon + 7 - 7 * day }),
  entryOf({ lastSwapTs: null, createdTs: noon + 9 - day }),
  entryOf({ lastHotTs: noon + 11 - 1800 }),
  entryOf({ lastSwapTs: noon + 50 - 7 * day, lastHotTs: noon + 13 - 1800 }),
  entryOf(gap, { fallback: told }),
  entryOf(gap, { fallback: { ...told, ts: noon - 100 } }),
  entryOf(gap, { fallback: { ...told, source: 'balance' } }),
])

const modelAt = (asOfTs: number, enrichedTs: number | null): Model => ({
  header: { indexed: anchorAt(asOfTs, asOfTs), enrichedTs } as StoreHeader,
  entries,
  stocks: new Map([[tokens.nvda, stockOf()]]),
  quotes: new Map([
    [tokens.nvda, [oracleOf(100)]],
    [tokens.usdg, [oracleOf(1)]],
  ]),
  sources: [],
  numberOf: () => undefined,
  numbersWith: () => [],
})

const finish = (steps: Generator<void, PoolRows>): PoolRows => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** A moment: our clock, how far it is ahead of the index, and of the last enrichment. */
const anyMoment = fc.record({
  passed: fc.oneof(fc.nat(20), fc.nat(200)),
  lead: fc.integer({ min: 0, max: 40 }),
  enriched: fc.option(fc.integer({ min: 60, max: 140 }), { freq: 9 }),
})

test('rows that are kept are those that would be computed anew', () => {
  fc.assert(
    fc.property(fc.array(anyMoment, { maxLength: 30, size: 'max' }), (moments) => {
      let before: ValuedRows | null = null
      let facts = null
      for (const { passed, lead, enriched } of moments) {
        const now = noon + passed
        const model = modelAt(now - lead, enriched === null ? null : now - enriched)
        const context = { trusted: [usdg], policy: policyDefault, now }
        facts = momentFactsOf(model, context, facts)
        const rows = finish(revalue(entries, facts, before))
        const anew = finish(revalue(entries, facts, null))
        const values = ({
          untilAsOfTs: _a,
          untilNow: _b,
          ...row
        }: (typeof rows)[number] & object) => row
        expect(rows.map((row) => row && values(row))).toEqual(anew.map((row) => row && values(row)))
        before = { facts, rows }
      }
    }),
  )
})

test('nothing is computed when a second passes and nothing ends with it', () => {
  const at = (now: number) =>
    momentFactsOf(modelAt(noon, noon), { trusted: [usdg], policy: policyDefault, now }, null)
  const facts = at(noon)
  const rows = finish(revalue(entries.slice(0, 1), facts, null))
  const later = momentFactsOf(
    modelAt(noon, noon),
    { trusted: [usdg], policy: policyDefault, now: noon + 1 },
    facts,
  )
  expect(later.stocks).toBe(facts.stocks)
  expect(finish(revalue(entries.slice(0, 1), later, { facts, rows }))).toBe(rows)
})

test('pauses now and then when there is much to do', () => {
  const many = numbered(Array.from({ length: 2500 }, () => entryOf()))
  const context = { trusted: [usdg], policy: policyDefault, now: noon }
  const steps = revalue(many, momentFactsOf(modelAt(noon, noon), context, null), null)
  expect([steps.next().done, steps.next().done, steps.next().done]).toEqual([false, false, true])
})
