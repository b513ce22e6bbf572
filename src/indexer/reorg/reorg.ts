import type { Hash } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexState } from '../state/index-state.ts'
import type { SyncFault } from '../sync-fault.ts'
import { findCommonAncestor, isCanonical } from './common-ancestor.ts'
import type { BranchReplacer, HeadContext } from './replace-branch.ts'

export type ReorgResult =
  /** The cursor is canonical. */
  | { readonly kind: 'canonical' }
  /** The cursor was not canonical; its branch has been replaced. */
  | { readonly kind: 'reorged' }
  | { readonly kind: 'stale-cursor' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

export type ReorgHandler = {
  /** Replaces the indexed branch if the cursor is no longer canonical (methodology §7). */
  readonly handleReorg: (context: HeadContext) => Promise<ReorgResult>
  /** An endpoint reported another branch: reconcile, or fail with `detail` if ours is canonical. */
  readonly handleReorgOrFail: (
    context: HeadContext,
    detail: string,
  ) => Promise<Exclude<ReorgResult, { readonly kind: 'canonical' }>>
  /** Remembers that the cursor is an ancestor of this head. */
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
  let markedHead: Hash | null = null

  const replaceBranch = async (
    replaced: number,
    { heads, progressAt }: HeadContext,
  ): Promise<ReorgResult> => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) throw new Error('the store of the indexer has no header')
    const ancestor = await findCommonAncestor(deps, header, replaced)
    if (!ancestor.ok) return { kind: 'fault', fault: ancestor.fault }
    const { latest: head } = heads
    const outcome = await branches.replace({
      ancestor: ancestor.value,
      epoch: header.epoch,
      lastBlock: head.block - confirmations,
      head,
      progressAt,
      repairs: 0,
    })
    if (!outcome.ok) return { kind: 'fault', fault: outcome.fault }
    const fields = { ancestor: ancestor.value.block, replaced, outcome: outcome.value }
    logger.warn('Detected reorg deeper than the confirmations', fields)
    return { kind: outcome.value === 'committed' ? 'reorged' : 'stale-cursor' }
  }

  const handleReorg: ReorgHandler['handleReorg'] = async (context) => {
    const cursor = index.cursor()
    if (cursor === null) return { kind: 'canonical' }
    const canonical = await isCanonical(chain, cursor)
    if (!canonical.ok) return { kind: 'fault', fault: canonical.fault }
    return canonical.value ? { kind: 'canonical' } : replaceBranch(cursor.block, context)
  }

  return {
    handleReorg,
    handleReorgOrFail: async (context, detail) => {
      const result = await handleReorg(context)
      if (result.kind !== 'canonical') return result
      return { kind: 'fault', fault: { kind: 'behind', detail } }
    },
    markCanonical: (head) => {
      markedHead = head
    },
    isMarkedCanonical: (head) => head === markedHead,
  }
}
