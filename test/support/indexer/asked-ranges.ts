import { expect } from 'vitest'

/** The block ranges among all that a node was asked. */
export const rangesOnly = (asked: readonly string[]): readonly string[] =>
  asked.filter((each) => /^\d/.test(each))

/** The ranges lead from the first block to the last without a hole or a block twice. */
export const expectGapless = (taken: readonly string[], last: number): void => {
  const ends = taken.map((range) => range.split('-').map(Number))
  const nexts = [1, ...ends.map(([, to = 0]) => to + 1)]
  expect(ends.map(([from]) => from)).toEqual(nexts.slice(0, -1))
  expect(nexts.at(-1)).toBe(last + 1)
}
