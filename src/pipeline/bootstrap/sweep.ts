import type { ChainLog } from '../../domain/chain/chain-log.ts'
import {
  sizeAfterSweep,
  sizeAfterSweepRefusal,
  sweepSizeFirst,
} from '../../domain/chain/sweep-size.ts'
import type { BlockRange, ChainReader, LogFilter, RpcFault } from '../../ports/chain.ts'

/** One filter over one span of blocks, in as many ranges as the node wants. */
export type Sweep = {
  /** Reads the next range. A fault leaves the sweep where it was: step again later. */
  readonly step: () => Promise<RpcFault | null>
  readonly isOver: () => boolean
  readonly blocksDone: () => number
  readonly blocksTotal: number
}

export type SweepTarget = {
  readonly filter: LogFilter
  readonly range: BlockRange
  /** Times cost a header per block: asked for only where somebody looks at them. */
  readonly times: boolean
  readonly take: (logs: readonly ChainLog[]) => void
}

/** Reads upwards, so that each pool's logs come in chain order. */
export const createSweep = (
  { filter, range, times, take }: SweepTarget,
  chain: ChainReader,
): Sweep => {
  const blocksTotal = Math.max(0, range.to - range.from + 1)
  let size = sweepSizeFirst(blocksTotal)
  let { from } = range
  return {
    step: async () => {
      const to = Math.min(range.to, from + size.blocks - 1)
      const blocks = to - from + 1
      const logs = await chain.logs({ from, to }, filter, { times })
      if (!logs.ok) {
        // One block can not be cut: then it is a fault like any other.
        if (logs.fault.kind !== 'range-too-large' || blocks === 1) return logs.fault
        size = sizeAfterSweepRefusal(size, blocks, logs.fault.suggestedBlocks)
        return null
      }
      take(logs.value)
      from = to + 1
      size = sizeAfterSweep(size, blocks, logs.value.length)
      return null
    },
    isOver: () => from > range.to,
    blocksDone: () => from - range.from,
    blocksTotal,
  }
}

/** Sweeps beside each other; more would only make a public node refuse. */
const besideMax = 3

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
