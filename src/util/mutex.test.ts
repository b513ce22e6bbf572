import { expect, test } from 'vitest'
import { createMutex } from './mutex.ts'

test('runs tasks one at a time, in call order, even after errors', async () => {
  const mutex = createMutex()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const asked = ['a', 'b', 'c'].map((name) => mutex(work(name)))
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: 'a' },
    { reason: new Error('b failed') },
    { value: 'c' },
  ])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('rejects tasks above the limit until others finish', async () => {
  const mutex = createMutex({ waitingMax: 10_000 })
  const waiting = Array.from({ length: 10_000 }, () => mutex(() => 1))
  await expect(mutex(() => 1)).rejects.toThrow('10000')
  await Promise.all(waiting)
  expect(await mutex(() => 2)).toBe(2)
})
