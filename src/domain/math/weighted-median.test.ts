import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { weightedMedian } from './weighted-median.ts'

const median = (...samples: (readonly [value: number, weight: number])[]) =>
  weightedMedian(samples.map(([value, weight]) => ({ value, weight })))

describe('the weighted median', () => {
  it.each([
    ['of nothing', [], null],
    ['of samples without weight', [[5, 0]], null],
    ['of one', [[5, 0.1]], 5],
    [
      'of one that outweighs the others',
      [
        [9, 3],
        [1, 1],
        [2, 1],
      ],
      9,
    ],
    [
      'of equal weights, the middle',
      [
        [3, 1],
        [1, 1],
        [2, 1],
      ],
      2,
    ],
    [
      'of an even number, the lower of the two middles',
      [
        [4, 1],
        [1, 1],
        [2, 1],
        [3, 1],
      ],
      2,
    ],
    [
      'where the half falls on an edge, the value before it',
      [
        [1, 2],
        [2, 1],
        [3, 1],
      ],
      1,
    ],
    [
      'of values of which one has no weight',
      [
        [1, 1],
        [1e9, 0],
        [2, 2],
      ],
      2,
    ],
    [
      'of values that repeat',
      [
        [2, 1],
        [1, 1],
        [2, 1],
        [9, 1],
      ],
      2,
    ],
  ] as const)('%s', (_, samples, value) => {
    expect(median(...samples)).toBe(value)
  })

  it('is not moved by a sample that weighs less than half, however wild it is', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 99 }), (wild, weight) => {
        expect(median([200, 100], [wild, weight])).toBe(200)
      }),
    )
  })

  it('has at least half of the weight on either side, itself included', () => {
    const anySample = fc.record({
      value: fc.integer({ min: -50, max: 50 }),
      weight: fc.nat({ max: 20 }),
    })
    fc.assert(
      fc.property(fc.array(anySample), (samples) => {
        const value = weightedMedian(samples)
        const weigh = (some: typeof samples) => some.reduce((sum, each) => sum + each.weight, 0)
        const total = weigh(samples)
        expect(value === null).toBe(total === 0)
        if (value === null) return
        const below = weigh(samples.filter((each) => each.value <= value))
        const above = weigh(samples.filter((each) => each.value >= value))
        expect(below * 2).toBeGreaterThanOrEqual(total)
        expect(above * 2).toBeGreaterThanOrEqual(total)
      }),
    )
  })
})
