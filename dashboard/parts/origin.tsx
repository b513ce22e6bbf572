import type { PoolQuote } from '../../src/client/types.ts'
import { formatInteger } from '../format/number.ts'
import { Age } from './age.tsx'
import { StatusBadge } from './status-badge.tsx'

/** The state that an answer is of. */
export type Origin = Pick<PoolQuote, 'asOfBlock' | 'stateTs' | 'dataStatus' | 'statusReasons'>

/** Keeps its place while there is no answer. */
export const OriginLine = ({ answer }: { readonly answer: Origin | null }) => (
  <span class="origin">
    {answer === null ? null : (
      <>
        block #{formatInteger(answer.asOfBlock)}, <Age ts={answer.stateTs} /> old{' '}
        <StatusBadge {...answer} />
      </>
    )}
  </span>
)
