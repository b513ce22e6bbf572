import type { AskedMoment, PoolAtFault } from '../../market/past.ts'
import { type Problem, problems } from '../http/problems.ts'
import { tsMax } from './history.ts'
import { integerField } from './query-fields.ts'

/* Parameters of a record of the past (docs/api.md). */

export const asOfFields = {
  asOfBlock: integerField(
    'The record as it was after this block; by default after the last indexed one.',
    { min: 0, max: Number.MAX_SAFE_INTEGER },
    null,
  ),
  asOfTs: integerField(
    'The same after the last block up to this time, in Unix seconds.',
    { min: 0, max: tsMax },
    null,
  ),
}

type AsOfValues = { readonly asOfBlock: number | null; readonly asOfTs: number | null }

export const checkAsOf = ({ asOfBlock, asOfTs }: AsOfValues): Problem | null =>
  asOfBlock !== null && asOfTs !== null
    ? problems.invalidParameter('asOfTs', 'absent if asOfBlock is given')
    : null

/** Null: the present. */
export const toAskedMoment = ({ asOfBlock, asOfTs }: AsOfValues): AskedMoment | null => {
  if (asOfBlock !== null) return { block: asOfBlock }
  return asOfTs === null ? null : { ts: asOfTs }
}

export const pastProblem = (asked: AskedMoment, fault: PoolAtFault): Problem => {
  const param = 'block' in asked ? 'asOfBlock' : 'asOfTs'
  switch (fault.kind) {
    case 'history-pruned':
      return problems.recordPruned(param, fault.keptSince)
    case 'not-indexed': {
      const { last } = fault
      if (last === null) return problems.recordNotFound(param, 'no block is indexed yet')
      const at = `block ${last.block} at ${last.ts} (Unix seconds)`
      return problems.recordNotFound(param, `${param} is after the last indexed block, ${at}`)
    }
    case 'not-created': {
      const { block, ts } = fault.created
      const at = `block ${block} at ${ts} (Unix seconds)`
      return problems.recordNotFound(param, `${param} is before the pool's creation in ${at}`)
    }
  }
}
