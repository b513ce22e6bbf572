import { expect, test } from 'vitest'
import { isPaid, toPoolOrder } from './order.ts'

const draft = { side: 'buy', unit: 'usd', text: '1000' } as const

// typed, dollars, tokens
test.each([
  ['10000', 10_000, '10000'],
  ['$ 10,000', 10_000, '10000'],
  ['1,234,567.5', 1_234_567.5, '1234567.5'],
  ['0.000000000000000001', 1e-18, '0.000000000000000001'],
  ['5.', 5, '5'],
  // The service refuses these.
  ['1,5', Number.NaN, '1,5'],
  ['-3', -3, '-3'],
  ['many', Number.NaN, 'many'],
])('%s', (text, usd, tokens) => {
  expect(toPoolOrder({ ...draft, text })).toEqual({ side: 'buy', usd })
  expect(toPoolOrder({ ...draft, unit: 'stock', text })).toEqual({
    side: 'buy',
    stockAmount: tokens,
  })
  expect(toPoolOrder({ ...draft, unit: 'other', text })).toEqual({
    side: 'buy',
    otherAmount: tokens,
  })
})

test('nothing typed is no order', () => {
  expect([toPoolOrder({ ...draft, text: '' }), toPoolOrder({ ...draft, text: ' $ ' })]).toEqual([
    null,
    null,
  ])
})

// side, unit, whether the trader pays it
test.each([
  ['buy', 'usd', true],
  ['sell', 'usd', true],
  ['buy', 'stock', false],
  ['sell', 'stock', true],
  ['buy', 'other', true],
  ['sell', 'other', false],
] as const)('%s %s', (side, unit, paid) => {
  expect(isPaid({ ...draft, side, unit })).toBe(paid)
})
