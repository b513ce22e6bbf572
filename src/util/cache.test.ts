import { expect, test } from 'vitest'
import { createRevisionCache } from './cache.ts'

test('computes a result once per key, until the stamp changes', async () => {
  const cache = createRevisionCache<number>(2)
  let made = 0
  const get = (key: string, stamp: string) => cache.get(key, stamp, async () => ++made)
  expect([await get('a', '1'), await get('a', '1'), await get('b', '1')]).toEqual([1, 1, 2])
  expect([await get('a', '2'), await get('a', '1')]).toEqual([3, 4])
})

test('evicts the oldest entry', async () => {
  const cache = createRevisionCache<number>(2)
  let made = 0
  const get = (key: string) => cache.get(key, '', async () => ++made)
  for (const key of ['a', 'b', 'c']) await get(key)
  expect([await get('c'), await get('b'), await get('a')]).toEqual([3, 2, 4])
})

test('rejects all waiting calls and does not cache the error', async () => {
  const cache = createRevisionCache<number>(2)
  const fail = () => cache.get('a', '', () => Promise.reject(new Error('gone')))
  await expect(Promise.all([fail(), fail()])).rejects.toThrow('gone')
  expect(await cache.get('a', '', async () => 5)).toBe(5)
})
