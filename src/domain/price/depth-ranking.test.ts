import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDepthRanking } from './depth-ranking.ts'

const rankingOf = (...sets: readonly (readonly [number: number, depth: number])[]) => {
  const ranking = createDepthRanking()
  for (const [number, depth] of sets) ranking.set(number, depth)
  return ranking.best()?.number ?? null
}

it.each([
  ['none', [], null],
  ['none without depth', [[1, 0]], null],
  [
    'the deepest',
    [
      [1, 5],
      [2, 9],
      [3, 7],
    ],
    2,
  ],
  [
    'the first of equals',
    [
      [2, 5],
      [1, 5],
      [3, 5],
    ],
    1,
  ],
  [
    'the next, once the deepest has fallen behind',
    [
      [1, 5],
      [2, 9],
      [2, 4],
    ],
    1,
  ],
  [
    'the deepest still, while it only comes close',
    [
      [1, 5],
      [2, 9],
      [2, 6],
    ],
    2,
  ],
  [
    'the next, once the deepest is gone',
    [
      [1, 5],
      [2, 9],
      [2, 0],
    ],
    1,
  ],
  [
    'none, once all are gone',
    [
      [1, 5],
      [2, 9],
      [2, 0],
      [1, 0],
    ],
    null,
  ],
  [
    'one that came back',
    [
      [1, 5],
      [1, 0],
      [1, 5],
    ],
    1,
  ],
] as const)('best is %s', (_, sets, number) => {
  expect(rankingOf(...sets)).toBe(number)
})

it('best is always the deepest, of equals the first', () => {
  const anySet = fc.tuple(fc.nat(6), fc.nat(5))
  fc.assert(
    fc.property(fc.array(anySet), (sets) => {
      const depths = new Map(sets)
      const deepest = [...depths]
        .filter(([, depth]) => depth > 0)
        .sort(([a, deepA], [b, deepB]) => deepB - deepA || a - b)[0]
      expect(rankingOf(...sets)).toBe(deepest?.[0] ?? null)
    }),
  )
})
