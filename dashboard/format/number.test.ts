import { describe, expect, test } from 'vitest'
import {
  formatBps,
  formatCompact,
  formatExact,
  formatFee,
  formatLoss,
  formatPrice,
  formatUsd,
} from './number.ts'

/* Numbers as traders read them: no exponents and no useless digits. */

describe('a price', () => {
  test.each([
    [null, '–'],
    [0, '0'],
    [222.62077894026416, '222.62'],
    [3.346122563048455, '3.3461'],
    [1, '1.00'],
    [0.5114106, '0.5114'],
    [0.004435294788255663, '0.004435'],
    [0.001, '0.001'],
    [0.0009999, '0.0₃9999'],
    [0.00099999, '0.001'],
    [4.611836145289238e-6, '0.0₅4612'],
    [1e-9, '0.0₈1'],
    [1.5e-18, '0.0₁₇15'],
    [50156.75634211684, '50,156.76'],
    [48236752.77952619, '48.237M'],
    [3e12, '3.00T'],
    [-0.5, '−0.50'],
  ])('%d -> %s', (value, text) => {
    expect(formatPrice(value)).toBe(text)
  })
})

test.each([
  [0, '$0.00'],
  [0.004, '<$0.01'],
  [12.5, '$12.50'],
  [999.4, '$999.40'],
  [999.6, '$1.00K'],
  [2032861.12, '$2.03M'],
  [11_020_000, '$11.0M'],
  [999_600_000, '$1.00B'],
  [null, '–'],
])('dollars: %d -> %s', (value, text) => {
  expect(formatUsd(value)).toBe(text)
})

test.each([
  [5593.69, '5.59K'],
  [3e30, '3.00×10^15Q'],
  [0.00036, '0.0₃36'],
])('an amount: %d -> %s', (value, text) => {
  expect(formatCompact(value)).toBe(text)
})

test.each([
  [7.227, '+0.07%'],
  [-0.52, '−0.01%'],
  [0.3, '0.00%'],
  [-1234.5, '−12.3%'],
  [250_000, '+2,500.0%'],
])('basis points: %d -> %s', (value, text) => {
  expect(formatBps(value)).toBe(text)
})

test.each([
  [7.227, '0.07%'],
  [0.3, '<0.01%'],
  [0, '0.00%'],
  [-6, '−0.06%'],
  [null, '–'],
])('basis points lost: %d -> %s', (value, text) => {
  expect(formatLoss(value)).toBe(text)
})

test('formats fees, and a tiny number exactly', () => {
  expect([formatFee(500), formatFee(1), formatFee(48_500)]).toEqual(['0.05%', '0.0001%', '4.85%'])
  expect(formatExact(4.5e-9)).toBe('0.0000000045')
})
