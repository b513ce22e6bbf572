import { planFollow, progressAt } from '../domain/chain/plan.ts'
import type { BlockNumber, Hash } from '../domain/units.ts'
import type { ChainReader, RangeRead } from '../ports/chain.ts'
import type { Logger } from '../ports/process.ts'
import type { Store } from '../ports/store.ts'
import type { Backfill, IndexProgress } from '../ports/store-rows.ts'
import type { StepResult } from '../util/loop.ts'
import type { Branches, Occasion } from './branch.ts'
import { type CatchUp, createCatchUp, type NextRange } from './catch-up.ts'
import { type ChainFault, faultWaitMs, textOfFault, waitMsOfFault } from './chain-fault.ts'
import type { IndexBook, Written } from './index-book.ts'
import type { KnownHeads } from './known-heads.ts'
import { createMender, type Mender } from './mend.ts'
import type { Settler } from './settle.ts'
import type { SourceReport } from './source-report.ts'

type Deps = {
  readonly chain: ChainReader
  readonly heads: KnownHeads
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
  /** How many ranges a step takes in at most. */
  readonly rangesPerStep: number
  /** How far the past is filled in; null unless that is under way. */
  readonly pastProgress: () => Promise<Backfill | null>
  readonly onProgress: (progress: IndexProgress) => void
}

/** What a step came to. */
type Result =
  /** There is more to do, and what is known suffices for it. */
  | { readonly kind: 'more' }
  /** Nothing is left to do until the chain has grown. */
  | { readonly kind: 'done' }
  /** Another writer moved the index. */
  | { readonly kind: 'stale-cursor' }
  | { readonly kind: 'fault'; readonly fault: ChainFault }

const more: Result = { kind: 'more' }
const done: Result = { kind: 'done' }

const resultOf = (mended: Awaited<ReturnType<Mender['mendOrDoubt']>>): Result =>
  mended.kind === 'mended' ? more : mended

/**
 * While there is something new to read, one range is settled after so many. The later a second
 * reading comes the better evidence it is, and nothing is promised of blocks that are not settled;
 * but however fast a chain grows, settling never stops.
 */
const rangesPerSettling = 16

/**
 * Ranges that are written as one, while there is more to read than one: pages of a store that
 * several of them change are written once (a backfill took 7 % less processor time, more than four
 * gained nothing), and half a second of reading is all that a stop would lose.
 */
const rangesPerCommit = 4

const withoutFinality = 'no block is told to be final: nothing is settled'

/** Settles when it is due, and remembers what kept it from doing so. */
const createSettling = ({ settler, logger }: Deps, mender: Mender) => {
  let rangesSince = 0
  let obstacle: string | null = null

  const settle = async (occasion: Occasion): Promise<Result> => {
    rangesSince = 0
    if (occasion.heads.finalized === null && obstacle !== withoutFinality) {
      logger.info('No block is told to be final', { consequence: 'nothing is settled or verified' })
    }
    const outcome = await settler.settle(occasion)
    const lack = occasion.heads.finalized === null ? withoutFinality : null
    obstacle = outcome.kind === 'fault' ? textOfFault(outcome.fault) : lack
    if (outcome.kind === 'left') {
      return resultOf(await mender.mendOrDoubt(occasion, 'what is final is of another branch'))
    }
    if (outcome.kind === 'fault') return outcome
    return outcome.kind === 'nothing' ? done : more
  }

  return {
    settle,
    /** A range was taken in. */
    count: (): void => {
      rangesSince += 1
    },
    /** `done` if it is not due. */
    inTurn: async (occasion: Occasion): Promise<Result> =>
      rangesSince < rangesPerSettling ? done : settle(occasion),
    obstacle: () => obstacle,
  }
}

type Parts = {
  readonly catchUp: CatchUp
  readonly mender: Mender
  readonly settling: ReturnType<typeof createSettling>
}

/** Where a step of reading begins, and the last block that may be read. */
type Span = { readonly next: BlockNumber; readonly last: BlockNumber }

/** What ended a step of reading, and the first block that it did not take in. */
type End = { readonly from: BlockNumber } & (
  | { readonly kind: 'read' | 'stale-cursor' }
  | Exclude<NextRange, { readonly kind: 'read' }>
)

/**
 * Takes in what the chain has and the index has not, `rangesPerStep` ranges at most: while one is
 * written, the next is folded. At the end of a step all that was taken in is written.
 */
