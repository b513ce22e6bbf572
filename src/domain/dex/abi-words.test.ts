import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hash, Hex } from '../units.ts'
import {
  addressAt,
  hashAt,
  hasWords,
  int24At,
  int128At,
  int256At,
  parseWords,
  uint8At,
  uint16At,
  uint24At,
  uint128At,
  uint160At,
  uint256At,
  type Words,
} from './abi-words.ts'

const digits = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')

const word = (value: bigint): Words => {
  const words = parseWords(`0x${digits(value)}`, 1)
  if (words === null) throw new Error('a word was refused')
  return words
}

const anyWord = fc.oneof(
  fc.bigInt(0n, (1n << 256n) - 1n),
  fc.bigInt(-(1n << 26n), 1n << 26n),
  fc.nat(256).map((bit) => (1n << BigInt(bit)) - 1n),
  fc.nat(255).map((bit) => -(1n << BigInt(bit))),
)

describe('each reader takes its type from end to end, and nothing beyond', () => {
  const p = (bits: number) => 1n << BigInt(bits)
  it.each([
    ['uint8', uint8At, 0n, p(8) - 1n],
    ['uint16', uint16At, 0n, p(16) - 1n],
    ['uint24', uint24At, 0n, p(24) - 1n],
    ['uint128', uint128At, 0n, p(128) - 1n],
    ['uint160', uint160At, 0n, p(160) - 1n],
    ['uint256', uint256At, 0n, p(256) - 1n],
    ['int24', int24At, -p(23), p(23) - 1n],
    ['int128', int128At, -p(127), p(127) - 1n],
    ['int256', int256At, -p(255), p(255) - 1n],
  ])('%s', (_, read, min, max) => {
    const isWhole = max - min === p(256) - 1n
    expect(BigInt(read(word(min), 0) ?? 'nothing')).toBe(min)
    expect(BigInt(read(word(max), 0) ?? 'nothing')).toBe(max)
    if (!isWhole) {
      expect(read(word(min - 1n), 0)).toBe(null)
      expect(read(word(max + 1n), 0)).toBe(null)
    }
    fc.assert(
      fc.property(anyWord, (value) => {
        const meant = min < 0n ? BigInt.asIntN(256, value) : BigInt.asUintN(256, value)
        const expected = min <= meant && meant <= max ? meant : null
        const actual = read(word(value), 0)
        expect(actual === null ? null : BigInt(actual)).toBe(expected)
      }),
    )
  })

  it('address', () => {
    const address = `0x${'ab'.repeat(20)}` as const
    expect(addressAt(word(BigInt(address)), 0)).toBe(address)
    expect(addressAt(word(1n << 160n), 0)).toBe(null)
    expect(addressAt(word(0n), 0)).toBe('0x0000000000000000000000000000000000000000')
  })

  it('hash', () => {
    expect(hashAt(word(-1n), 0)).toBe(`0x${'f'.repeat(64)}`)
    const two: Words = `0x${digits(1n)}${digits(2n)}`
    expect([0, 1, 2].map((index) => hashAt(two, index))).toEqual([
      `0x${digits(1n)}`,
      `0x${digits(2n)}`,
      null,
    ])
  })
})

describe('a word that is not there', () => {
  it.each([
    ['address', addressAt],
    ['hash', hashAt],
    ['int24', int24At],
    ['int128', int128At],
    ['int256', int256At],
    ['uint24', uint24At],
    ['uint128', uint128At],
    ['uint160', uint160At],
    ['uint256', uint256At],
  ])('is no %s', (_, read) => {
    expect(read(word(0n), 1)).toBe(null)
    expect(read('0x', 0)).toBe(null)
    expect(read(undefined, 0)).toBe(null)
  })
})

describe('wordsOf', () => {
  const text = `0x${digits(1n)}${digits(0xabcn)}`
  it.each([
    ['two words', text, 2, text],
    ['in uppercase', `0x${text.slice(2).toUpperCase()}`, 2, text],
    ['no words', '0x', 0, '0x'],
    ['fewer than asked', text, 3, null],
    ['more than asked', text, 1, null],
    ['no prefix', text.slice(2), 2, null],
    ['another letter', `${text.slice(0, -1)}x`, 2, null],
    ['a line end', `${text.slice(0, -1)}\n`, 2, null],
    ['a letter that lowercases to two', `${text.slice(0, -1)}\u0130`, 2, null],
  ])('%s', (_, input, count, expected) => {
    expect(parseWords(input, count)).toBe(expected)
  })
})

describe('hasWords', () => {
  const topics = [1n, 2n, 3n].map((value): Hash => `0x${digits(value)}`)
  const data: Hex = `0x${digits(4n)}`
  const [first, second] = topics as [Hash, Hash]

  it.each([
    ['the indexed arguments and the others', { topics, data }, 2, 1, true],
    ['neither', { topics: [first], data: '0x' }, 0, 0, true],
    ['another number of topics', { topics, data }, 1, 1, false],
    ['another number of words', { topics, data }, 2, 2, false],
    ['half a word', { topics, data: `0x${digits(4n).slice(32)}` }, 2, 1, false],
    ['data without its prefix', { topics, data: `00${digits(4n)}` }, 2, 1, false],
    ['no topics', { topics: [], data: '0x' }, 0, 0, false],
    [
      'words that belong to the other side',
      { topics: [first, second, '0x'], data: `0x${digits(3n)}${digits(4n)}` },
      2,
      1,
      false,
    ],
  ])('%s', (_, log, indexedCount, dataCount, expected) => {
    const { topics, data } = log as { topics: Hash[]; data: Hex }
    expect(hasWords({ topics, data }, indexedCount, dataCount)).toBe(expected)
  })
})
