import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftAround, draftFault, toRangeRequest } from './range-draft.ts'

test('a range begins ten per cent to either side of the price, in decimal digits', () => {
  expect(draftAround(201.37)).toEqual({ lower: '181.2', upper: '221.5', usd: '1000' })
  expect(draftAround(0.000000012345)).toMatchObject({
    lower: '0.00000001111',
    upper: '0.00000001358',
  })
})

test('of any price is a range that can be asked for', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-18, max: 1e18, noNaN: true }), (price) => {
      const draft = draftAround(price)
      expect(draftFault(draft)).toBeNull()
      expect(Number(draft.lower) / price).toBeCloseTo(0.9, 3)
      expect(Number(draft.upper) / price).toBeCloseTo(1.1, 3)
    }),
  )
})

test.each([
  [{ lower: '', upper: '2', usd: '5' }, 'The lower price must be a number above 0.'],
  [{ lower: '1', upper: '1e3', usd: '5' }, 'The upper price must be a number above 0.'],
  [{ lower: '2', upper: '1', usd: '5' }, 'The lower price must be below the upper one.'],
  [{ lower: '1', upper: '2', usd: '-5' }, 'The dollars must be a number above 0.'],
])('%j is refused in words', (draft, words) => {
  expect(draftFault(draft)).toBe(words)
  expect(toRangeRequest(draft)).toBeNull()
})

test('separators of thousands are no part of a number', () => {
  expect(toRangeRequest({ lower: '1,000.5', upper: '2,000', usd: ' 10,000 ' })).toEqual({
    lower: '1000.5',
    upper: '2000',
    usd: 10_000,
  })
})
