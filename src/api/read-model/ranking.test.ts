import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRanking } from './ranking.ts'

/* A ranking is a sorted array, however it came about: here of numbers, none of them twice. */

const compare = (a: number, b: number): number => a - b

const anyStep = fc.record({
  number: fc.nat(3000),
  /** Many neighbours at once fill a piece, or empty one. */
  run: fc.oneof(fc.constant(1), fc.nat(900)),
  isAdded: fc.boolean(),
})

test('rows that come and go leave what sorting them all would give', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.array(anyStep, { maxLength: 12 }), (count, steps) => {
      const held = new Set(Array.from({ length: count }, (_, at) => at * 2))
      const ranking = createRanking([...held], compare)
      for (const { number, run, isAdded } of steps) {
        for (let each = number; each < number + run; each++) {
          if (held.has(each) === isAdded) continue
          if (isAdded) held.add(each)
          else held.delete(each)
          if (isAdded) ranking.insert(each)
          else ranking.remove(each)
        }
        const sorted = [...held].sort(compare)
        expect(ranking.size()).toBe(sorted.length)
        expect(ranking.pieces().flat()).toEqual(sorted)
        for (const start of [0, 1, 255, 256, 700, sorted.length - 1, sorted.length, 5000]) {
          const from = Math.max(0, start)
          expect(ranking.slice(from, from + 300)).toEqual(sorted.slice(from, from + 300))
        }
      }
    }),
  )
})

test('what is not there can not be removed', () => {
  expect(() => createRanking([1, 3], compare).remove(2)).toThrow()
  expect(() => createRanking([1, 3], compare).remove(4)).toThrow()
  expect(() => createRanking<number>([], compare).remove(1)).toThrow()
})
