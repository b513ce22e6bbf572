import type { ChainLog } from '../../domain/chain/chain-log.ts'
import {
  sizeAfterSweep,
  sizeAfterSweepRefusal,
  sweepSizeFirst,
} from '../../domain/chain/sweep-size.ts'
import { type Outcome, success } from '../../domain/outcome.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type { BlockRange, ChainReader, LogFilter, RpcFault } from '../../ports/chain.ts'

/** Filters over one span of blocks, in as many ranges as the node wants. */
export type Sweep = {
  /** Reads the next range. A fault leaves the sweep where it was: step again later. */
  readonly step: () => Promise<RpcFault | null>
  readonly isOver: () => boolean
  readonly blocksDone: () => number
  readonly blocksTotal: number
}

export type SweepTarget = {
  /** All of them are asked of a range before it counts as read. */
  readonly filters: readonly LogFilter[]
  readonly range: BlockRange
  /**
   * `whole`: as two nodes tell it where two can, for nothing holds it against the chain again.
   * `light`: from one node and without times, which may cost a header per block; what follows from
   * it is held against the contracts.
   */
  readonly need: 'whole' | 'light'
  /** All that was told of blocks up to `to`, in chain order; none is told twice. */
  readonly take: (logs: readonly ChainLog[], to: BlockNumber) => void
}

/** Questions beside each other; more would only make a public node refuse. */
const besideMax = 3

/** Refusals of a range first: they are the ones that can be mended at once. */
const worstOf = (faults: readonly RpcFault[]): RpcFault | undefined =>
  faults.find(({ kind }) => kind === 'range-too-large') ?? faults[0]

const inChainOrder = (answers: readonly (readonly ChainLog[])[]): readonly ChainLog[] => {
  const [only, ...others] = answers
  if (only !== undefined && others.length === 0) return only
  // A pool between two stocks is told by both of their filters.
  const logs = new Map(answers.flat().map((log) => [`${log.block}:${log.logIndex}`, log]))
  return [...logs.values()].sort((a, b) => a.block - b.block || a.logIndex - b.logIndex)
}

type LogsAnswer = Outcome<readonly ChainLog[], RpcFault>
type Answers = Outcome<readonly (readonly ChainLog[])[], RpcFault>

const createAsk = (
  chain: ChainReader,
  { filters, need }: Pick<SweepTarget, 'filters' | 'need'>,
) => {
  /** Also one node alone refused what two were asked for: then smaller ranges are what helps. */
  let isTooMuchForOne = false

  const askWhole = async (range: BlockRange, filter: LogFilter): Promise<LogsAnswer> => {
    const told = await chain.witnessedRange(range, filter)
    if (told.ok) {
      isTooMuchForOne = false
      return success(told.value.logs)
    }
    if (told.fault.kind !== 'range-too-large' || isTooMuchForOne) return told
    // The second node's small ranges must not make thousands of questions out of one.
    const alone = await chain.logs(range, filter)
    isTooMuchForOne = !alone.ok && alone.fault.kind === 'range-too-large'
    return alone
  }

  const askOne = (range: BlockRange, filter: LogFilter): Promise<LogsAnswer> =>
    need === 'whole' ? askWhole(range, filter) : chain.logs(range, filter, { times: false })

  return async (range: BlockRange): Promise<Answers> => {
    const told: (readonly ChainLog[])[] = []
    for (let at = 0; at < filters.length; at += besideMax) {
      const some = filters.slice(at, at + besideMax)
      const answers = await Promise.all(some.map((filter) => askOne(range, filter)))
      const fault = worstOf(answers.flatMap((answer) => (answer.ok ? [] : answer.fault)))
      if (fault !== undefined) return { ok: false, fault }
      for (const answer of answers) if (answer.ok) told.push(answer.value)
    }
    return success(told)
  }
}

/** Reads upwards, so that each pool's logs come in chain order. */
export const createSweep = (target: SweepTarget, chain: ChainReader): Sweep => {
  const { range, take } = target
  const ask = createAsk(chain, target)
  const blocksTotal = Math.max(0, range.to - range.from + 1)
  let size = sweepSizeFirst(blocksTotal)
  let { from } = range
  return {
    step: async () => {
      const to = Math.min(range.to, from + size.blocks - 1)
      const blocks = to - from + 1
      const answers = await ask({ from, to })
      if (!answers.ok) {
        const { fault } = answers
        // One block can not be cut: then it is a fault like any other.
        if (fault.kind !== 'range-too-large' || blocks === 1) return fault
        size = sizeAfterSweepRefusal(size, blocks, fault.suggestedBlocks)
        return null
      }
      take(inChainOrder(answers.value), to)
      from = to + 1
      size = sizeAfterSweep(size, blocks, Math.max(...answers.value.map(({ length }) => length)))
      return null
    },
    isOver: () => from > range.to,
    blocksDone: () => from - range.from,
    blocksTotal,
  }
}

/** Brings some of the unfinished sweeps one range further; the first fault if there was one. */
export const stepSweeps = async (sweeps: readonly Sweep[]): Promise<RpcFault | null> => {
  const some = sweeps.filter((sweep) => !sweep.isOver()).slice(0, besideMax)
  const faults = await Promise.all(some.map((sweep) => sweep.step()))
  return faults.find((fault) => fault !== null) ?? null
}

export const areOver = (sweeps: readonly Sweep[]): boolean =>
  sweeps.every((sweep) => sweep.isOver())

export const progressOf = (sweeps: readonly Sweep[]): { done: number; total: number } => ({
  done: sweeps.reduce((sum, sweep) => sum + sweep.blocksDone(), 0),
  total: sweeps.reduce((sum, sweep) => sum + sweep.blocksTotal, 0),
})
