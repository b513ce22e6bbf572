import { expect, it } from 'vitest'
import { createLruCache } from './block-times.ts'

it('keeps what was used last, and no more than allowed', () => {
  const recent = createLruCache<string, number>(2)
  recent.set('a', 1)
  recent.set('b', 2)
  expect(recent.get('a')).toBe(1)
  recent.set('c', 3)
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([1, undefined, 3])
  recent.set('c', 4)
  expect([recent.get('c'), recent.size()]).toEqual([4, 2])
})
