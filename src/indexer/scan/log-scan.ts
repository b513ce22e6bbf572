import type { BlockRef } from '../../domain/chain/block-ref.ts'
import type { ChainLog } from '../../domain/chain/log.ts'
import type { ScanWindow } from '../../domain/chain/read-ahead-plan.ts'
import {
  initialScanSize,
  sizeAfterRejection,
  sizeAfterResponse,
} from '../../domain/chain/scan-size.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import { secondsPerDay } from '../../domain/time.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  ChainReader,
  LogFilter,
  RpcFault,
} from '../../ports/chain-reader.ts'
import { chunk } from '../../util/chunk.ts'
import { readHashOnBranch } from '../reorg/common-ancestor.ts'
import {
  createCrossCheckWithFallback,
  type NextRangeBlocks,
  type OnSingleEndpoint,
} from './cross-check.ts'
import { createReadAhead } from './read-ahead.ts'

/** Sparse filters over a long block range, read upwards in ranges that the endpoints support. */
export type LogScan = {
  /** Reads the next range. A fault leaves the scan where it was: the caller retries later. */
  readonly step: () => Promise<RpcFault | null>
  readonly isComplete: () => boolean
  readonly blocksDone: () => number
  readonly blocksTotal: number
}

export type ScanTarget = {
  /** A range counts as read once all of them are answered. */
  readonly filters: readonly LogFilter[]
  readonly range: BlockRange
  /** The block at the end of the range; all logs must be of its branch. Without it, of any. */
  readonly branchBlock?: BlockRef
  /** Whether logs need their blocks' times, which may cost one header per block. */
  readonly times: boolean
  /** Receives all logs up to block `to` in chain order, each once. */
  readonly onLogs: (logs: readonly ChainLog[], to: BlockNumber) => void
}

type ScanDeps = { readonly chain: ChainReader; readonly onSingleEndpoint: OnSingleEndpoint }

/** A scan is cross-checked in at most this many ranges, which take some minutes. */
export const crossCheckedRangesMax = 2000
/** Blocks that are this much older than a block are the same on all branches (methodology §7). */
const branchSecondsMax = secondsPerDay
/** Requests in parallel; public endpoints reject more. */
const requestsMax = 3

/** Mixed faults: one about the range size counts, because the scan can correct it at once. */
const mostActionable = (faults: readonly RpcFault[]): RpcFault | undefined =>
  faults.find(({ kind }) => kind === 'range-too-large') ?? faults[0]

