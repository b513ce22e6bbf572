import { expect, test } from 'vitest'
import { chunk } from './chunk.ts'

test('chunk keeps the order and fills every chunk but the last', () => {
  expect(chunk([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(chunk([], 2)).toEqual([])
})
