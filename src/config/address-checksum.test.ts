import fc from 'fast-check'
import { getAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { hasAddressChecksum } from './network-schema.ts'

// From EIP-55's own test cases.
test.each([
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', true],
  ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb', true],
  ['0x52908400098527886E0F7030069857D2E4169EE7', true],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', false],
  ['0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', false],
])('%s: %s', (address, is) => expect(hasAddressChecksum(address)).toBe(is))

test('viem writes the same capitals, and a letter in the other case is found', () => {
  const bytes = fc.uint8Array({ minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(bytes, fc.nat({ max: 39 }), (each, place) => {
      const address = getAddress(`0x${Buffer.from(each).toString('hex')}` as Hex)
      expect(hasAddressChecksum(address)).toBe(true)
      const digit = address.charAt(2 + place)
      const turned = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase()
      const other = `${address.slice(0, 2 + place)}${turned}${address.slice(3 + place)}`
      expect(hasAddressChecksum(other)).toBe(turned === digit)
    }),
  )
})
