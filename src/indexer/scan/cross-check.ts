import type { Outcome } from '../../domain/outcome.ts'
import type { BlockNumber } from '../../domain/units.ts'
import type {
  BlockRange,
  BlockRangeLogs,
  ChainReader,
  LogFilter,
  RpcFault,
} from '../../ports/chain-reader.ts'
import type { Logger } from '../../ports/runtime.ts'

/** Ranges that two endpoints answer are so small that one is asked alone. */
export type OnSingleEndpoint = (fault: RpcFault) => void

/** Says once how the past is told. */
export const createSingleEndpointWarning = (logger: Logger): OnSingleEndpoint => {
  let isTold = false
  return ({ detail }) => {
    if (isTold) return
    isTold = true
    const reason = 'the ranges that another one answers are too small for so long a chain'
    logger.warn('The past is told by one endpoint alone', { reason, detail })
  }
}

/** How many blocks would be asked for next if a range is refused with this suggestion. */
export type BlocksNext = (suggested: BlockNumber | null) => number

export type CrossCheck = (
  range: BlockRange,
  filter: LogFilter,
  blocksNext: BlocksNext,
) => Promise<Outcome<BlockRangeLogs, RpcFault>>

/**
 * Nothing holds the past against the chain again, so two endpoints are to tell it where there are
 * two, in ranges that both answer. But if those had less than `blocksMin` blocks and one endpoint
 * alone answers more, its word has to do: the past would take hours, or days.
 */
export const createCrossCheckWithFallback = (given: {
  readonly chain: ChainReader
  readonly times: boolean
  readonly blocksMin: () => number
  readonly onAlone: OnSingleEndpoint
}): CrossCheck => {
  const { chain, times, blocksMin, onAlone } = given
  let isAlone = false
  return async (range, filter, blocksNext) => {
    if (isAlone) return chain.readRange(range, filter, { times })
    const told = await chain.readRangeCrossChecked(range, filter, { times })
    if (told.ok || told.fault.kind !== 'range-too-large') return told
    if (blocksNext(told.fault.suggestedBlocks) >= blocksMin()) return told
    const alone = await chain.readRange(range, filter, { times })
    if (alone.ok) {
      isAlone = true
      onAlone(told.fault)
    }
    return alone
  }
}
