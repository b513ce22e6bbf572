import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyFacts, anyPastFacts } from '../../../test/support/domain/any-facts.ts'
import { toPoolView } from '../valuation/value-pool.ts'
import { nullReasons } from '../views/provenance.ts'
import { explainPool } from './explain-pool.ts'
import { publishedFields, publishedFormulas, stepFormulas } from './formulas.ts'
import type { PoolFacts } from './pool-facts.ts'
import { recomputePool, type SwapLists } from './recompute.ts'

/*
 * The valuation and the formulas say the same, whatever a pool is made of:
 *
 *     facts --> toPoolView --> record --+
 *        \                              +--> equal to the last digit
 *         `--> explainPool --> formulas-+
 */

const explain = ({ facts }: { facts: PoolFacts }) => {
  const record = toPoolView(facts.inputs, facts.context)
  return { record, answer: explainPool(record, facts) }
}

/** As a client gets it: through JSON. */
const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const differences = (answer: ReturnType<typeof explain>['answer'], swaps: SwapLists) =>
  recomputePool(throughJson(answer), swaps).filter(
    (each) => each.kind !== 'computed' || !Object.is(each.computed, each.value),
  )

describe('the formula of every number gives the number', () => {
  test.each([
    ['of the present', anyFacts],
    ['of a past block', anyPastFacts],
  ])('for any pool %s', (_, any) => {
    fc.assert(
      fc.property(any, ({ facts, swaps }) => {
        const { record, answer } = explain({ facts })
        expect(differences(answer, swaps)).toEqual([])
        for (const field of publishedFields) {
          const entry = answer.fields.find((each) => each.field === field)
          expect([field, entry?.value]).toEqual([field, record[field as keyof typeof record]])
        }
        for (const { value, reason, field } of answer.fields) {
          expect([field, reason === null]).toEqual([field, value !== null])
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('and every reason for null occurs, and every formula with a value', () => {
    const seen = new Set<string>()
    for (const { facts } of fc.sample(anyFacts, { numRuns: 3000, seed: 1 })) {
      for (const { field, formula, reason } of explain({ facts }).answer.fields) {
        seen.add(reason ?? `${field} = ${formula}`)
      }
    }
    const formulas = { ...publishedFormulas, ...stepFormulas }
    const texts = Object.entries(formulas).flatMap(([field, { formulas: byCase }]) =>
      Object.values(byCase).map((formula) => `${field} = ${formula}`),
    )
    const expected = [...nullReasons, ...texts]
    expect([...seen].sort()).toEqual(expected.sort())
  })
})