/** The logs that several filters matched in one range. */
export const mergeInChainOrder = (parts: readonly BlockRangeLogs[]): readonly ChainLog[] => {
  const [only, ...others] = parts
  if (only !== undefined && others.length === 0) return only.logs
  // A pool of two stocks matches the filters of both.
  const all = parts.flatMap(({ logs }) => logs)
  const logs = new Map(all.map((log) => [`${log.block}:${log.logIndex}`, log]))
  return [...logs.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

const blockCount = ({ from, to }: BlockRange): number => to - from + 1

/** The ranges of a scan in either direction: sized by what the endpoints answer, read ahead. */
export const createScanRanges = <Answer>(deps: {
  readonly read: (range: BlockRange, next: NextRangeBlocks) => Promise<Outcome<Answer, RpcFault>>
  readonly countLogs: (answer: Answer) => number
  readonly blocksFirst: number
  readonly rangesMax: number
}) => {
  let size = initialScanSize(deps.blocksFirst)
  const reducedSize = (range: BlockRange, suggested: BlockNumber | null) =>
    sizeAfterRejection(size, blockCount(range), suggested)
  const ahead = createReadAhead(
    (range) => deps.read(range, (suggested) => reducedSize(range, suggested).blocks),
    deps.rangesMax,
  )
  return {
    /** The window's next range; null if it is complete, or if smaller ranges must be requested. */
    take: async (window: ScanWindow) => {
      const taken = await ahead.take(window, size.blocks)
      if (taken === null) return null
      const { range, answer } = taken
      if (answer.ok) {
        size = sizeAfterResponse(size, blockCount(range), deps.countLogs(answer.value))
        return taken
      }
      ahead.drop()
      const { fault } = answer
      // One block cannot be split: its fault is like any other.
      if (fault.kind !== 'range-too-large' || blockCount(range) === 1) return taken
      size = reducedSize(range, fault.suggestedBlocks)
      return null
    },
    drop: ahead.drop,
  }
}

type RangeAnswers = Outcome<readonly BlockRangeLogs[], RpcFault>

const createRangeReader = ({ chain, onSingleEndpoint }: ScanDeps, target: ScanTarget) => {
  const { filters, times, range: total } = target
  const blocksMin = blockCount(total) / crossCheckedRangesMax
  const crossCheck = createCrossCheckWithFallback({
    chain,
    times,
    blocksMin: () => blocksMin,
    onSingleEndpoint,
  })
  return async (range: BlockRange, next: NextRangeBlocks): Promise<RangeAnswers> => {
    const parts: BlockRangeLogs[] = []
    for (const some of chunk(filters, requestsMax)) {
      const answers = await Promise.all(some.map((filter) => crossCheck(range, filter, next)))
      const fault = mostActionable(answers.flatMap((answer) => (answer.ok ? [] : answer.fault)))
      if (fault !== undefined) return failure(fault)
      for (const answer of answers) if (answer.ok) parts.push(answer.value)
    }
    return success(parts)
  }
}

/**
 * The fault of a range that is not on the branch of `branchBlock`. Near the head each endpoint may
 * be on a branch of its own, so the end of the range is compared by its hash.
 */
const findBranchFault = async (
  { chain }: ScanDeps,
  branchBlock: BlockRef,
  parts: readonly BlockRangeLogs[],
): Promise<RpcFault | null> => {
  const recent = parts
    .map(({ last }) => last)
    .filter(({ ts }) => branchBlock.ts - ts <= branchSecondsMax)
  const [first] = recent
  if (first === undefined) return null
  const expected = await readHashOnBranch(chain, branchBlock, first.block)
  if (!expected.ok) return expected.fault
  const other = recent.find(({ hash }) => hash !== expected.value)
  if (other === undefined) return null
  const detail = `block ${other.block} reported by the endpoint is on another branch`
  return { kind: 'behind', detail }
}

/** Scans upwards, so that each pool's logs arrive in chain order. */
export const createLogScan = (target: ScanTarget, deps: ScanDeps): LogScan => {
  const { range, branchBlock, onLogs } = target
  const readRange = createRangeReader(deps, target)
  const blocksTotal = Math.max(0, blockCount(range))
  let next = range.from

  const ranges = createScanRanges<readonly BlockRangeLogs[]>({
    read: async (requested, nextRangeBlocks) => {
      const answers = await readRange(requested, nextRangeBlocks)
      if (!answers.ok || branchBlock === undefined) return answers
      const fault = await findBranchFault(deps, branchBlock, answers.value)
      return fault === null ? answers : failure(fault)
    },
    countLogs: (parts) => Math.max(...parts.map(({ logs }) => logs.length)),
    blocksFirst: blocksTotal,
    rangesMax: 1,
  })

  return {
    step: async () => {
      const taken = await ranges.take({ direction: 'up', next, last: range.to })
      if (taken === null) return null
      if (!taken.answer.ok) return taken.answer.fault
      onLogs(mergeInChainOrder(taken.answer.value), taken.range.to)
      next = taken.range.to + 1
      return null
    },
    isComplete: () => next > range.to,
    blocksDone: () => next - range.from,
    blocksTotal,
  }
}

/** Moves some of the incomplete scans one range further; returns the first fault if any. */
export const stepScans = async (scans: readonly LogScan[]): Promise<RpcFault | null> => {
  const some = scans.filter((scan) => !scan.isComplete()).slice(0, requestsMax)
  const faults = await Promise.all(some.map((scan) => scan.step()))
  return faults.find((fault) => fault !== null) ?? null
}

export const areComplete = (scans: readonly LogScan[]): boolean =>
  scans.every((scan) => scan.isComplete())

export const scanProgress = (scans: readonly LogScan[]): { done: number; total: number } => ({
  done: scans.reduce((sum, scan) => sum + scan.blocksDone(), 0),
  total: scans.reduce((sum, scan) => sum + scan.blocksTotal, 0),
})
