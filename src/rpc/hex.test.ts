import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReadWord, digitAt, digitsEnd } from './hex.ts'

const digits = [...'0123456789abcdef']

it('every byte is the digit that it is in text, or none', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, code) => code)
  for (const code of bytes) {
    const worth = digits.indexOf(String.fromCharCode(code))
    expect(digitAt(bytes, code) < 16 ? digitAt(bytes, code) : -1).toBe(worth)
  }
  expect(digitAt(bytes, 256)).toBeGreaterThan(15)
})

it.each([
  ['', 0],
  ['"', 0],
  ['0a9f"00', 4],
  ['0A', 1],
  ['00', 2],
])('the digits of %j end at %d', (text, end) => {
  expect(digitsEnd(Buffer.from(text), 0)).toBe(end)
})

/** Words of few different digits at few places, so that many share a slot and many are equal. */
const word = (length: number) =>
  fc
    .tuple(fc.constantFrom(0, 30, length - 1), fc.constantFrom(...digits, 'A', 'g', '"', '/', '`'))
    .map(([at, digit]) => `${'0'.repeat(at)}${digit}`.padEnd(length, '0'))
const anyWord = fc.constantFrom(40, 64).chain(word)

describe('a word', () => {
  it.each([1, 12])('is its text, whatever stood in its slot (2^%d slots)', (slotsBits) => {
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 1, maxLength: 60 }), (words) => {
        const readWord = createReadWord(slotsBits)
        for (const each of words) {
          const bytes = Buffer.from(`"0x${each}"`)
          const expected = /^[0-9a-f]+$/.test(each) ? `0x${each}` : null
          expect(readWord(bytes, 3, each.length)).toBe(expected)
        }
      }),
    )
  })

  it('that the bytes break off is none', () => {
    const readWord = createReadWord(4)
    const bytes = Buffer.from(`0x${'7'.repeat(64)}`)
    expect(readWord(bytes, 2, 64)).toBe(`0x${'7'.repeat(64)}`)
    for (let end = 2; end < 66; end++) expect(readWord(bytes.subarray(0, end), 2, 64)).toBe(null)
  })
})
