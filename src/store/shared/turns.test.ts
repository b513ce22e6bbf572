import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('work is done one after the other, in the order of asking, whatever fails', async () => {
  const turns = createTurns()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await Promise.resolve()
    seen.push(`${name} ends`)
    if (name === 'b') throw new Error('b failed')
    return name
  }
  const asked = ['a', 'b', 'c'].map((name) => turns(work(name)))
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: 'a' },
    { reason: new Error('b failed') },
    { value: 'c' },
  ])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('too many that wait are turned away, and room is made again', async () => {
  const turns = createTurns()
  const waiting = Array.from({ length: 10_000 }, () => turns(() => 1))
  await expect(turns(() => 1)).rejects.toThrow('10000')
  await Promise.all(waiting)
  expect(await turns(() => 2)).toBe(2)
})
