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
import { readHashOnBranch } from '../realtime/common-ancestor.ts'
import { createReadAhead } from '../realtime/read-ahead.ts'
import {
  type BlocksNext,
  createCrossCheckWithFallback,
  type OnSingleEndpoint,
} from './cross-check.ts'

/** Filters over one span of blocks, in as many ranges as the node wants. */
export type LogScan = {
  /** Reads the next range. A fault leaves the sweep where it was: step again later. */
  readonly step: () => Promise<RpcFault | null>
  readonly isOver: () => boolean
  readonly blocksDone: () => number
  readonly blocksTotal: number
}

export type ScanTarget = {
  /** All of them are asked of a range before it counts as read. */
  readonly filters: readonly LogFilter[]
  readonly range: BlockRange
  /** The block, at the range's end, on whose branch all of it must lie; without it, on any. */
  readonly on?: BlockRef
  /** Without their blocks' times, which may cost a header per block, unless they are needed. */
  readonly times: boolean
  /** All that was told of blocks up to `to`, in chain order; none is told twice. */
  readonly take: (logs: readonly ChainLog[], to: BlockNumber) => void
}

type ScanDeps = { readonly chain: ChainReader; readonly onAlone: OnSingleEndpoint }

/** What two endpoints answer is asked for in no more ranges than these, which take some minutes. */
export const witnessedRangesMax = 2000
/** What lies so far below a block is the same on all branches (methodology §7). */
const rivalSecondsMax = secondsPerDay
/** Questions beside each other; more would only make a public node refuse. */
const besideMax = 3

/** Refusals of a range first: they are the ones that can be mended at once. */
const worstOf = (faults: readonly RpcFault[]): RpcFault | undefined =>
  faults.find(({ kind }) => kind === 'range-too-large') ?? faults[0]

/** What several filters told of one range. */
export const inChainOrder = (answers: readonly BlockRangeLogs[]): readonly ChainLog[] => {
  const [only, ...others] = answers
  if (only !== undefined && others.length === 0) return only.logs
  // A pool between two stocks is told by both of their filters.
  const all = answers.flatMap(({ logs }) => logs)
  const logs = new Map(all.map((log) => [`${log.block}:${log.logIndex}`, log]))
  return [...logs.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

const lengthOf = ({ from, to }: BlockRange): number => to - from + 1

/** The ranges of a scan in either direction, in a size that suits the nodes, some read ahead. */
export const createScanRanges = <Answer>(given: {
  readonly read: (range: BlockRange, next: BlocksNext) => Promise<Outcome<Answer, RpcFault>>
  readonly countLogs: (answer: Answer) => number
  readonly blocksFirst: number
  readonly rangesMax: number
}) => {
  let size = initialScanSize(given.blocksFirst)
  const sizeAfterRefusal = (range: BlockRange, suggested: BlockNumber | null) =>
    sizeAfterRejection(size, lengthOf(range), suggested)
  const ahead = createReadAhead(
    (range) => given.read(range, (suggested) => sizeAfterRefusal(range, suggested).blocks),
    given.rangesMax,
  )
  return {
    /** The course's next range; null if it is over, or if the range is to be asked for in parts. */
    take: async (course: ScanWindow) => {
      const taken = await ahead.take(course, size.blocks)
      if (taken === null) return null
      const { range, answer } = taken
      if (answer.ok) {
        size = sizeAfterResponse(size, lengthOf(range), given.countLogs(answer.value))
        return taken
      }
      ahead.drop()
      const { fault } = answer
      // One block can not be cut: then it is a fault like any other.
      if (fault.kind !== 'range-too-large' || lengthOf(range) === 1) return taken
      size = sizeAfterRefusal(range, fault.suggestedBlocks)
      return null
    },
    drop: ahead.drop,
  }
}

type Answers = Outcome<readonly BlockRangeLogs[], RpcFault>

const createAsk = ({ chain, onAlone }: ScanDeps, { filters, times, range }: ScanTarget) => {
  const blocksMin = lengthOf(range) / witnessedRangesMax
  const twoOrOne = createCrossCheckWithFallback({
    chain,
    times,
    blocksMin: () => blocksMin,
    onAlone,
  })
  return async (asked: BlockRange, next: BlocksNext): Promise<Answers> => {
    const told: BlockRangeLogs[] = []
    for (const some of chunk(filters, besideMax)) {
      const answers = await Promise.all(some.map((filter) => twoOrOne(asked, filter, next)))
      const fault = worstOf(answers.flatMap((answer) => (answer.ok ? [] : answer.fault)))
      if (fault !== undefined) return failure(fault)
      for (const answer of answers) if (answer.ok) told.push(answer.value)
    }
    return success(told)
  }
}

/**
 * What speaks against a range. Near the head each node may stand on a branch of its own, and what
 * it tells of a range below the end is told in vain unless the branch of the end holds it.
 */
const readDoubt = async (
  { chain }: ScanDeps,
  on: BlockRef,
  told: readonly BlockRangeLogs[],
): Promise<RpcFault | null> => {
  const young = told.map(({ last }) => last).filter(({ ts }) => on.ts - ts <= rivalSecondsMax)
  const [one] = young
  if (one === undefined) return null
  const named = await readHashOnBranch(chain, on, one.block)
  if (!named.ok) return named.fault
  const rival = young.find(({ hash }) => hash !== named.value)
  if (rival === undefined) return null
  const detail = `what was told up to block ${rival.block} belongs to another branch`
  return { kind: 'behind', detail }
}

/** Reads upwards, so that each pool's logs come in chain order. */
export const createLogScan = (target: ScanTarget, deps: ScanDeps): LogScan => {
  const { range, on, take } = target
  const ask = createAsk(deps, target)
  const blocksTotal = Math.max(0, lengthOf(range))
  let next = range.from

  const ranges = createScanRanges<readonly BlockRangeLogs[]>({
    read: async (asked, blocksNext) => {
      const answers = await ask(asked, blocksNext)
      if (!answers.ok || on === undefined) return answers
      const doubt = await readDoubt(deps, on, answers.value)
      return doubt === null ? answers : failure(doubt)
    },
    countLogs: (answers) => Math.max(...answers.map(({ logs }) => logs.length)),
    blocksFirst: blocksTotal,
    rangesMax: 1,
  })

  return {
    step: async () => {
      const taken = await ranges.take({ direction: 'up', next, last: range.to })
      if (taken === null) return null
      const { answer } = taken
      if (!answer.ok) return answer.fault
      take(inChainOrder(answer.value), taken.range.to)
      next = taken.range.to + 1
      return null
    },
    isOver: () => next > range.to,
    blocksDone: () => next - range.from,
    blocksTotal,
  }
}

/** Brings some of the unfinished sweeps one range further; the first fault if there was one. */
export const stepScans = async (sweeps: readonly LogScan[]): Promise<RpcFault | null> => {
  const some = sweeps.filter((sweep) => !sweep.isOver()).slice(0, besideMax)
  const faults = await Promise.all(some.map((sweep) => sweep.step()))
  return faults.find((fault) => fault !== null) ?? null
}

export const areComplete = (sweeps: readonly LogScan[]): boolean =>
  sweeps.every((sweep) => sweep.isOver())

export const progressOf = (sweeps: readonly LogScan[]): { done: number; total: number } => ({
  done: sweeps.reduce((sum, sweep) => sum + sweep.blocksDone(), 0),
  total: sweeps.reduce((sum, sweep) => sum + sweep.blocksTotal, 0),
})
