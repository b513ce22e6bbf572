import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFacts } from '../../test/support/domain/any-facts.ts'
import { explainPool } from '../domain/provenance/explain-pool.ts'
import { publishedFields } from '../domain/provenance/formulas.ts'
import { toPoolView } from '../domain/valuation/value-pool.ts'
import type { PoolView } from '../domain/views/pool.ts'
import type { PoolProvenanceView } from '../domain/views/provenance.ts'
import { checkNumbers } from './check-numbers.ts'

const anyAnswer = anyFacts.map(({ facts, swaps }) => {
  const record = toPoolView(facts.inputs, facts.context)
  return { record, provenance: explainPool(record, facts), swaps }
})

/** One digit more or less, or a number where there was none. */
const altered = (value: unknown): number | string => {
  if (typeof value === 'string') return String(BigInt(value) + 1n)
  if (typeof value !== 'number') return 1
  return value === 0 ? 1 : value * (1 + 2 ** -50)
}

const found = (
  record: PoolView,
  provenance: PoolProvenanceView,
  swaps: Parameters<typeof checkNumbers>[2],
) =>
  checkNumbers(record, provenance, swaps)
    .filter(({ outcome }) => outcome === 'differs')
    .map(({ field }) => field)

describe('the tier of numbers', () => {
  test('passes what the service says', () => {
    fc.assert(
      fc.property(anyAnswer, ({ record, provenance, swaps }) => {
        const checks = checkNumbers(record, provenance, swaps)
        expect(checks.filter(({ outcome }) => outcome !== 'equal')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('finds one altered digit of any number of the row', () => {
    fc.assert(
      fc.property(
        anyAnswer,
        fc.constantFrom(...publishedFields),
        ({ record, provenance, swaps }, field) => {
          const lie = { ...record, [field]: altered(record[field as keyof PoolView]) }
          expect(found(lie, provenance, swaps)).toEqual([field])
        },
      ),
    )
  })

  test('finds a number that is altered in the row and in its provenance', () => {
    fc.assert(
      fc.property(
        anyAnswer,
        fc.constantFrom(...publishedFields),
        ({ record, provenance, swaps }, field) => {
          const value = altered(record[field as keyof PoolView])
          const lie = { ...record, [field]: value }
          const fields = provenance.fields.map((each) =>
            each.field === field ? { ...each, value } : each,
          )
          expect(found(lie, { ...provenance, fields }, swaps)).toContain(field)
        },
      ),
    )
  })

  test('finds another formula, and a number without provenance', () => {
    const [answer] = fc.sample(anyAnswer, { numRuns: 1, seed: 2 })
    if (answer === undefined) throw new Error('no sample')
    const { record, provenance, swaps } = answer
    const other = provenance.fields.map((each) =>
      each.field === 'tick' ? { ...each, formula: 'tick + 0' } : each,
    )
    expect(found(record, { ...provenance, fields: other }, swaps)).toEqual(['tick'])
    const fewer = provenance.fields.filter(({ field }) => field !== 'vol1hUsd')
    expect(found(record, { ...provenance, fields: fewer }, swaps)).toEqual(['vol1hUsd'])
  })

  test('leaves volumes unchecked without the list of swaps', () => {
    const [answer] = fc.sample(anyAnswer, { numRuns: 1, seed: 2 })
    if (answer === undefined) throw new Error('no sample')
    const checks = checkNumbers(answer.record, answer.provenance, {})
    const open = checks.filter(({ outcome }) => outcome === 'unchecked')
    expect(open.map(({ field }) => field)).toEqual([
      'vol1hUsd',
      'vol24hUsd',
      'swaps24h',
      'vol24hFilteredUsd',
      'washShare24h',
    ])
  })
})
