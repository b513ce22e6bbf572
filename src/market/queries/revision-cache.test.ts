import { expect, test } from 'vitest'
import { createRevisionCache } from './revision-cache.ts'

test('an answer is made once per name, until the stamp changes', async () => {
  const memo = createRevisionCache<number>(2)
  let made = 0
  const get = (name: string, stamp: string) => memo.get(name, stamp, async () => ++made)
  expect([await get('a', '1'), await get('a', '1'), await get('b', '1')]).toEqual([1, 1, 2])
  expect([await get('a', '2'), await get('a', '1')]).toEqual([3, 4])
})

test('the oldest name makes room', async () => {
  const memo = createRevisionCache<number>(2)
  let made = 0
  const get = (name: string) => memo.get(name, '', async () => ++made)
  for (const name of ['a', 'b', 'c']) await get(name)
  expect([await get('c'), await get('b'), await get('a')]).toEqual([3, 2, 4])
})

test('a failure is told to those who wait for it, and not remembered', async () => {
  const memo = createRevisionCache<number>(2)
  const fail = () => memo.get('a', '', () => Promise.reject(new Error('gone')))
  await expect(Promise.all([fail(), fail()])).rejects.toThrow('gone')
  expect(await memo.get('a', '', async () => 5)).toBe(5)
})
