import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countRows, editList, sliceList, toSortedList } from './sorted-list.ts'

/* A list is a sorted array, however it came about: here of numbers, none of them twice. */

const compare = (a: number, b: number): number => a - b

const anyStep = fc.record({
  number: fc.nat(3000),
  /** Many neighbours at once fill a piece, or empty one. */
  run: fc.oneof(fc.constant(1), fc.nat(900)),
  isAdded: fc.boolean(),
})

test('stays equal to a sorted array through insertions and removals', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.array(anyStep, { maxLength: 12 }), (count, steps) => {
      const held = new Set(Array.from({ length: count }, (_, at) => at * 2))
      let list = toSortedList([...held])
      for (const { number, run, isAdded } of steps) {
        const before = list.flat()
        const old = list
        const builder = editList(list, compare)
        for (let each = number; each < number + run; each++) {
          if (held.has(each) === isAdded) continue
          if (isAdded) held.add(each)
          else held.delete(each)
          if (isAdded) builder.insert(each)
          else builder.remove(each)
        }
        list = builder.finish()
        const sorted = [...held].sort(compare)
        expect(countRows(list)).toBe(sorted.length)
        expect(list.flat()).toEqual(sorted)
        expect(old.flat()).toEqual(before)
        for (const start of [0, 1, 255, 256, 700, sorted.length - 1, sorted.length, 5000]) {
          const from = Math.max(0, start)
          expect(sliceList(list, from, from + 300)).toEqual(sorted.slice(from, from + 300))
        }
      }
    }),
  )
})

test('throws when a removed row is not in the list', () => {
  expect(() => editList([[1, 3]], compare).remove(2)).toThrow()
  expect(() => editList([[1, 3]], compare).remove(4)).toThrow()
  expect(() => editList<number>([], compare).remove(1)).toThrow()
})
