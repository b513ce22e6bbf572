import fc from 'fast-check'
import { encodeAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../units.ts'
import { decodeText } from './decode-text.ts'

const abiString = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text])
const hexOf = (bytes: Uint8Array | readonly number[]): Hex =>
  `0x${Buffer.from(bytes).toString('hex')}`
const word = (value: bigint): string => value.toString(16).padStart(64, '0')
const bytes32 = (text: string): Hex => `0x${Buffer.from(text).toString('hex').padEnd(64, '0')}`

describe('text returned by a contract', () => {
  it('is an ABI string, as viem writes it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 200 })
    fc.assert(fc.property(text, (value) => decodeText(abiString(value)) === value))
  })

  it.each([
    ['MKR', bytes32('MKR'), 'MKR'],
    ['a full word', bytes32('x'.repeat(32)), 'x'.repeat(32)],
    ['text ends at the first NUL', bytes32('AB\0CD'), 'AB'],
    ['nothing but padding', `0x${'0'.repeat(64)}`, ''],
    ['0x00..01', `0x${'0'.repeat(63)}1`, ''],
    ['Latin-1 in bytes32 loses its one bad byte', `0x41a7${'00'.repeat(30)}`, 'A'],
  ])('bytes32: %s', (_, data, text) => {
    expect(decodeText(data as Hex)).toBe(text)
  })

  it.each([
    ['nothing', '0x'],
    ['31 bytes', `0x${'41'.repeat(31)}`],
    ['no bytes', '0x4'],
    ['no hexadecimal', '0xzz'],
    ['no prefix', '41'.repeat(32)],
    ['offset 2^256-1', `0x${'f'.repeat(64)}${word(0n)}`],
    ['offset past the end', `0x${word(96n)}${word(1n)}${word(0n)}`],
    ['offset past what is looked at', `0x${word(1_024n)}${'00'.repeat(1_100)}`],
    ['length 2^64', `0x${word(32n)}${word(2n ** 64n)}`],
    ['length past the end', `0x${word(32n)}${word(33n)}${word(0n)}`],
    ['64 bytes that point nowhere', `0x${word(64n)}${word(1n)}`],
  ])('malformed: %s', (_, data) => {
    expect(decodeText(data as Hex)).toBeNull()
  })

  it.each([
    ['an empty string', abiString(''), ''],
    ['an offset into itself is a string of length 0', `0x${word(0n)}${word(5n)}`, ''],
    ['without padding, as some contracts return it', `0x${word(32n)}${word(2n)}4142`, 'AB'],
    ['capital digits', `0x${word(32n)}${word(1n)}4A`, 'J'],
  ])('well-formed enough: %s', (_, data, text) => {
    expect(decodeText(data as Hex)).toBe(text)
  })

  it('of megabytes costs a kilobyte: 960 bytes follow the two words', () => {
    expect(decodeText(abiString('x'.repeat(1_000_000)))).toBe('x'.repeat(960))
    expect(decodeText(abiString('x'.repeat(960)))).toBe('x'.repeat(960))
  })

  it('cut within a character drops the character', () => {
    expect(decodeText(abiString(`${'x'.repeat(959)}\u20ac`))).toBe('x'.repeat(959))
  })

  it('is total, and never holds a stand-in for a bad byte', () => {
    const bytes = fc.uint8Array({ maxLength: 200 })
    const smallWords = fc
      .tuple(fc.bigInt({ min: 0n, max: 100n }), fc.bigInt({ min: 0n, max: 100n }), bytes)
      .map(([offset, length, rest]) => `0x${word(offset)}${word(length)}${hexOf(rest).slice(2)}`)
    const data = fc.oneof(bytes.map(hexOf), smallWords, fc.string())
    fc.assert(
      fc.property(data, (value) => {
        const text = decodeText(value as Hex)
        expect(text === null || !text.includes('\ufffd')).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
