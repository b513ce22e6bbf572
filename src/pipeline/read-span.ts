import type { ChainLog } from '../domain/chain/chain-log.ts'
import { createRangeSize } from '../domain/chain/range-size.ts'
import { type Outcome, success } from '../domain/outcome.ts'
import type { BlockNumber } from '../domain/units.ts'
import type { BlockRange, RpcFault } from '../ports/chain.ts'

/** A span of blocks that may hold more logs than a node answers at once. */
export type SpanRead<Answer extends { readonly logs: readonly ChainLog[] }> = {
  readonly span: BlockRange
  readonly blocksFirst: number
  readonly read: (range: BlockRange) => Promise<Outcome<Answer, RpcFault>>
  /** Takes the answers in chain order; `false` ends the reading after this one. */
  readonly take: (answer: Answer) => boolean
}

/** Reads a span in ranges that suit the node; answers the last block that was read. */
export const readSpan = async <Answer extends { readonly logs: readonly ChainLog[] }>({
  span,
  blocksFirst,
  read,
  take,
}: SpanRead<Answer>): Promise<Outcome<BlockNumber, RpcFault>> => {
  let { from } = span
  const size = createRangeSize(blocksFirst)
  while (from <= span.to) {
    const to = Math.min(span.to, from + size.blocks() - 1)
    const blocks = to - from + 1
    const answer = await read({ from, to })
    if (answer.ok) {
      size.answered(blocks, answer.value.logs.length)
      from = to + 1
      if (!take(answer.value)) break
    } else if (answer.fault.kind === 'range-too-large' && blocks > 1) {
      size.refused(blocks, answer.fault.suggestedBlocks)
    } else return answer
  }
  return success(from - 1)
}