const createReading = (deps: Deps, { catchUp, mender, settling }: Parts) => {
  const { index, rangesPerStep, pastProgress } = deps
  let events = 0
  let untold: IndexProgress | null = null

  /** Everything before was written. */
  const tell = (): void => {
    if (untold !== null) deps.onProgress(untold)
    untold = null
  }

  const takeIn = async (ranges: readonly RangeRead[], occasion: Occasion): Promise<Written> => {
    const to = ranges.at(-1)?.last
    if (to === undefined) return 'committed'
    const logs = ranges.flatMap((range) => range.logs)
    const filling = await pastProgress()
    const backfill = filling ?? occasion.backfillAt(to.block)
    const outcome = await index.advance(logs, { to, head: occasion.heads.latest, backfill })
    if (outcome === 'stale-cursor') return outcome
    tell()
    events += logs.length
    // While the past is filled in, that tells how far it is.
    untold = filling === null ? { ...backfill, events } : null
    return outcome
  }

  /** The ranges of one commit, and what kept it from having more. */
  const readRanges = async (from: BlockNumber, last: BlockNumber, rangesMax: number) => {
    const ranges: RangeRead[] = []
    let [next, anchor] = [from, index.indexed()]
    while (ranges.length < rangesMax && next <= last) {
      const read = await catchUp.next(anchor, { next, last })
      if (read.kind !== 'read') return { ranges, end: { ...read, from: next } }
      settling.count()
      ranges.push(read.range)
      anchor = read.range.last
      next = anchor.block + 1
    }
    return { ranges, end: { kind: 'read', from: next } as const }
  }

  /**
   * Reads the ranges of one commit and takes them in. By itself, because what has been awaited here
   * is held until the next time it is: the logs of one commit all through the reading of the next.
   */
  const readAndTakeIn = async (
    { next, last }: Span,
    rangesMax: number,
    occasion: Occasion,
  ): Promise<{ readonly end: End; readonly count: number }> => {
    const { ranges, end } = await readRanges(next, last, rangesMax)
    const outcome = await takeIn(ranges, occasion)
    return outcome === 'stale-cursor'
      ? { end: { kind: outcome, from: next }, count: 0 }
      : { end, count: ranges.length }
  }

  /** Up to the end of the step, or to what keeps it from being reached. */
  const readOn = async ({ next, last }: Span, occasion: Occasion): Promise<End> => {
    let end: End = { kind: 'read', from: next }
    let rangesLeft = rangesPerStep
    while (end.kind === 'read' && rangesLeft > 0 && end.from <= last) {
      const rangesMax = Math.min(rangesLeft, rangesPerCommit)
      const read = await readAndTakeIn({ next: end.from, last }, rangesMax, occasion)
      rangesLeft -= read.count
      end = read.end
    }
    return end
  }

  /** Whatever becomes of the step: what it has begun to write has ended before anything else. */
  const readStep = async (span: Span, occasion: Occasion): Promise<End> => {
    untold = null
    let written: Written
    let end: End
    try {
      end = await readOn(span, occasion)
    } finally {
      written = await index.written()
    }
    return written === 'committed' ? end : { kind: written, from: span.next }
  }

  return async (span: Span, occasion: Occasion): Promise<Result> => {
    const end = await readStep(span, occasion)
    if (end.kind === 'stale-cursor') return { kind: end.kind }
    tell()
    if (end.from > span.next) mender.note(occasion.heads.latest.hash)
    if (end.kind === 'other-branch') {
      const detail = `what was told of block ${end.from} belongs to another branch`
      return resultOf(await mender.mendOrDoubt(occasion, detail))
    }
    if (end.kind === 'fault') return end
    const settled = await settling.inTurn(occasion)
    if (settled.kind !== 'done' && settled.kind !== 'more') return settled
    return end.kind === 'too-large' || end.from <= span.last ? more : done
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
export const createFollower = (deps: Deps): { readonly step: () => Promise<StepResult> } => {
  const { heads, store, logger, report, index, origin, confirmations, pollMs } = deps
  const catchUp = createCatchUp(deps)
  const mender = createMender(deps)
  const settling = createSettling(deps, mender)
  const read = createReading(deps, { catchUp, mender, settling })

  const act = async (occasion: Occasion): Promise<Result> => {
    const { latest } = occasion.heads
    const indexed = index.indexed()?.block ?? null
    const plan = planFollow({ indexed, origin, latest: latest.block, confirmations })
    if (plan.kind === 'read') return read(plan, occasion)
    await store.recordHead(latest)
    if (plan.kind === 'wait') return done
    // A head of the same height may end another branch.
    if (!mender.isNoted(latest.hash)) {
      const standing = await mender.mendIfLeft(occasion)
      if (standing.kind === 'mended') return more
      if (standing.kind !== 'standing') return standing
      mender.note(latest.hash)
    }
    return settling.settle(occasion)
  }

  const failed = async (fault: ChainFault): Promise<StepResult> => {
    catchUp.drop()
    heads.forget()
    await report.failure(textOfFault(fault))
    const { kind, detail } = fault
    if (kind === 'reading-left') {
      logger.warn('The chain has left what was read of it at first; all is read again', { detail })
      await index.drop()
    } else if (kind === 'finality-violated') {
      logger.error('The index stands still', { kind, detail })
    } else logger.warn('The chain could not be read', { kind, detail })
    return { waitMs: waitMsOfFault(fault) }
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
