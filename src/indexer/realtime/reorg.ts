import type { Hash } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexState } from '../state/index-state.ts'
import type { SyncFault } from '../sync-fault.ts'
import { findCommonAncestor, isCanonical } from './common-ancestor.ts'
import type { BranchReplacer, HeadContext } from './replace-branch.ts'

/** Where the index stands against the chain, after what could be done about it. */
export type ReorgResult =
  /** On the chain. */
  | { readonly kind: 'standing' }
  /** It had stood on a branch that the chain has left, and stands on the chain's now. */
  | { readonly kind: 'mended' }
  | { readonly kind: 'stale-cursor' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

export type ReorgHandler = {
  /** Puts the chain's branch in the place of ours if the chain has left it (methodology §7). */
  readonly handleReorg: (occasion: HeadContext) => Promise<ReorgResult>
  /** As `mendIfLeft`, after somebody told of another branch: if ours stands, that is a fault. */
  readonly handleReorgOrFail: (
    occasion: HeadContext,
    detail: string,
  ) => Promise<Exclude<ReorgResult, { readonly kind: 'standing' }>>
  /** The index is known to stand below this head. */
  readonly markCanonical: (head: Hash) => void
  readonly isMarkedCanonical: (head: Hash) => boolean
}

export const createReorgHandler = (deps: {
  readonly chain: ChainReader
  readonly store: Store
  readonly index: IndexState
  readonly logger: Logger
  readonly branches: BranchReplacer
  readonly origin: number
  readonly confirmations: number
}): ReorgHandler => {
  const { chain, store, index, logger, branches, confirmations } = deps
  let noted: Hash | null = null

  const mend = async (
    replaced: number,
    { heads, backfillAt }: HeadContext,
  ): Promise<ReorgResult> => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) throw new Error('the store that is indexed into has no header')
    const fork = await findCommonAncestor(deps, header, replaced)
    if (!fork.ok) return { kind: 'fault', fault: fork.fault }
    const { latest: head } = heads
    const to = head.block - confirmations
    const ancestor = fork.value
    const from = { ancestor, epoch: header.epoch, to, head, backfillAt, repairs: 0 }
    const outcome = await branches.replace(from)
    if (!outcome.ok) return { kind: 'fault', fault: outcome.fault }
    const fields = { ancestor: ancestor.block, replaced, outcome: outcome.value }
    logger.warn('The chain replaced blocks after their confirmations', fields)
    return { kind: outcome.value === 'committed' ? 'mended' : 'stale-cursor' }
  }

  const mendIfLeft: ReorgHandler['handleReorg'] = async (occasion) => {
    const indexed = index.cursor()
    if (indexed === null) return { kind: 'standing' }
    const canonical = await isCanonical(chain, indexed)
    if (!canonical.ok) return { kind: 'fault', fault: canonical.fault }
    return canonical.value ? { kind: 'standing' } : mend(indexed.block, occasion)
  }

  return {
    handleReorg: mendIfLeft,
    handleReorgOrFail: async (occasion, detail) => {
      const standing = await mendIfLeft(occasion)
      if (standing.kind !== 'standing') return standing
      return { kind: 'fault', fault: { kind: 'behind', detail } }
    },
    markCanonical: (head) => {
      noted = head
    },
    isMarkedCanonical: (head) => head === noted,
  }
}
