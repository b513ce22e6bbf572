import { expect, test } from 'vitest'
import { endAt, placeOf, reveal, spanOf } from './candle-view.ts'

const candles = [10, 20, 40, 50, 60].map((ts) => ({ ts }))

// end, count, the span
test.each([
  [null, 3, { first: 2, last: 4 }],
  [50, 2, { first: 2, last: 3 }],
  [45, 2, { first: 1, last: 2 }],
  // At the beginning the view stays full.
  [10, 3, { first: 0, last: 2 }],
  [5, 1, { first: 0, last: 0 }],
  // Fewer candles than fit are on the right.
  [null, 7, { first: -2, last: 4 }],
  [20, 7, { first: -2, last: 4 }],
] as const)('a view up to %s of %i candles', (end, count, span) => {
  expect(spanOf(candles, end, count)).toEqual(span)
})

test('candles before and behind a view do not move what it shows', () => {
  const end = endAt(candles, 3)
  const more = [{ ts: 1 }, { ts: 2 }, ...candles, { ts: 70 }]
  const { first, last } = spanOf(more, end, 2)
  expect(more.slice(first, last + 1)).toEqual([{ ts: 40 }, { ts: 50 }])
})

test('a view that ends at the newest candle follows it', () => {
  expect(endAt(candles, 4)).toBeNull()
  expect(spanOf([...candles, { ts: 70 }], endAt(candles, 9), 2)).toEqual({ first: 4, last: 5 })
})

test('a candle out of sight is brought to the nearer edge', () => {
  const span = { first: 2, last: 3 }
  expect(reveal(candles, span, 0)).toBe(20)
  expect(reveal(candles, span, 2)).toBe(50)
  expect(reveal(candles, span, 4)).toBeNull()
})

test('a time between candles is that of the one before', () => {
  expect([5, 10, 39, 99].map((ts) => placeOf(candles, ts))).toEqual([0, 0, 1, 4])
})
