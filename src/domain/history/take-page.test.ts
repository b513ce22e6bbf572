import { expect, test } from 'vitest'
import { takePage } from './take-page.ts'

const minute = { limit: 100, candleWidth: 60 }
const bucketsOf = (count: number, cost: number, step = 60) =>
  Array.from({ length: count }, (_, at) => ({ ts: at * step, cost }))

test.each([
  ['all that there are', bucketsOf(7, 1), 7],
  ['none of none', [], 0],
  ['the limit', bucketsOf(101, 1), 100],
  ['as many swaps as one page reads', bucketsOf(100, 500), 6],
  ['one bucket at least', bucketsOf(3, 20_000), 1],
  ['a bounded time', bucketsOf(3, 1, 60 * 15_000), 2],
])('a page has %s', (_, buckets, count) => {
  const page = takePage(buckets, minute)
  expect(page).toEqual(buckets.slice(0, count))
  const newestFirst = buckets.toReversed()
  expect(takePage(newestFirst, minute)).toEqual(newestFirst.slice(0, count))
})
