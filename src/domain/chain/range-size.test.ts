import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRangeSize, rangeBlocksFirst } from './range-size.ts'

const afterAnswer = (blocks: number, logs: number): number => {
  const size = createRangeSize(blocks)
  size.recordResponse(blocks, logs)
  return size.blocks()
}

const afterRefusal = (blocks: number, suggested: number | null): number => {
  const size = createRangeSize(blocks)
  size.recordRejection(blocks, suggested)
  return size.blocks()
}

describe('the size of the next range', () => {
  it.each([
    ['doubles after an empty answer', 2000, 0, 4000],
    ['doubles after a sparse answer', 2000, 10, 4000],
    ['grows as far as 5,000 logs would fit', 2000, 3000, 3333],
    ['stays at what brought 5,000 logs', 2000, 5000, 2000],
    ['shrinks after more', 2000, 20_000, 500],
    ['is never less than a block', 1, 1_000_000, 1],
    ['is never more than a million blocks', 900_000, 0, 1_000_000],
  ])('%s', (_, blocks, logs, next) => {
    expect(afterAnswer(blocks, logs)).toBe(next)
  })

  it.each([
    ['is half of what was refused', 2000, null, 1000],
    ['is what the node says it would answer', 2000, 800, 800],
    ['is half where the node says no less than it refused', 2000, 2000, 1000],
    ['is half where the node says more', 2000, 10_000, 1000],
    ['is at least one block, whatever the node says', 2000, 0, 1],
    ['is at least one block, whatever was refused', 1, null, 1],
  ])('%s', (_, blocks, suggested, next) => {
    expect(afterRefusal(blocks, suggested)).toBe(next)
  })

  it('begins with the guess', () => {
    expect(createRangeSize(rangeBlocksFirst).blocks()).toBe(rangeBlocksFirst)
    expect(createRangeSize(0).blocks()).toBe(1)
  })

  //   asked   1000  300 300 300 ... 300  600  300 300 ...
  //            no    y   y   y  (32)  y   no   y   y
  it('tries a node that has a limit rarely with more', () => {
    const size = createRangeSize(1000)
    const refusals = Array.from({ length: 200 }, () => {
      const blocks = size.blocks()
      if (blocks <= 300) size.recordResponse(blocks, 1)
      else size.recordRejection(blocks, 300)
      return blocks > 300
    }).filter(Boolean)
    expect(refusals).toHaveLength(7)
    expect(size.blocks()).toBe(300)
  })

  it('is not made smaller by the short range before the head, unless that is dense', () => {
    const size = createRangeSize(2000)
    size.recordResponse(10, 3)
    expect(size.blocks()).toBe(2000)
    size.recordResponse(10, 100)
    expect(size.blocks()).toBe(500)
  })

  //   asked ahead   [2000][2000][2000]
  //   answered       10,000 logs: 1000 would do; the second is refused, half of it too many by now
  it('is not made larger by the refusal of a range that was asked for long ago', () => {
    const size = createRangeSize(2000)
    size.recordResponse(2000, 40_000)
    size.recordRejection(2000, null)
    expect(size.blocks()).toBe(250)
  })

  it('is proven by an answer, until a refusal', () => {
    const size = createRangeSize(2000)
    const proven = [size.isProven()]
    size.recordResponse(2000, 1)
    proven.push(size.isProven())
    size.recordRejection(4000, null)
    proven.push(size.isProven())
    expect(proven).toEqual([false, true, false])
  })

  it('grows back once a dense stretch is over', () => {
    const size = createRangeSize(1000)
    size.recordRejection(1000, null)
    for (let answer = 0; answer < 400; answer++) size.recordResponse(size.blocks(), 0)
    expect(size.blocks()).toBeGreaterThan(100_000)
  })

  it('comes down to one block within a bounded number of refusals', () => {
    const anySuggestion = fc.option(fc.integer({ min: -5, max: 2_000_000 }))
    fc.assert(
      fc.property(fc.array(anySuggestion, { minLength: 20, maxLength: 20 }), (suggestions) => {
        const size = createRangeSize(1_000_000)
        for (const suggested of suggestions) size.recordRejection(size.blocks(), suggested)
        expect(size.blocks()).toBe(1)
      }),
    )
  })
})
