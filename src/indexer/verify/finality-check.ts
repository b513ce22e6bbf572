import { type BlockRef, conflicts } from '../../domain/chain/block-ref.ts'
import { createRangeSize, rangeBlocksFirst } from '../../domain/chain/range-size.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  ChainReader,
  CrossCheckedRange,
  RpcFault,
} from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { IndexHeader } from '../../ports/store-batches.ts'
import { resultWithin } from '../../util/result-within.ts'
import { isCanonical, readFinalizedBase } from '../reorg/common-ancestor.ts'
import type { BranchReplacer, HeadContext } from '../reorg/replace-branch.ts'
import type { SyncFault } from '../sync-fault.ts'
import { type ComparisonDeps, createFinalityComparison } from './finality-comparison.ts'

export type FinalityCheckResult =
  /** No range is due. */
  | { readonly kind: 'idle' }
  /** A range was checked or its size reduced; another one may be due. */
  | { readonly kind: 'advanced' }
  /** The range is still being read; a later call compares it. */
  | { readonly kind: 'reading' }
  /** The index is not on the branch of the finalized block. */
  | { readonly kind: 'reorged' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

export type FinalityChecker = {
  /**
   * Reads the next finalized range a second time, compares it with the index and repairs the
   * difference. The index must not advance during the call, but may between a call that ends with
   * `reading` and the next.
   */
  readonly checkNextRange: (context: HeadContext) => Promise<FinalityCheckResult>
}

type Deps = ComparisonDeps & {
  readonly chain: ChainReader
  readonly branches: BranchReplacer
  readonly logger: Logger
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  /** How long a call waits for the endpoints, so that a slow one does not hold realtime sync up. */
  readonly readMsMax: number
}

const idle: FinalityCheckResult = { kind: 'idle' }
const advanced: FinalityCheckResult = { kind: 'advanced' }
const reading: FinalityCheckResult = { kind: 'reading' }
const reorged: FinalityCheckResult = { kind: 'reorged' }
const failed = (fault: SyncFault): FinalityCheckResult => ({ kind: 'fault', fault })

/** Replaces the branch above the finalized cursor. */
const createRepair = (deps: Deps) => {
  const { index, branches, logger, confirmations } = deps
  return async (
    differences: number,
    { header, range }: { readonly header: IndexHeader; readonly range: BlockRange },
    { heads, progressAt }: HeadContext,
  ): Promise<FinalityCheckResult> => {
    const fields = { from: range.from, to: range.to, differences }
    logger.warn('Finality check found a mismatch, repairing the range', fields)
    const base = await readFinalizedBase(deps, header)
    if (!base.ok) return failed(base.fault)
    const isFromOrigin = header.finalizedCursor === null && header.backfillCursor === null
    const outcome = await branches.replace({
      ancestor: isFromOrigin ? null : base.value,
      epoch: header.epoch,
      lastBlock: Math.max(index.cursor()?.block ?? range.to, heads.latest.block - confirmations),
      head: heads.latest,
      progressAt,
      repairs: differences,
    })
    // Compared again after a poll: an endpoint that contradicts itself must not cause a busy loop.
    return outcome.ok ? idle : failed(outcome.fault)
  }
}

/** The hash of the last block below the unchecked ones, if it is stored. */
const readParentHash = async (store: Store, header: IndexHeader): Promise<Hash | null> => {
  const { finalizedCursor, backfillCursor } = header
  if (finalizedCursor !== null) return finalizedCursor.hash
  if (backfillCursor === null) return null
  const stored = await store.readBlockAtOrBelow(backfillCursor.startedAt)
  return stored?.block === backfillCursor.startedAt ? stored.hash : null
}

/** A range to check; `stored` is its last block if the range has a stored block at all. */
type DueRange = { readonly range: BlockRange; readonly stored: BlockRef | null }

/** Finds the next range that is finalized and indexed. */
const findDueRange = async (
  { store, index, origin }: Deps,
  { finalizedCursor, backfillCursor }: IndexHeader,
  finalized: BlockRef | null,
  blocksMax: number,
): Promise<DueRange | null> => {
  const cursor = index.cursor()
  if (finalized === null || cursor === null) return null
  // Bootstrap scans do not link blocks: checks begin above them.
  const first = backfillCursor === null ? origin : backfillCursor.startedAt + 1
  const from = finalizedCursor === null ? first : finalizedCursor.block + 1
  const to = Math.min(finalized.block, cursor.block, from + blocksMax - 1)
  if (to < from) return null
  // Ending at a stored block compares its hash, which proves that the indexed branch is finalized.
  const below = await store.readBlockAtOrBelow(to)
  const stored = below !== null && below.block >= from ? below : null
  return { range: { from, to: stored?.block ?? to }, stored }
}

/** The read of a due range, with the finalized block that made it due. */
type RangeRead = {
  readonly due: DueRange
  readonly epoch: number
  readonly finalized: BlockRef | null
  readonly answer: Promise<Outcome<CrossCheckedRange, RpcFault>>
}

/** Reads due ranges; a read that takes long continues until the next call. */
const createDueRangeReader = ({ chain, topics, readMsMax }: Deps) => {
  let unfinished: RangeRead | null = null

  const begin = (due: DueRange, epoch: number, finalized: BlockRef | null): RangeRead => {
    const answer = chain.readRangeCrossChecked(due.range, { topics: [topics] })
    // A later call throws it.
    answer.catch(() => undefined)
    return { due, epoch, finalized, answer }
  }

  /** Null while the read continues. */
  return async (due: DueRange, { epoch }: IndexHeader, finalized: BlockRef | null) => {
    // Only a branch replacement changes events of indexed pools, and that starts an epoch.
    const isSame = unfinished?.epoch === epoch && unfinished.due.range.from === due.range.from
    const read = unfinished !== null && isSame ? unfinished : begin(due, epoch, finalized)
    unfinished = null
    const answer = await resultWithin(read.answer, readMsMax)
    if (answer === null) unfinished = read
    return answer === null ? null : { ...read, answer }
  }
}

/** Why a range does not link the finalized cursor and the finalized block; null if it does. */
const findBranchFault = async (
  deps: Deps,
  { parentHash, last }: BlockRangeLogs,
  header: IndexHeader,
  finalized: BlockRef | null,
): Promise<SyncFault | null> => {
  const expectedParent = await readParentHash(deps.store, header)
  const isLinked = expectedParent === null || expectedParent === parentHash
  if (!conflicts(finalized, last) && isLinked) return null
  const base = await readFinalizedBase(deps, header)
  const detail = `finalized block ${last.block} reported by the endpoint is on another branch`
  return base.ok ? { kind: 'behind', detail } : base.fault
}

export const createFinalityChecker = (deps: Deps): FinalityChecker => {
  const { chain, store, index } = deps
  const readDueRange = createDueRangeReader(deps)
  const compare = createFinalityComparison(deps)
  const repair = createRepair(deps)
  const size = createRangeSize(rangeBlocksFirst)

  const checkRange = async (
    header: IndexHeader,
    next: DueRange,
    context: HeadContext,
  ): Promise<FinalityCheckResult> => {
    const read = await readDueRange(next, header, context.heads.finalized)
    if (read === null) return reading
    const { answer, finalized } = read
    const { range, stored } = read.due
    const blocks = range.to - range.from + 1
    if (!answer.ok) {
      if (answer.fault.kind !== 'range-too-large' || blocks === 1) return failed(answer.fault)
      size.recordRejection(blocks, answer.fault.suggestedBlocks)
      return advanced
    }
    const { logs, last, endpointsAgreed } = answer.value
    size.recordResponse(blocks, logs.length)
    const fault = await findBranchFault(deps, answer.value, header, finalized)
    if (fault !== null) return failed(fault)
    if (conflicts(stored, last)) return reorged
    const differences = await compare(range, logs)
    if (differences > 0) return repair(differences, { header, range }, context)
    // Without a stored block in the range, the cursor shows whether the index is on this branch.
    const cursor = index.cursor()
    const isUnproven = stored === null && cursor !== null
    const canonical = isUnproven ? await isCanonical(chain, cursor) : success(true)
    if (!canonical.ok) return failed(canonical.fault)
    if (!canonical.value) return reorged
    const outcome = await store.advanceFinalized({
      expectedCursor: header.finalizedCursor?.block ?? null,
      to: last,
      crossChecked: endpointsAgreed > 1,
    })
    return outcome === 'committed' ? advanced : idle
  }

  return {
    checkNextRange: async (context) => {
      const header = await store.snapshot((snapshot) => snapshot.header())
      if (header === null) return idle
      const due = await findDueRange(deps, header, context.heads.finalized, size.blocks())
      return due === null ? idle : checkRange(header, due, context)
    },
  }
}
