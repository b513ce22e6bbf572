import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { createRangeSize } from '../../domain/chain/range-size.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Hash } from '../../domain/units.ts'
import type { BlockRange, BlockRangeLogs, RpcFault } from '../../ports/chain-reader.ts'

/**
 * Reads blocks in ranges of a size that the endpoint accepts. Each range must link to the one
 * before, so that all are of one branch. Returns the last block read; null for an empty range.
 */
export const readLinkedRanges = async <Answer extends BlockRangeLogs>({
  range,
  parentHash,
  blocksFirst,
  read,
  onRange,
}: {
  readonly range: BlockRange
  /** The hash that the parent of the first block must have, if it is known. */
  readonly parentHash?: Hash
  /** Size of the first request. */
  readonly blocksFirst: number
  readonly read: (range: BlockRange) => Promise<Outcome<Answer, RpcFault>>
  /** Called in chain order; `false` stops after this range. */
  readonly onRange: (answer: Answer) => boolean
}): Promise<Outcome<BlockRef | null, RpcFault>> => {
  let { from } = range
  let last: BlockRef | null = null
  const size = createRangeSize(blocksFirst)
  while (from <= range.to) {
    const to = Math.min(range.to, from + size.blocks() - 1)
    const blocks = to - from + 1
    const answer = await read({ from, to })
    if (answer.ok) {
      const expectedParent: Hash | undefined = last?.hash ?? parentHash
      if (expectedParent !== undefined && answer.value.parentHash !== expectedParent) {
        const detail = `the chain changed at block ${from} while it was read`
        return failure({ kind: 'behind', detail })
      }
      last = answer.value.last
      size.recordResponse(blocks, answer.value.logs.length)
      from = to + 1
      if (!onRange(answer.value)) break
    } else if (answer.fault.kind === 'range-too-large' && blocks > 1) {
      size.recordRejection(blocks, answer.fault.suggestedBlocks)
    } else return answer
  }
  return success(last)
}
