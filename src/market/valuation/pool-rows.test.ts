import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noon, oracleOf, stockOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import { beaconStandard } from '../../../test/support/domain/sample-standard.ts'
import { anchorAt, poolOf } from '../../../test/support/market/sample-market.ts'
import { known } from '../../domain/reading.ts'
import { policyDefault } from '../../domain/status/freshness.ts'
import { collectVerifiedNames } from '../../domain/token/look-alike.ts'
import type { IndexHeader, StoredPool } from '../../ports/store-batches.ts'
import { editTable, iterateValues } from '../model/chunked-table.ts'
import { createEmptyPools } from '../model/empty-pools.ts'
import {
  createParameterCache,
  type ExternalData,
  isListed,
  type ListedPool,
  toModelPool,
} from '../model/model-pool.ts'
import type { ReadModel } from '../model/read-model.ts'
import { noVolumes } from '../model/volume-windows.ts'
import { buildMarketInputs } from './market-inputs.ts'
import { type PoolRow, type PoolRows, type ValuedRows, valueChangedPools } from './pool-rows.ts'

const day = 86_400
const usdg = { symbol: 'USDG', address: tokens.usdg }

const termsOf = createParameterCache()

const labels = {
  token0: { address: tokens.nvda, symbol: 'NVDA', decimals: known(18), text: '', imitates: null },
  token1: { address: tokens.usdg, symbol: 'USDG', decimals: known(6), text: '', imitates: null },
}

const listedPoolOf = (
  pool: Partial<StoredPool> = {},
  fallback: ExternalData['fallback'] = null,
): ListedPool => {
  const stored = poolOf(1, pool)
  const listed = toModelPool(stored, termsOf(stored), {
    ...labels,
    classification: { kind: 'canonical', stockIsToken0: true },
    volume: noVolumes,
    external: { fallback, screened: null },
  })
  if (!isListed(listed)) throw new Error('the pool is not listed')
  return listed
}

const gap = { reserves: null, mapFault: 'index_gap' } as const
const fallback = { source: 'screener', amount0: 5, amount1: 6, ts: noon + 20 } as const

/** So far apart that there are some in each piece of a table. */
const between = 90

const numbered = (list: readonly ListedPool[]): readonly ListedPool[] =>
  list.map((pool, at) => ({ ...pool, number: at * between }))

const tableOf = (list: readonly ListedPool[]): ReadModel['pools'] => {
  const draft = editTable<ListedPool>([])
  for (const pool of list) draft.set(pool.number, pool)
  return draft.finish()
}

/** Each has something that ends, or begins, a few seconds or minutes after noon. */
const pools = numbered([
  listedPoolOf(),
  listedPoolOf({ lastSwapTs: noon + 7 - 7 * day }),
  listedPoolOf({ lastSwapTs: null, createdTs: noon + 9 - day }),
  listedPoolOf({ lastHotTs: noon + 11 - 1800 }),
  listedPoolOf({ lastSwapTs: noon + 50 - 7 * day, lastHotTs: noon + 13 - 1800 }),
  listedPoolOf(gap, fallback),
  listedPoolOf(gap, { ...fallback, ts: noon - 100 }),
  listedPoolOf(gap, { ...fallback, source: 'balance' }),
])

const modelAt = (asOfTs: number, enrichedTs: number | null, of = pools): ReadModel => ({
  header: { cursor: anchorAt(asOfTs, asOfTs), enrichedTs } as IndexHeader,
  pools: tableOf(of),
  empties: createEmptyPools().finish(),
  listStored: () => null,
  tokenText: () => '',
  names: { names: () => collectVerifiedNames([]), addresses: new Set(), find: () => undefined },
  stocks: new Map([[tokens.nvda, stockOf()]]),
  quotes: new Map([
    [tokens.nvda, [oracleOf(100)]],
    [tokens.usdg, [oracleOf(1)]],
  ]),
  sources: [],
  searches: [],
  numberOf: () => undefined,
  numbersWith: () => of.map(({ number }) => number),
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

const context = {
  trusted: [usdg],
  policy: policyDefault,
  reviewedHooks: new Map(),
  standardOf: beaconStandard(null),
  venues: new Map(),
}

test('reuses only rows that a valuation from scratch would return', () => {
  fc.assert(
    fc.property(fc.array(anyMoment, { maxLength: 30, size: 'max' }), (moments) => {
      let before: ValuedRows | null = null
      let inputs = null
      for (const { passed, lead, enriched } of moments) {
        const now = noon + passed
        const model = modelAt(now - lead, enriched === null ? null : now - enriched)
        inputs = buildMarketInputs(model, { ...context, now }, inputs)
        const rows = finish(valueChangedPools(model, inputs, before))
        const fromScratch = finish(valueChangedPools(model, inputs, null))
        const values = ({ untilAsOfTs: _a, untilNow: _b, ...row }: PoolRow) => row
        expect(Array.from(iterateValues(rows), values)).toEqual(
          Array.from(iterateValues(fromScratch), values),
        )
        before = { model, inputs, rows }
      }
    }),
  )
})

test('computes nothing when a second passes and every row stays valid', () => {
  const model = modelAt(noon, noon, pools.slice(0, 1))
  const inputs = buildMarketInputs(model, { ...context, now: noon }, null)
  const rows = finish(valueChangedPools(model, inputs, null))
  const later = buildMarketInputs(model, { ...context, now: noon + 1 }, inputs)
  expect(later.stocks).toBe(inputs.stocks)
  expect(finish(valueChangedPools(model, later, { model, inputs, rows }))).toBe(rows)
})

test('yields between slices of many rows', () => {
  const many = numbered(Array.from({ length: 2500 }, () => listedPoolOf()))
  const model = modelAt(noon, noon, many)
  const steps = valueChangedPools(
    model,
    buildMarketInputs(model, { ...context, now: noon }, null),
    null,
  )
  expect([steps.next().done, steps.next().done, steps.next().done]).toEqual([false, false, true])
})
