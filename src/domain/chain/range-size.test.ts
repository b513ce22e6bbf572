import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rangeBlocksFirst, sizeAfterAnswer, sizeAfterRefusal } from './range-size.ts'

describe('the size of the next range', () => {
  it.each([
    ['doubles after an empty answer', 2000, 0, 4000],
    ['doubles after a sparse answer', 2000, 10, 4000],
    ['grows as far as 4,000 logs would fit', 2000, 3000, 2666],
    ['stays at what brought 4,000 logs', 2000, 4000, 2000],
    ['shrinks after more', 2000, 16_000, 500],
    ['is never less than a block', 1, 1_000_000, 1],
    ['is never more than a million blocks', 900_000, 0, 1_000_000],
  ])('%s', (_, blocks, logs, next) => {
    expect(sizeAfterAnswer(blocks, logs)).toBe(next)
  })

  it.each([
    ['is half of what was refused', 2000, null, 1000],
    ['is what the node says it would answer', 2000, 800, 800],
    ['is half where the node says no less than it refused', 2000, 2000, 1000],
    ['is half where the node says more', 2000, 10_000, 1000],
    ['is at least one block, whatever the node says', 2000, 0, 1],
    ['is at least one block, whatever was refused', 1, null, 1],
  ])('%s', (_, blocks, suggested, next) => {
    expect(sizeAfterRefusal(blocks, suggested)).toBe(next)
  })

  it('comes down to one block within a bounded number of refusals', () => {
    const anySuggestion = fc.option(fc.integer({ min: -5, max: 2_000_000 }))
    fc.assert(
      fc.property(fc.array(anySuggestion, { minLength: 20, maxLength: 20 }), (suggestions) => {
        const size = suggestions.reduce<number>(sizeAfterRefusal, 1_000_000)
        expect(size).toBe(1)
      }),
    )
  })

  it('begins with a guess between the bounds', () => {
    expect(sizeAfterAnswer(rangeBlocksFirst, 4000)).toBe(rangeBlocksFirst)
  })
})
