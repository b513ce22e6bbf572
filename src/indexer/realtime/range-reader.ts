import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { createRangeSize, rangeBlocksFirst } from '../../domain/chain/range-size.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { BlockRange, BlockRangeLogs, ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import { createReadAhead } from '../scan/read-ahead.ts'

export type NextRangeResult =
  /** The range continues the previous block. */
  | { readonly kind: 'read'; readonly range: BlockRangeLogs }
  /** The range has another parent: the previous block was replaced, or the endpoint is wrong. */
  | { readonly kind: 'other-branch' }
  /** The endpoint rejected the range as too large; the next call requests a smaller one. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'fault'; readonly fault: RpcFault }

export type RangeReader = {
  /** Reads the range after `previous`, up to `last` at most; a failure drops the read-ahead. */
  readonly next: (
    previous: BlockRef | null,
    window: { readonly next: BlockNumber; readonly last: BlockNumber },
  ) => Promise<NextRangeResult>
  /** Drops the read-ahead. */
  readonly drop: () => void
}

/**
 * Ranges requested or waiting to be ingested; memory is bounded by this times the size limit of a
 * response. Two requests in flight while one range is ingested hide the latency of the endpoint.
 */
const rangesMax = 3

/**
 * Reads the ranges after the cursor with read-ahead:
 *
 *     cursor    ingested    in flight     in flight
 *     .. ab --- bc ... cd --- de ... ef --- fg ... gh
 *            ^           ^
 *            parentHash of a range must be the hash of the previous block
 *
 * Ranges may come from endpoints on different branches. Only linked hashes prove that one range
 * continues another (methodology §7), so each is compared with the block ingested before it.
 */
export const createRangeReader = (deps: {
  readonly chain: ChainReader
  readonly topics: readonly Hash[]
}): RangeReader => {
  const { chain, topics } = deps
  const size = createRangeSize(rangeBlocksFirst)
  const read = (range: BlockRange) => chain.readRange(range, { topics: [topics] })
  const ahead = createReadAhead(read, rangesMax)

  const next: RangeReader['next'] = async (previous, window) => {
    // A size that no response has proven yet is tried alone: read-ahead would be rejected too.
    const rangesAtOnce = size.isProven() ? rangesMax : 1
    const taken = await ahead.take({ ...window, direction: 'up' }, size.blocks(), rangesAtOnce)
    if (taken === null) throw new RangeError(`there is no block to read after ${window.last}`)
    const { range, answer } = taken
    const blocks = range.to - range.from + 1
    if (!answer.ok) {
      const { fault } = answer
      if (fault.kind !== 'range-too-large' || blocks === 1) return { kind: 'fault', fault }
      size.recordRejection(blocks, fault.suggestedBlocks)
      return { kind: 'too-large' }
    }
    const { parentHash, logs } = answer.value
    if (previous !== null && parentHash !== previous.hash) return { kind: 'other-branch' }
    size.recordResponse(blocks, logs.length)
    return { kind: 'read', range: answer.value }
  }

  return {
    next: async (previous, window) => {
      const result = await next(previous, window)
      if (result.kind !== 'read') ahead.drop()
      return result
    },
    drop: ahead.drop,
  }
}
