import { expect, test } from 'vitest'
import type { Address } from '../units.ts'
import { createSharedAddresses } from './shared-addresses.ts'

const addressOf = (digit: string): Address => `0x${digit.repeat(40)}`

// Two texts that are equal are one in every comparison: that they share their memory is seen in
// the memory of a large store only. What can be seen here is that nothing becomes another.
test.each([null, addressOf('c')])('a key stays what it is, with hooks %s', (hooks) => {
  const { one, ofKey } = createSharedAddresses()
  const key = {
    token0: addressOf('a'),
    token1: addressOf('b'),
    fee: 3000,
    tickSpacing: 60,
    hooks,
  }
  expect([ofKey(key), ofKey({ ...key, token1: addressOf('a') })]).toEqual([
    key,
    { ...key, token1: addressOf('a') },
  ])
  expect(one(addressOf('d'))).toBe(addressOf('d'))
})
