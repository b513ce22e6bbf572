import { expect, test } from 'vitest'
import { createRoundRobin } from './round-robin.ts'

test('selects a few items at a time, every item in turn', () => {
  const select = createRoundRobin()
  const symbols = ['A', 'B', 'C']
  expect(select(symbols, 2)).toEqual(['A', 'B'])
  expect(select(symbols, 2)).toEqual(['C', 'A'])
  expect(select(symbols, 1)).toEqual(['B'])
  expect(select(symbols, 0)).toEqual([])
  expect(select(symbols, 2)).toEqual(['C', 'A'])
})

test('selects no more than there are', () => {
  expect(createRoundRobin()(['A'], 2)).toEqual(['A'])
  expect(createRoundRobin()([], 2)).toEqual([])
})
