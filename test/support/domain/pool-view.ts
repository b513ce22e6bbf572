import { expect } from 'vitest'
import type { PoolIdentity, PoolState } from '../../../src/domain/pool/pool-state.ts'
import type { PoolInputs, ValuationContext } from '../../../src/domain/valuation/pool-inputs.ts'
import { toPoolValues, toPoolView } from '../../../src/domain/valuation/value-pool.ts'
import type { PoolView } from '../../../src/domain/views/pool.ts'
import { identityOf, sampleContext, samplePoolInputs, stateOf } from './sample-inputs.ts'

/** What lists are made of is the same in every example. */
export const viewOf = (
  facts: Partial<PoolInputs> = {},
  moment: Partial<ValuationContext> = {},
): PoolView => {
  const inputs = samplePoolInputs(facts)
  const view = toPoolView(inputs, sampleContext(moment))
  const { mayRepresent: _, ...values } = toPoolValues(inputs, sampleContext(moment))
  expect(view).toMatchObject(values)
  return view
}

export const poolOf = (state: Partial<PoolState>, identity: Partial<PoolIdentity> = {}) => ({
  ...identityOf(identity),
  ...stateOf(state),
  lastHotTs: null,
})
