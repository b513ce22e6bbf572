import { type Outcome, success } from '../../domain/outcome.ts'
import type { UnixSeconds } from '../../domain/units.ts'
import type { ChainReader, Heads, RpcFault } from '../../ports/chain-reader.ts'
import type { Clock } from '../../ports/runtime.ts'

/** Resolution of the clock: a shorter age cannot be measured. */
const clockResolutionMs = 1000

export type HeadCache = {
  /** The heads of the last request if it is at most one poll old, else of a new request. */
  readonly read: () => Promise<Outcome<Heads, RpcFault>>
  /** The heads of the last request that succeeded, whatever its age; null before the first. */
  readonly last: () => Heads | null
  readonly forget: () => void
}

/** Saves a request per range while the index catches up; a moving head is still noticed. */
export const createHeadCache = (deps: {
  readonly chain: ChainReader
  readonly clock: Clock
  readonly pollMs: number
}): HeadCache => {
  const { chain, clock } = deps
  const ageMsMax = Math.max(deps.pollMs, clockResolutionMs)
  let cached: { readonly heads: Heads; readonly requestedTs: UnixSeconds } | null = null

  let last: Heads | null = null

  const isRecent = (requestedTs: UnixSeconds): boolean => {
    const ageMs = (clock.now() - requestedTs) * 1000
    // Negative after the clock was set back.
    return ageMs >= 0 && ageMs < ageMsMax
  }

  return {
    read: async () => {
      if (cached !== null && isRecent(cached.requestedTs)) return success(cached.heads)
      const requestedTs = clock.now()
      const heads = await chain.getHeads()
      cached = heads.ok ? { heads: heads.value, requestedTs } : null
      if (heads.ok) last = heads.value
      return heads
    },
    last: () => last,
    forget: () => {
      cached = null
    },
  }
}
