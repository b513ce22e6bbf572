import { expect, test } from 'vitest'
import { formatAge, formatMark } from './time.ts'

test.each([
  [null, 'never'],
  [-3, '0s'],
  [59.9, '59s'],
  [60, '1m'],
  [3599, '59m'],
  [86_400, '24h'],
  [172_800, '2d'],
])('%d seconds ago is %s', (seconds, text) => {
  expect(formatAge(seconds)).toBe(text)
})

test('axis marks show what changes between them', () => {
  // 2026-11-21 12:00 UTC; in most time zones no midnight.
  expect(formatMark(1_795_262_400, 3600)).toMatch(/^\d\d:00$|^\d\d:[1-5]\d$/)
  expect(formatMark(1_795_262_400, 86_400)).toMatch(/^2[12] Nov$/)
  expect(formatMark(1_795_262_400, 40 * 86_400)).toBe('Nov 2026')
})
