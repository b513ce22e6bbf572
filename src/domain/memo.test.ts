import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemo } from './memo.ts'

const asked = (keysMax: number, keys: readonly number[]) => {
  const computed: number[] = []
  const memo = createMemo(keysMax, (key: number): bigint => {
    computed.push(key)
    return BigInt(key) * 2n
  })
  return { values: keys.map(memo), computed }
}

it('says what would be computed, whatever was asked before', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(9)), (keysMax, keys) => {
      expect(asked(keysMax, keys).values).toEqual(keys.map((key) => BigInt(key) * 2n))
    }),
  )
})

it('remembers at least so many keys, and never more than twice as many', () => {
  expect(asked(3, [1, 2, 3, 3, 2, 1]).computed).toEqual([1, 2, 3])
  const many = [1, 2, 3, 4, 5, 6, 7]
  expect(asked(3, [...many, 5, 6, 7]).computed).toEqual(many)
  expect(asked(3, [...many, 1]).computed).toEqual([...many, 1])
})
