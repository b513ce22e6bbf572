import { type Course, planAhead } from '../domain/chain/read-ahead.ts'
import type { BlockRange } from '../ports/chain.ts'

export type ReadAhead<Answer> = {
  /**
   * The answer to the course's first range, those after it being under way meanwhile. Asked again
   * with the same course, it is read anew.
   */
  readonly take: (
    course: Course,
    blocks: number,
  ) => Promise<{ readonly range: BlockRange; readonly answer: Answer } | null>
  /** Forgets what is under way: the ranges were not the right ones. */
  readonly drop: () => void
}

/** Reads ranges side by side and hands them out in order, so that a node's latency is paid once. */
export const createReadAhead = <Answer>(
  read: (range: BlockRange) => Promise<Answer>,
  rangesMax: number,
): ReadAhead<Answer> => {
  let underWay: { readonly range: BlockRange; readonly answer: Promise<Answer> }[] = []

  const ask = (range: BlockRange) => {
    const answer = read(range)
    // Whoever takes it hears of it; dropped ones concern nobody.
    answer.catch(() => {})
    return { range, answer }
  }

  return {
    take: async (course, blocks) => {
      const asked = underWay.map(({ range }) => range)
      const plan = planAhead(asked, course, { blocks, rangesMax })
      underWay = plan.map((range) => underWay.find((each) => each.range === range) ?? ask(range))
      const first = underWay.shift()
      return first === undefined ? null : { range: first.range, answer: await first.answer }
    },
    drop: () => {
      underWay = []
    },
  }
}
