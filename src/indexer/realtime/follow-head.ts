import { planNextRange, progressAt } from '../../domain/chain/follow-plan.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncProgress, SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import type { SourceReport } from '../enrich/source-report.ts'
import type { IndexState } from '../state/index-state.ts'
import { describeFault, faultWaitMs, retryDelayMs, type SyncFault } from '../sync-fault.ts'
import type { FinalityChecker } from '../verify/finality-check.ts'
import type { HeadCache } from './head-cache.ts'
import { createIngestRanges, type IngestRanges } from './ingest-ranges.ts'
import { createRangeReader } from './range-reader.ts'
import { createReorgHandler, type ReorgHandler } from './reorg.ts'
import type { BranchReplacer, HeadContext } from './replace-branch.ts'

type Deps = {
  readonly chain: ChainReader
  readonly heads: HeadCache
  readonly store: Store
  readonly logger: Logger
  readonly report: SourceReport
  readonly index: IndexState
  readonly branches: BranchReplacer
  readonly settler: FinalityChecker
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly pollMs: number
  /** How many ranges a step takes in at most. */
  readonly rangesPerStep: number
  /** How far the past is filled in; null unless that is under way. */
  readonly pastProgress: () => Promise<SyncProgress | null>
  readonly onProgress: (progress: SyncProgressWithEvents) => void
}

/** What a step came to. */
type Result =
  /** There is more to do, and what is known suffices for it. */
  | { readonly kind: 'more' }
  /** Nothing is left to do until the chain has grown. */
  | { readonly kind: 'done' }
  /** Another writer moved the index. */
  | { readonly kind: 'stale-cursor' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

const more: Result = { kind: 'more' }
const done: Result = { kind: 'done' }

const resultOf = (mended: Awaited<ReturnType<ReorgHandler['handleReorgOrFail']>>): Result =>
  mended.kind === 'mended' ? more : mended

/**
 * While there is something new to read, one range is settled after so many. The later a second
 * reading comes the better evidence it is, and nothing is promised of blocks that are not settled;
 * but however fast a chain grows, settling never stops.
 */
const rangesPerSettling = 16

const withoutFinality = 'no block is told to be final: nothing is settled'

/** Settles when it is due, and remembers what kept it from doing so. */
const createSettling = ({ settler, logger }: Deps, mender: ReorgHandler) => {
  let rangesSince = 0
  let obstacle: string | null = null

  const settle = async (occasion: HeadContext): Promise<Result> => {
    rangesSince = 0
    if (occasion.heads.finalized === null && obstacle !== withoutFinality) {
      logger.info('No block is told to be final', { consequence: 'nothing is settled or verified' })
    }
    const outcome = await settler.checkNextRange(occasion)
    const lack = occasion.heads.finalized === null ? withoutFinality : null
    obstacle = outcome.kind === 'fault' ? describeFault(outcome.fault) : lack
    if (outcome.kind === 'left') {
      return resultOf(
        await mender.handleReorgOrFail(occasion, 'what is final is of another branch'),
      )
    }
    if (outcome.kind === 'fault') return outcome
    return outcome.kind === 'nothing' ? done : more
  }

  return {
    settle,
    /** So many ranges were taken in. */
    count: (ranges: number): void => {
      rangesSince += ranges
    },
    /** `done` if it is not due. */
    inTurn: async (occasion: HeadContext): Promise<Result> =>
      rangesSince < rangesPerSettling ? done : settle(occasion),
    obstacle: () => obstacle,
  }
}

/**
 * Follows the chain up to its confirmed head, some ranges at a time, and settles behind it
 * (methodology §7). A step is one way through this drawing; what it leaves is the store's.
 *
 *                  new blocks                continues ours
 *     .---> heads ------------> next ranges -----------------> take in --.
 *     |       |                     |                                    |
 *     |       | nothing new         | continues another block            |
 *     |       |                     v                       yes          |
 *     |       |------------> is ours the chain's? ---> a node erred -----|
 *     |       | same height,        |                                    |
 *     |       | other hash          | no                                 |
 *     |       v                     v                                    |
 *     |     settle                mend                                   |
 *     |       |                     |                                    |
 *     '-------'---------------------'------------------------------------'
 *       at once if there is more to do, after a poll if not; faults are told and waited for
 */
export const createHeadFollower = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const { heads, store, logger, report, index, origin, confirmations, pollMs } = deps
  const catchUp = createRangeReader(deps)
  const mender = createReorgHandler(deps)
  const settling = createSettling(deps, mender)
  const ingest = createIngestRanges({ ...deps, catchUp })

  const read = async (
    plan: Parameters<IngestRanges>[0],
    occasion: HeadContext,
  ): Promise<Result> => {
    const { end, count } = await ingest(plan, occasion)
    settling.count(count)
    if (end.kind === 'stale-cursor') return { kind: end.kind }
    if (end.from > plan.next) mender.markCanonical(occasion.heads.latest.hash)
    if (end.kind === 'other-branch') {
      const detail = `what was told of block ${end.from} belongs to another branch`
      return resultOf(await mender.handleReorgOrFail(occasion, detail))
    }
    if (end.kind === 'fault') return end
    const settled = await settling.inTurn(occasion)
    if (settled.kind !== 'done' && settled.kind !== 'more') return settled
    return end.kind === 'too-large' || end.from <= plan.last ? more : done
  }

  const act = async (occasion: HeadContext): Promise<Result> => {
    const { latest } = occasion.heads
    const indexed = index.cursor()?.block ?? null
    const plan = planNextRange({ cursor: indexed, origin, latest: latest.block, confirmations })
    if (plan.kind === 'read') return read(plan, occasion)
    await store.recordHead(latest)
    if (plan.kind === 'wait') return done
    // A head of the same height may end another branch.
    if (!mender.isMarkedCanonical(latest.hash)) {
      const standing = await mender.handleReorg(occasion)
      if (standing.kind === 'mended') return more
      if (standing.kind !== 'standing') return standing
      mender.markCanonical(latest.hash)
    }
    return settling.settle(occasion)
  }

  const failed = async (fault: SyncFault): Promise<StepResult> => {
    catchUp.drop()
    heads.forget()
    await report.failure(describeFault(fault))
    const { kind, detail } = fault
    if (kind === 'reading-left') {
      logger.warn('The chain has left what was read of it at first; all is read again', { detail })
      await index.reset()
    } else if (kind === 'finality-violated') {
      logger.error('The index stands still', { kind, detail })
    } else logger.warn('The chain could not be read', { kind, detail })
    return { waitMs: retryDelayMs(fault) }
  }

  const step = async (): Promise<StepResult> => {
    const told = await heads.read()
    if (!told.ok) return failed(told.fault)
    const { value } = told
    const confirmed = value.latest.block - confirmations
    const backfillAt = (to: BlockNumber) => progressAt(to, { origin, confirmed })
    const result = await act({ heads: value, backfillAt })
    if (result.kind === 'more' || result.kind === 'done') await report.success(settling.obstacle())
    if (result.kind === 'more') return { waitMs: 0 }
    heads.forget()
    if (result.kind === 'done') return { waitMs: pollMs }
    // However far the index is behind, it is behind the head that was told.
    await store.recordHead(value.latest)
    if (result.kind === 'fault') return failed(result.fault)
    catchUp.drop()
    logger.warn('Another writer moved the index; it is loaded anew')
    return { waitMs: faultWaitMs }
  }

  return { step }
}
