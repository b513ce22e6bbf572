import { expect, test } from 'vitest'
import { type Check, compareTexts, exitCodeOf, type Tier, tiers, unchecked } from './tier.ts'

const of = { tier: 'state', subject: '0x01', field: 'tick' } as const
const equal = compareTexts(of, { published: '7', proved: '7' }, 'the contract says otherwise')
const differs = compareTexts(of, { published: '7', proved: '8' }, 'the contract says otherwise')
const skipped = unchecked(of, 'the node keeps no state of block 5', '7')

test('a check says what was published, what was proved, and why they differ', () => {
  expect(equal).toEqual({ ...of, outcome: 'equal', published: '7', proved: '7', reason: null })
  expect(differs).toMatchObject({ outcome: 'differs', reason: 'the contract says otherwise' })
  expect(skipped).toMatchObject({ outcome: 'unchecked', published: '7', proved: null })
  const missing = compareTexts(of, { published: null, proved: '8' }, 'not published')
  expect(missing.outcome).toBe('differs')
})

test.each<[string, Check[], 0 | 1 | 2]>([
  ['everything is equal', [equal, equal], 0],
  ['what could be checked is equal', [equal, skipped], 0],
  ['one value differs', [equal, differs, skipped], 1],
  ['nothing could be checked', [skipped], 2],
  ['there is no check', [], 2],
])('exit code if %s', (_what, checks, code) => {
  expect(exitCodeOf(checks)).toBe(code)
})

test('the tiers are in the order in which they run', () => {
  const names: readonly Tier[] = tiers
  expect(names).toEqual(['state', 'proof', 'logs', 'numbers', 'history'])
})
