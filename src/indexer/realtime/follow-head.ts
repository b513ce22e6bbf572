import { planNextRange, progressAt } from '../../domain/chain/follow-plan.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { ChainReader } from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'
import type { Store } from '../../ports/store.ts'
import type { SyncProgress, SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { StepResult } from '../../util/loop.ts'
import { createReorgHandler, type ReorgHandler } from '../reorg/reorg.ts'
import type { BranchReplacer, HeadContext } from '../reorg/replace-branch.ts'
import type { SourceReport } from '../source-report.ts'
import type { IndexState } from '../state/index-state.ts'
import { describeFault, faultWaitMs, retryDelayMs, type SyncFault } from '../sync-fault.ts'
import type { FinalityChecker } from '../verify/finality-check.ts'
import type { HeadCache } from './head-cache.ts'
import { createIngestRanges, type IngestRanges } from './ingest-ranges.ts'
import { createRangeReader } from './range-reader.ts'

type Deps = {
  readonly chain: ChainReader
  readonly heads: HeadCache
  readonly store: Store
  readonly logger: Logger
  readonly report: SourceReport
  readonly index: IndexState
  readonly branches: BranchReplacer
  readonly finalityChecker: FinalityChecker
  readonly topics: readonly Hash[]
  readonly origin: BlockNumber
  readonly confirmations: number
  readonly pollMs: number
  /** Most ranges that one step ingests. */
  readonly rangesPerStep: number
  /** Progress of the backfill; null while none is running. */
  readonly backfillProgress: () => Promise<SyncProgress | null>
  readonly onProgress: (progress: SyncProgressWithEvents) => void
}

type Result =
  /** The next step can start at once. */
  | { readonly kind: 'more' }
  /** Nothing to do until the head moves. */
  | { readonly kind: 'done' }
  /** Another writer moved the cursor. */
  | { readonly kind: 'stale-cursor' }
  | { readonly kind: 'fault'; readonly fault: SyncFault }

const more: Result = { kind: 'more' }
const done: Result = { kind: 'done' }

const toResult = (outcome: Awaited<ReturnType<ReorgHandler['handleReorgOrFail']>>): Result =>
  outcome.kind === 'reorged' ? more : outcome

/**
 * During catch-up one range is checked per this many ingested ranges. A later second read is better
 * evidence, but finality checks must make progress however fast the chain grows.
 */
const rangesPerFinalityCheck = 16

const noFinalizedBlock = 'the endpoints report no finalized block: indexed blocks are not checked'

/** Runs finality checks when they are due, and remembers what prevented the last one. */
const createFinalitySchedule = ({ finalityChecker, logger }: Deps, reorgs: ReorgHandler) => {
  let rangesSinceCheck = 0
  let warning: string | null = null

  const check = async (context: HeadContext): Promise<Result> => {
    const isUnknown = context.heads.finalized === null
    if (isUnknown && warning !== noFinalizedBlock) {
      const fields = { consequence: 'no finality checks' }
      logger.info('No finalized block reported by the endpoints', fields)
    }
    const outcome = await finalityChecker.checkNextRange(context)
    // Due again in the next step.
    if (outcome.kind === 'reading') return done
    rangesSinceCheck = 0
    warning = isUnknown ? noFinalizedBlock : null
    if (outcome.kind === 'fault') {
      warning = describeFault(outcome.fault)
      return outcome
    }
    if (outcome.kind === 'reorged') {
      const detail = 'the finalized blocks reported by the endpoint are on another branch'
      return toResult(await reorgs.handleReorgOrFail(context, detail))
    }
    return outcome.kind === 'idle' ? done : more
  }

  return {
    check,
    countRanges: (ranges: number): void => {
      rangesSinceCheck += ranges
    },
    /** Returns `done` if no check is due. */
    checkIfDue: async (context: HeadContext): Promise<Result> =>
      rangesSinceCheck < rangesPerFinalityCheck ? done : check(context),
    warning: () => warning,
  }
}

/**
 * Realtime sync: follows the confirmed head, several ranges per step, and runs finality checks
 * behind it (methodology §7). One step is one pass through this diagram; all state is in the store.
 *
 *                  new blocks              parent is cursor
 *     .---> heads ------------> next ranges ----------------> ingest ----.
 *     |       |                     |                                    |
 *     |       | no new blocks       | other parent                       |
 *     |       |                     v                       yes          |
 *     |       |-----------> is the cursor canonical? --> endpoint erred -|
 *     |       | same height,        |                                    |
 *     |       | other hash          | no                                 |
 *     |       v                     v                                    |
 *     |   finality check      replace branch                             |
 *     |       |                     |                                    |
 *     '-------'---------------------'------------------------------------'
 *       at once if there is more to do, else after a poll; faults are reported and delay the retry
 */
export const createHeadFollower = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const { heads, store, logger, report, index, origin, confirmations, pollMs } = deps
  const rangeReader = createRangeReader(deps)
  const reorgs = createReorgHandler(deps)
  const finality = createFinalitySchedule(deps, reorgs)
  const ingest = createIngestRanges({ ...deps, rangeReader })

  const readRanges = async (
    plan: Parameters<IngestRanges>[0],
    context: HeadContext,
  ): Promise<Result> => {
    const { end, count } = await ingest(plan, context)
    finality.countRanges(count)
    if (end.kind === 'stale-cursor') return { kind: end.kind }
    if (end.from > plan.next) reorgs.markCanonical(context.heads.latest.hash)
    if (end.kind === 'other-branch') {
      const detail = `block ${end.from} reported by the endpoint is on another branch`
      return toResult(await reorgs.handleReorgOrFail(context, detail))
    }
    if (end.kind === 'fault') return end
    const checked = await finality.checkIfDue(context)
    if (checked.kind !== 'done' && checked.kind !== 'more') return checked
    return end.kind === 'too-large' || end.from <= plan.last ? more : done
  }

  const sync = async (context: HeadContext): Promise<Result> => {
    const { latest } = context.heads
    const cursor = index.cursor()?.block ?? null
    const plan = planNextRange({ cursor, origin, latest: latest.block, confirmations })
    if (plan.kind === 'read') return readRanges(plan, context)
    await store.recordHead(latest)
    if (plan.kind === 'wait') return done
    // A head of the same height may be on another branch.
    if (!reorgs.isMarkedCanonical(latest.hash)) {
      const result = await reorgs.handleReorg(context)
      if (result.kind === 'reorged') return more
      if (result.kind !== 'canonical') return result
      reorgs.markCanonical(latest.hash)
    }
    return finality.check(context)
  }

  const handleFault = async (fault: SyncFault): Promise<StepResult> => {
    rangeReader.drop()
    heads.forget()
    await report.failure(describeFault(fault))
    const { kind, detail } = fault
    if (kind === 'bootstrap-reorged') {
      logger.warn('Reorg below the bootstrap block, restarting bootstrap', { detail })
      await index.reset()
    } else if (kind === 'finality-violated') {
      logger.error('Indexing stopped: finality violated', { kind, detail })
    } else logger.warn('Failed to read from the chain', { kind, detail })
    return { waitMs: retryDelayMs(fault) }
  }

  const step = async (): Promise<StepResult> => {
    const read = await heads.read()
    if (!read.ok) return handleFault(read.fault)
    const confirmed = read.value.latest.block - confirmations
    const result = await sync({
      heads: read.value,
      progressAt: (to) => progressAt(to, { origin, confirmed }),
    })
    if (result.kind === 'more' || result.kind === 'done') await report.success(finality.warning())
    if (result.kind === 'more') return { waitMs: 0 }
    heads.forget()
    if (result.kind === 'done') return { waitMs: pollMs }
    // The status shows the lag behind this head even if nothing could be indexed.
    await store.recordHead(read.value.latest)
    if (result.kind === 'fault') return handleFault(result.fault)
    rangeReader.drop()
    logger.warn('Cursor was moved by another writer, reloading the index')
    return { waitMs: faultWaitMs }
  }

  return { step }
}
