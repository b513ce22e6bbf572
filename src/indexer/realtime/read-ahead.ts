import { planReadAhead, type ScanWindow } from '../../domain/chain/read-ahead-plan.ts'
import type { BlockRange } from '../../ports/chain-reader.ts'

export type ReadAhead<Answer> = {
  /**
   * The answer to the course's first range, those after it being under way meanwhile. Asked again
   * with the same course, it is read anew. `rangesAtOnce` keeps it to fewer for now.
   */
  readonly take: (
    course: ScanWindow,
    blocks: number,
    rangesAtOnce?: number,
  ) => Promise<{ readonly range: BlockRange; readonly answer: Answer } | null>
  /** Forgets what is under way: the ranges were not the right ones. */
  readonly drop: () => void
}

/**
 * Reads ranges side by side and hands them out in order, so that a node's latency is paid once.
 * What is dropped can not be called back, but counts until it ends: never more than `rangesMax`
 * answers are on the wire or waiting to be taken.
 */
export const createReadAhead = <Answer>(
  read: (range: BlockRange) => Promise<Answer>,
  rangesMax: number,
): ReadAhead<Answer> => {
  type Asked = { readonly range: BlockRange; readonly answer: Promise<Answer> }
  let underWay: readonly Asked[] = []
  const unanswered = new Set<Asked>()

  const ask = (range: BlockRange): Asked => {
    const asked = { range, answer: read(range) }
    unanswered.add(asked)
    const end = () => unanswered.delete(asked)
    // Whoever takes it hears of a failure; dropped ones concern nobody.
    asked.answer.then(end, end)
    return asked
  }

  return {
    take: async (course, blocks, rangesAtOnce = rangesMax) => {
      const spans = underWay.map(({ range }) => range)
      const plan = planReadAhead(spans, course, { blocks, rangesMax: rangesAtOnce })
      const kept = underWay.filter(({ range }) => plan.includes(range))
      const dropped = [...unanswered].filter((asked) => !kept.includes(asked)).length
      const room = Math.max(1, rangesMax - dropped)
      const planned = plan.slice(0, Math.max(kept.length, room))
      const [first, ...rest] = planned.map((range, at) => kept[at] ?? ask(range))
      underWay = rest
      return first === undefined ? null : { range: first.range, answer: await first.answer }
    },
    drop: () => {
      underWay = []
    },
  }
}
