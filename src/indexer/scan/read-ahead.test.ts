import { describe, expect, test } from 'vitest'
import type { BlockRange } from '../../ports/chain-reader.ts'
import { createReadAhead } from './read-ahead.ts'

const up = (next: number) => ({ direction: 'up', next, last: 1000 }) as const
const nameOf = ({ from, to }: BlockRange): string => `${from}-${to}`

/** A reader whose responses resolve by hand. */
const createSlowReader = (rangesMax: number) => {
  const asked: string[] = []
  const open = new Map<string, (isFailure?: boolean) => void>()
  const read = (range: BlockRange): Promise<string> =>
    new Promise((resolve, reject) => {
      const name = nameOf(range)
      asked.push(name)
      open.set(name, (isFailure = false) => {
        open.delete(name)
        if (isFailure) reject(new Error(name))
        else resolve(name)
      })
    })
  const ahead = createReadAhead(read, rangesMax)
  const answer = async (name: string, isFailure = false): Promise<void> => {
    open.get(name)?.(isFailure)
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { ...ahead, asked, open, answer }
}

describe('ranges read side by side', () => {
  test('are handed out in order, however they come', async () => {
    const reader = createSlowReader(3)
    const first = reader.take(up(0), 10)
    expect(reader.asked).toEqual(['0-9', '10-19', '20-29'])
    await reader.answer('20-29')
    await reader.answer('10-19')
    await reader.answer('0-9')
    expect(await first).toEqual({ range: { from: 0, to: 9 }, answer: '0-9' })
    expect((await reader.take(up(10), 10))?.answer).toBe('10-19')
    expect((await reader.take(up(20), 10))?.answer).toBe('20-29')
    expect(reader.asked).toEqual(['0-9', '10-19', '20-29', '30-39', '40-49'])
  })

  test('are fewer where fewer are wanted', async () => {
    const reader = createSlowReader(3)
    reader.take(up(0), 10, 1)
    expect(reader.asked).toEqual(['0-9'])
  })

  // Three may travel. Two are dropped and still do: there is room for one.
  test('count as long as they travel, also when they are no longer wanted', async () => {
    const reader = createSlowReader(3)
    const first = reader.take(up(0), 10)
    await reader.answer('0-9')
    await first
    reader.drop()
    const other = reader.take(up(100), 5)
    expect([...reader.open.keys()]).toEqual(['10-19', '20-29', '100-104'])
    await reader.answer('100-104')
    expect((await other)?.answer).toBe('100-104')
    await reader.answer('10-19')
    reader.take(up(105), 5)
    expect([...reader.open.keys()]).toEqual(['20-29', '105-109', '110-114'])
  })

  test('that fail reject for their caller, and are ignored once dropped', async () => {
    const reader = createSlowReader(3)
    const first = reader.take(up(0), 10)
    await reader.answer('10-19', true)
    await reader.answer('20-29', true)
    await reader.answer('0-9')
    expect((await first)?.answer).toBe('0-9')
    await expect(reader.take(up(10), 10)).rejects.toThrow('10-19')
    const again = reader.take(up(10), 10)
    await reader.answer('10-19')
    expect((await again)?.answer).toBe('10-19')
  })

  test('end with the course', async () => {
    const reader = createSlowReader(3)
    expect(await reader.take(up(1001), 10)).toBe(null)
    expect(reader.asked).toEqual([])
  })
})
