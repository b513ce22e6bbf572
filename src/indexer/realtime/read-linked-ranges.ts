import type { BlockRef } from '../../domain/chain/block-ref.ts'
import { createRangeSize } from '../../domain/chain/range-size.ts'
import { failure, type Outcome, success } from '../../domain/outcome.ts'
import type { Hash } from '../../domain/units.ts'
import type { BlockRange, BlockRangeLogs, RpcFault } from '../../ports/chain-reader.ts'

/** A span of blocks that may hold more logs than a node answers at once. */
export type LinkedRead<Answer extends BlockRangeLogs> = {
  readonly span: BlockRange
  /** The hash of the block before the span, where that matters. */
  readonly after?: Hash
  readonly blocksFirst: number
  readonly read: (range: BlockRange) => Promise<Outcome<Answer, RpcFault>>
  /** Takes the answers in chain order; `false` ends the reading after this one. */
  readonly take: (answer: Answer) => boolean
}

/**
 * Reads a span in ranges that suit the node, each of which must continue the one before: then all
 * are of one branch. Answers the last block that was read; null for an empty span.
 */
export const readLinkedRanges = async <Answer extends BlockRangeLogs>({
  span,
  after,
  blocksFirst,
  read,
  take,
}: LinkedRead<Answer>): Promise<Outcome<BlockRef | null, RpcFault>> => {
  let { from } = span
  let last: BlockRef | null = null
  const size = createRangeSize(blocksFirst)
  while (from <= span.to) {
    const to = Math.min(span.to, from + size.blocks() - 1)
    const blocks = to - from + 1
    const answer = await read({ from, to })
    if (answer.ok) {
      const before: Hash | undefined = last?.hash ?? after
      if (before !== undefined && answer.value.parentHash !== before) {
        const detail = `the chain changed at block ${from} while it was read`
        return failure({ kind: 'behind', detail })
      }
      last = answer.value.last
      size.recordResponse(blocks, answer.value.logs.length)
      from = to + 1
      if (!take(answer.value)) break
    } else if (answer.fault.kind === 'range-too-large' && blocks > 1) {
      size.recordRejection(blocks, answer.fault.suggestedBlocks)
    } else return answer
  }
  return success(last)
}
