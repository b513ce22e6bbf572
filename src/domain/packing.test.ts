import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { createPacker, createUnpacker, type Packer, type Unpacker } from './packing.ts'
import type { Hex } from './units.ts'

const anyNumber = fc.maxSafeInteger()
const anyBigint = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(1n << 300n), max: 1n << 300n }))
const anyHex = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 1, maxLength: 64 })
  .map((digits): Hex => `0x${digits.join('')}`)

const anyValue = fc.option(fc.oneof(anyNumber, anyBigint, anyHex))

type Value = number | bigint | Hex | null

const pack = ({ number, bigint, hex }: Packer, value: number | bigint | Hex): void => {
  if (typeof value === 'number') number(value)
  else if (typeof value === 'bigint') bigint(value)
  else hex(value)
}

const unpackLike = ({ number, bigint, hex, orNull }: Unpacker, value: Value): Value =>
  orNull<number | bigint | Hex>(() => {
    if (typeof value === 'number') return number()
    return typeof value === 'bigint' ? bigint() : hex()
  })

it('gives back whatever was packed, in the same order', () => {
  const packer = createPacker()
  fc.assert(
    fc.property(fc.array(anyValue), (values) => {
      for (const value of values) packer.orNull(value, (given) => pack(packer, given))
      const unpacker = createUnpacker(packer.take())
      expect(values.map((value) => unpackLike(unpacker, value))).toEqual(values)
    }),
  )
})

it('gives back more than fits into one call', () => {
  const packer = createPacker()
  const values = Array.from({ length: 3000 }, (_, at) => 2n ** 200n + BigInt(at))
  for (const value of values) packer.bigint(value)
  const unpacker = createUnpacker(packer.take())
  expect(values.map(() => unpacker.bigint())).toEqual(values)
})

// What is packed is kept by the hundred thousand: one byte too many for each is a megabyte.
test.each<readonly [name: string, bytes: number, value: Value]>([
  ['nothing', 1, null],
  ['zero', 1, 0],
  ['a tick', 4, -887_272],
  ['a block', 4, 9_000_000],
  ['a moment', 5, 1_763_700_000],
  ['a liquidity', 9, 10n ** 18n],
  ['a √price of one', 14, 1n << 96n],
  ['an address', 23, '0xa1b2c3d4e5a1b2c3d4e5a1b2c3d4e5a1b2c3d4e5'],
])('%s takes %i bytes, each of them one character', (_, bytes, value) => {
  const packer = createPacker()
  packer.orNull(value, (given) => pack(packer, given))
  const packed = packer.take()
  expect(packed).toHaveLength(bytes)
  expect([...packed].every((character) => character.charCodeAt(0) < 256)).toBe(true)
})
