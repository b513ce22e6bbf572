import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sortPlaces } from './merge-sort.ts'

/*   keys  [ 2.5, -1, 2.5 ]   places in order of key, then of place  [ 1, 0, 2 ]   */

const sorted = (keys: readonly number[]) => {
  const compare = (a: number, b: number) => (keys[a] as number) - (keys[b] as number) || a - b
  const steps = sortPlaces(keys.length, compare)
  for (let slices = 1; ; slices++) {
    const step = steps.next()
    if (step.done) return { places: [...step.value], slices }
  }
}

const plainly = (keys: readonly number[]) =>
  [...keys.keys()].sort((a, b) => (keys[a] as number) - (keys[b] as number) || a - b)

test('places stand as a plain sort puts them', () => {
  const key = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, max: 1e9 }))
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), (keys) => {
      expect(sorted(keys).places).toEqual(plainly(keys))
    }),
  )
})

test('few are sorted at once, many in slices', () => {
  const keysOf = (count: number) => Array.from({ length: count }, (_, at) => (at * 7919) % 10_007)
  expect(sorted(keysOf(2000)).slices).toBe(1)
  const many = keysOf(20_000)
  expect(sorted(many)).toEqual({ places: plainly(many), slices: 10 })
})
