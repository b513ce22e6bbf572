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

/** Called with the fault for which a scan falls back to a single endpoint. */
export type OnSingleEndpoint = (fault: RpcFault) => void

/** Warns at the first fallback only. */
export const createSingleEndpointWarning = (logger: Logger): OnSingleEndpoint => {
  let isLogged = false
  return ({ detail }) => {
    if (isLogged) return
    isLogged = true
    const reason = 'the ranges that another endpoint answers are too small for so long a chain'
    logger.warn('Backfill is not cross-checked: one endpoint supports only small ranges', {
      reason,
      detail,
    })
  }
}

/** Blocks of the next request if a range is rejected with this suggestion. */
export type NextRangeBlocks = (suggested: BlockNumber | null) => number

export type CrossCheck = (
  range: BlockRange,
  filter: LogFilter,
  nextRangeBlocks: NextRangeBlocks,
) => Promise<Outcome<BlockRangeLogs, RpcFault>>

/**
 * Historical ranges are not checked again later, so two endpoints read each one where there are
 * two. One endpoint reads alone if both support only ranges of fewer than `blocksMin` blocks and it
 * supports more: otherwise the scan would take hours or days.
 */
export const createCrossCheckWithFallback = (deps: {
  readonly chain: ChainReader
  readonly times: boolean
  readonly blocksMin: () => number
  readonly onSingleEndpoint: OnSingleEndpoint
}): CrossCheck => {
  const { chain, times, blocksMin, onSingleEndpoint } = deps
  let isSingle = false
  return async (range, filter, nextRangeBlocks) => {
    if (isSingle) return chain.readRange(range, filter, { times })
    const checked = await chain.readRangeCrossChecked(range, filter, { times })
    if (checked.ok || checked.fault.kind !== 'range-too-large') return checked
    if (nextRangeBlocks(checked.fault.suggestedBlocks) >= blocksMin()) return checked
    const single = await chain.readRange(range, filter, { times })
    if (single.ok) {
      isSingle = true
      onSingleEndpoint(checked.fault)
    }
    return single
  }
}
