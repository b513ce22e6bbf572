import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyFacts } from '../../../test/support/domain/any-facts.ts'
import { toPoolView } from '../valuation/value-pool.ts'
import { explainPool } from './explain-pool.ts'
import { provenanceFields } from './formulas.ts'
import { recomputePool } from './recompute.ts'
import { selectField } from './select-field.ts'

test('one number comes with all that it takes to make it again', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...provenanceFields), ({ facts, swaps }, field) => {
      const answer = explainPool(toPoolView(facts.inputs, facts.context), facts)
      const whole = answer.fields.find((each) => each.field === field)
      const selected = selectField(answer, field)
      expect(selected.fields.at(-1)).toEqual(whole ?? selected.fields.at(-1))
      const own = recomputePool(selected, swaps).filter((each) =>
        selected.fields.some((entry) => entry.field === each.field),
      )
      for (const each of own) {
        expect([each.field, each.kind]).toEqual([each.field, 'computed'])
        if (each.kind === 'computed') expect(each.computed).toEqual(each.value)
      }
      expect(selected.fields.length).toBeLessThan(answer.fields.length)
    }),
    { numRuns: 200 },
  )
})
