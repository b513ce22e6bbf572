import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { createRangeSize, rangeBlocksFirst } from '../../domain/chain/range-size.ts'
import type { BlockNumber, Hash } from '../../domain/units.ts'
import type { BlockRange, BlockRangeLogs, ChainReader, RpcFault } from '../../ports/chain-reader.ts'
import { createReadAhead } from './read-ahead.ts'

/** What came of the range after the indexed block. */
export type NextRangeResult =
  /** It continues the indexed block. */
  | { readonly kind: 'read'; readonly range: BlockRangeLogs }
  /** It continues another block of that height: ours was replaced, or the node is mistaken. */
  | { readonly kind: 'other-branch' }
  /** It was too large for the node: a smaller one comes next. */
  | { readonly kind: 'too-large' }
  | { readonly kind: 'fault'; readonly fault: RpcFault }

export type RangeReader = {
  /** The range after the indexed block, up to `last` at most; a failure drops those behind it. */
  readonly next: (
    indexed: BlockRef | null,
    course: { readonly next: BlockNumber; readonly last: BlockNumber },
  ) => Promise<NextRangeResult>
  /** What is on the wire is no longer wanted. */
  readonly drop: () => void
}

/**
 * Ranges on the wire or waiting to be taken in: memory is bounded by this times the byte cap of one
 * answer. One is taken in while two travel, which hides the latency of a node as fast as we are.
 */
const rangesMax = 3

/**
 * Reads what follows the indexed block, several ranges ahead:
 *
 *     indexed   taken in    on the wire   on the wire
 *     .. ab --- bc ... cd --- de ... ef --- fg ... gh
 *            ^           ^
 *            parent      the parent of the next must be this range's last
 *
 * Ranges may come from nodes that stand on different branches: only hashes that chain prove that
 * one range continues another (methodology §7), and each is held against what was taken in before.
 */
export const createRangeReader = (deps: {
  readonly chain: ChainReader
  readonly topics: readonly Hash[]
}): RangeReader => {
  const { chain, topics } = deps
  const size = createRangeSize(rangeBlocksFirst)
  const read = (range: BlockRange) => chain.readRange(range, { topics: [topics] })
  const ahead = createReadAhead(read, rangesMax)

  const refused = (fault: RpcFault, { from, to }: BlockRange): NextRangeResult => {
    const blocks = to - from + 1
    // One block can not be cut: then it is a fault like any other.
    if (fault.kind !== 'range-too-large' || blocks === 1) return { kind: 'fault', fault }
    size.recordRejection(blocks, fault.suggestedBlocks)
    return { kind: 'too-large' }
  }

  const next: RangeReader['next'] = async (indexed, course) => {
    // A size that no answer has proven is tried alone: the others would be refused with it.
    const rangesAtOnce = size.isProven() ? rangesMax : 1
    const taken = await ahead.take({ ...course, direction: 'up' }, size.blocks(), rangesAtOnce)
    if (taken === null) throw new RangeError(`no block after ${course.last} is to be read`)
    const { range, answer } = taken
    if (!answer.ok) return refused(answer.fault, range)
    if (indexed !== null && answer.value.parentHash !== indexed.hash)
      return { kind: 'other-branch' }
    size.recordResponse(range.to - range.from + 1, answer.value.logs.length)
    return { kind: 'read', range: answer.value }
  }

  return {
    next: async (indexed, course) => {
      const outcome = await next(indexed, course)
      if (outcome.kind !== 'read') ahead.drop()
      return outcome
    },
    drop: ahead.drop,
  }
}
