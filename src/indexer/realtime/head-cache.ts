import { type Outcome, success } from '../../domain/outcome.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { ChainReader, Heads, RpcFault } from '../../ports/chain-reader.ts'
import type { Clock } from '../../ports/runtime.ts'

/** The clock's grain: heads are never known more precisely than this. */
const grainMs = 1000

export type HeadCache = {
  /** The heads as they were told at most a poll ago, else asked anew. */
  readonly read: () => Promise<Outcome<Heads, RpcFault>>
  /** Nothing more can be done with them. */
  readonly forget: () => void
}

/** Spares a catching-up index the question after every range; a head that moves is still seen. */
export const createHeadCache = (deps: {
  readonly chain: ChainReader
  readonly clock: Clock
  readonly pollMs: number
}): HeadCache => {
  const { chain, clock } = deps
  const ageMsMax = Math.max(deps.pollMs, grainMs)
  let known: { readonly heads: Heads; readonly askedTs: UnixSeconds } | null = null

  const isRecent = (askedTs: UnixSeconds): boolean => {
    const ageMs = (clock.now() - askedTs) * 1000
    // A clock that was put back says nothing of the age.
    return ageMs >= 0 && ageMs < ageMsMax
  }

  return {
    read: async () => {
      if (known !== null && isRecent(known.askedTs)) return success(known.heads)
      const askedTs = clock.now()
      const told = await chain.getHeads()
      known = told.ok ? { heads: told.value, askedTs } : null
      return told
    },
    forget: () => {
      known = null
    },
  }
}
