import type { BlockNumber } from '../../domain/units.ts'
import type { BlockRangeLogs } from '../../ports/chain-reader.ts'
import type { SyncProgress, SyncProgressWithEvents } from '../../ports/store-batches.ts'
import type { CommitResult, IndexState } from '../state/index-state.ts'
import type { NextRangeResult, RangeReader } from './range-reader.ts'
import type { HeadContext } from './replace-branch.ts'

/** Where a step of reading begins, and the last block that may be read. */
type Span = { readonly next: BlockNumber; readonly last: BlockNumber }

/** What ended a step of reading, and the first block that it did not take in. */
type End = { readonly from: BlockNumber } & (
  | { readonly kind: 'read' | 'stale-cursor' }
  | Exclude<NextRangeResult, { readonly kind: 'read' }>
)

/** Answers how many ranges were written, too. */
export type IngestRanges = (
  span: Span,
  occasion: HeadContext,
) => Promise<{ readonly end: End; readonly count: number }>

/**
 * Ranges that are written as one, while there is more to read than one: pages of a store that
 * several of them change are written once (a backfill took 7 % less processor time, more than four
 * gained nothing), and half a second of reading is all that a stop would lose.
 */
const rangesPerCommit = 4

/**
 * Takes in what the chain has and the index has not, `rangesPerStep` ranges at most: while one is
 * written, the next is folded. At the end of a step all that was taken in is written.
 */
export const createIngestRanges = (deps: {
  readonly index: IndexState
  readonly catchUp: RangeReader
  readonly rangesPerStep: number
  /** How far the past is filled in; null unless that is under way. */
  readonly pastProgress: () => Promise<SyncProgress | null>
  readonly onProgress: (progress: SyncProgressWithEvents) => void
}): IngestRanges => {
  const { index, catchUp, rangesPerStep, pastProgress } = deps
  let events = 0
  let untold: SyncProgressWithEvents | null = null

  /** Everything before was written. */
  const tell = (): void => {
    if (untold !== null) deps.onProgress(untold)
    untold = null
  }

  const takeIn = async (
    ranges: readonly BlockRangeLogs[],
    occasion: HeadContext,
  ): Promise<CommitResult> => {
    const to = ranges.at(-1)?.last
    if (to === undefined) return 'committed'
    const logs = ranges.flatMap((range) => range.logs)
    const filling = await pastProgress()
    const backfill = filling ?? occasion.backfillAt(to.block)
    const outcome = await index.ingestRange(logs, { to, head: occasion.heads.latest, backfill })
    if (outcome === 'stale-cursor') return outcome
    tell()
    events += logs.length
    // While the past is filled in, that tells how far it is.
    untold = filling === null ? { ...backfill, events } : null
    return outcome
  }

  /** The ranges of one commit, and what kept it from having more. */
  const readRanges = async (from: BlockNumber, last: BlockNumber, rangesMax: number) => {
    const ranges: BlockRangeLogs[] = []
    let [next, anchor] = [from, index.cursor()]
    while (ranges.length < rangesMax && next <= last) {
      const read = await catchUp.next(anchor, { next, last })
      if (read.kind !== 'read') return { ranges, end: { ...read, from: next } }
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
    occasion: HeadContext,
  ): Promise<{ readonly end: End; readonly count: number }> => {
    const { ranges, end } = await readRanges(next, last, rangesMax)
    const outcome = await takeIn(ranges, occasion)
    return outcome === 'stale-cursor'
      ? { end: { kind: outcome, from: next }, count: 0 }
      : { end, count: ranges.length }
  }

  /** Up to the end of the step, or to what keeps it from being reached. */
  const readOn: IngestRanges = async ({ next, last }, occasion) => {
    let end: End = { kind: 'read', from: next }
    let count = 0
    while (end.kind === 'read' && count < rangesPerStep && end.from <= last) {
      const rangesMax = Math.min(rangesPerStep - count, rangesPerCommit)
      const read = await readAndTakeIn({ next: end.from, last }, rangesMax, occasion)
      count += read.count
      end = read.end
    }
    return { end, count }
  }

  return async (span, occasion) => {
    untold = null
    let written: CommitResult
    let read: Awaited<ReturnType<IngestRanges>>
    try {
      read = await readOn(span, occasion)
    } finally {
      // Whatever becomes of the step: what it has begun to write has ended before anything else.
      written = await index.flush()
    }
    if (written !== 'committed') return { end: { kind: written, from: span.next }, count: 0 }
    if (read.end.kind !== 'stale-cursor') tell()
    return read
  }
}
