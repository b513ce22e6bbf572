import { describe, expect, test } from 'vitest'
import { type Age, ageOf, isWithin, policyDefault } from './freshness.ts'

/** Ages are measured at this second. */
const now = 1_000_000

describe('an age', () => {
  const table: readonly [string, number | null, Age][] = [
    ['of what never happened', null, { kind: 'never' }],
    ['of this second', now, { kind: 'age', seconds: 0 }],
    ['of a minute ago', now - 60, { kind: 'age', seconds: 60 }],
    ['a little ahead of our clock counts as now', now + 30, { kind: 'age', seconds: 0 }],
    ['further ahead is refused', now + 31, { kind: 'ahead' }],
    ['of milliseconds taken for seconds', now * 1000, { kind: 'ahead' }],
    ['of the epoch', 0, { kind: 'age', seconds: now }],
  ]
  test.each(table)('%s', (_, ts, age) => {
    expect(ageOf(ts, now)).toEqual(age)
  })
})

describe('within a limit of 45 seconds', () => {
  test.each([
    ['the limit itself', now - 45, true],
    ['a second more', now - 46, false],
    ['now', now, true],
    ['a clock that runs a little fast', now + 30, true],
    ['a clock that runs far too fast', now + 31, false],
    ['never', null, false],
  ] as const)('%s', (_, ts, expected) => {
    expect(isWithin(ts, { now, maxSeconds: 45 })).toBe(expected)
  })
})

test('the defaults are those of the interface document', () => {
  expect(policyDefault).toEqual({
    quoteMaxAgeSeconds: 45,
    poolMaxAgeSeconds: 30,
    reserveMaxAgeSeconds: 120,
    confirmations: 20,
  })
})
