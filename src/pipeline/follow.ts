import type { Anchor } from '../domain/chain/chain-log.ts'
import { planFollow } from '../domain/chain/plan.ts'
import { createRangeSize, rangeBlocksFirst } from '../domain/chain/range-size.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'
import type { BlockRange, ChainReader, Heads } from '../ports/chain.ts'
import type { Logger } from '../ports/process.ts'
import type { Store } from '../ports/store.ts'
import type { Backfill, IndexProgress } from '../ports/store-rows.ts'
import type { Branches } from './branch.ts'
import { type ChainFault, faultWaitMs, textOfFault, waitMsOfFault } from './chain-fault.ts'
import { findForkPoint } from './fork-point.ts'
import type { IndexBook } from './index-book.ts'
import type { StepResult } from './loop.ts'
import type { Settler } from './settle.ts'
import type { SourceReport } from './source-report.ts'

type Deps = {
  readonly chain: ChainReader
  readonly store: Store
  readonly logger: Logger
  readonly report: SourceReport
  readonly index: IndexBook
  readonly branches: Branches
  readonly settler: Settler
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly pollMs: number
  readonly onProgress: (progress: IndexProgress) => void
}

/** Closer to the head than this the index counts as following, not as catching up. */
const followingBlocks = 2000

export const createFollower = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const { chain, store, logger, report, index, topics, origin, confirmations, pollMs } = deps
  const size = createRangeSize(rangeBlocksFirst)
  let events = 0
  /** The head above which the index is known to stand on the chain. */
  let checkedHead: Hash | null = null

  const failed = async (fault: ChainFault): Promise<StepResult> => {
    await report.failure(textOfFault(fault))
    const { kind, detail } = fault
    if (kind === 'finality-violated') logger.error('The index stands still', { kind, detail })
    else logger.warn('The chain could not be read', { kind, detail })
    return { waitMs: waitMsOfFault(fault) }
  }

  /** Whether the block that the index stands on is still the chain's (methodology §7). */
  const isContinued = async (indexed: Anchor | null): Promise<Outcome<boolean, ChainFault>> => {
    if (indexed === null) return success(true)
    const now = await chain.anchor(indexed.block)
    return now.ok ? success(now.value.hash === indexed.hash) : now
  }

  const backfillAt = (to: BlockNumber, heads: Heads): Backfill => {
    const total = Math.max(0, heads.latest.block - confirmations - origin + 1)
    const left = heads.latest.block - confirmations - to
    const phase = left > followingBlocks ? 'swaps' : 'done'
    return { phase, done: Math.max(0, total - Math.max(0, left)), total }
  }

  /** Puts the chain's branch in the place of the one that the chain has left. */
  const mend = async (indexed: Anchor, heads: Heads): Promise<StepResult> => {
    const header = await store.snapshot((snapshot) => snapshot.header())
    if (header === null) throw new Error('the store that is indexed into has no header')
    const fork = await findForkPoint({ chain, store, origin }, header, indexed.block)
    if (!fork.ok) return failed(fork.fault)
    const outcome = await deps.branches.replace({
      ancestor: fork.value,
      epoch: header.epoch,
      to: heads.latest.block - confirmations,
      head: heads.latest,
      backfillAt: (to) => backfillAt(to, heads),
      repairs: 0,
    })
    if (!outcome.ok) return failed(outcome.fault)
    const fields = { ancestor: fork.value.block, replaced: indexed.block, outcome: outcome.value }
    logger.warn('The chain replaced blocks after their confirmations', fields)
    return { waitMs: outcome.value === 'committed' ? 0 : faultWaitMs }
  }

  /** Behind the head, and never instead of it: one range that has become final. */
  const settle = async (heads: Heads): Promise<ChainFault | null> =>
    deps.settler.settle(heads, (to) => backfillAt(to, heads))

  const read = async (range: BlockRange, heads: Heads): Promise<StepResult> => {
    const blocks = range.to - range.from + 1
    const to = await chain.anchor(range.to)
    if (!to.ok) return failed(to.fault)
    const logs = await chain.logs(range, { topics: [topics] })
    if (!logs.ok) {
      // One block can not be cut: then it is a fault like any other.
      if (logs.fault.kind !== 'range-too-large' || blocks === 1) return failed(logs.fault)
      size.refused(blocks, logs.fault.suggestedBlocks)
      return { waitMs: 0 }
    }
    const backfill = backfillAt(range.to, heads)
    const reached = { to: to.value, head: heads.latest, backfill }
    const outcome = await index.advance(logs.value, reached)
    if (outcome === 'stale-cursor') {
      logger.warn('Another writer moved the index; it is loaded anew')
      return { waitMs: faultWaitMs }
    }
    size.answered(blocks, logs.value.length)
    events += logs.value.length
    deps.onProgress({ ...backfill, events })
    const fault = await settle(heads)
    if (fault !== null) return failed(fault)
    await report.success()
    const isBehind = range.to < heads.latest.block - confirmations
    return { waitMs: isBehind ? 0 : pollMs }
  }

  /** Nothing new is confirmed. */
  const wait = async (heads: Heads): Promise<StepResult> => {
    await store.recordHead(heads.latest)
    const fault = await settle(heads)
    if (fault !== null) return failed(fault)
    await report.success()
    return { waitMs: pollMs }
  }

  const step = async (): Promise<StepResult> => {
    const heads = await chain.heads()
    if (!heads.ok) return failed(heads.fault)
    const indexed = index.indexed()
    const latest = heads.value.latest.block
    const cursor = indexed?.block ?? null
    const blocksMax = size.blocks()
    const plan = planFollow({ indexed: cursor, origin, latest, confirmations, blocksMax })
    // A head that went back is waited out; one of the same height may end another branch.
    const isBack = latest - confirmations < (cursor ?? origin)
    const { hash } = heads.value.latest
    if (plan.kind === 'wait' && (isBack || hash === checkedHead)) return wait(heads.value)
    const continued = await isContinued(indexed)
    if (!continued.ok) return failed(continued.fault)
    if (!continued.value && indexed !== null) return mend(indexed, heads.value)
    checkedHead = hash
    return plan.kind === 'wait' ? wait(heads.value) : read(plan, heads.value)
  }

  return { step }
}
