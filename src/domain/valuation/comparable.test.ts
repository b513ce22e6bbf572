import { expect, test } from 'vitest'
import type { StatusReason } from '../view/status.ts'
import { isComparable } from './comparable.ts'

type Input = Parameters<typeof isComparable>[0]

const comparable: Input = {
  kind: 'canonical',
  active: true,
  fresh: true,
  independentReference: true,
  trustedSideUsd: 10_000,
  reserveSource: 'ticks',
  premiumBps: 100,
  reasons: [],
}

/** Methodology §6: every condition alone is enough to say no. */
const table: readonly [string, Partial<Input>, boolean][] = [
  ['all conditions hold', {}, true],
  ['a stock pair', { kind: 'stock-stock' }, true],
  ['a meme', { kind: 'meme' }, false],
  ['not active', { active: false }, false],
  ['not fresh', { fresh: false }, false],
  ['no independent reference', { independentReference: false }, false],
  ['a cent too little on the trusted side', { trustedSideUsd: 9999.99 }, false],
  ['nobody knows how much', { trustedSideUsd: null }, false],
  ['reserves by balance', { reserveSource: 'balance' }, false],
  ['reserves by a screener', { reserveSource: 'screener' }, false],
  ['no premium', { premiumBps: null }, false],
  ...(
    [
      'market_closed',
      'trading_halt',
      'oracle_paused',
      'multiplier_pending',
      'hook_custom_accounting',
      'reference_conflict',
      'premium_implausible',
    ] as const
  ).map((reason): [string, Partial<Input>, boolean] => [reason, { reasons: [reason] }, false]),
]

test.each(table)('%s: %o', (_, rest, expected) => {
  expect(isComparable({ ...comparable, ...rest })).toBe(expected)
})

test('a reason among others is found', () => {
  const reasons: StatusReason[] = ['quote_old', 'trading_halt']
  expect(isComparable({ ...comparable, reasons })).toBe(false)
})
