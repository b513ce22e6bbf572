import { encodeAbiParameters } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../units.ts'
import {
  type MetadataAnswer,
  readDecimals,
  readMetadata,
  readName,
  readSymbol,
} from './metadata.ts'

const answered = (data: string): MetadataAnswer => ({ ok: true, data: data as Hex })
const reverted: MetadataAnswer = { ok: false, reason: 'reverted' }
const tooLarge: MetadataAnswer = { ok: false, reason: 'too-large' }
const text = (value: string): MetadataAnswer =>
  answered(encodeAbiParameters([{ type: 'string' }], [value]))
const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

describe('decimals are exactly one word of 0..36, or unknown with a reason', () => {
  it.each([0n, 6n, 18n, 36n])('%i', (value) => {
    expect(readDecimals(answered(word(value)))).toEqual({ known: true, value: Number(value) })
  })

  it.each([
    ['37', word(37n), 'decimals-absurd'],
    ['77', word(77n), 'decimals-absurd'],
    ['255', word(255n), 'decimals-absurd'],
    ['0x67e53c31', word(0x67e53c31n), 'decimals-absurd'],
    [
      'an address',
      word(1_370_893_090_329_243_333_764_287_979_126_883_543_363_385_161_129n),
      'decimals-absurd',
    ],
    ['2^256-1', word(2n ** 256n - 1n), 'decimals-absurd'],
    ['2^255 + 18 is not 18', word(2n ** 255n + 18n), 'decimals-absurd'],
    ['nothing', '0x', 'decimals-malformed'],
    ['31 bytes', `0x${'00'.repeat(30)}12`, 'decimals-malformed'],
    ['64 bytes', `${word(18n)}${'00'.repeat(32)}`, 'decimals-malformed'],
    ['no hexadecimal', `0x${'zz'.repeat(32)}`, 'decimals-malformed'],
  ])('%s', (_, data, reason) => {
    expect(readDecimals(answered(data))).toEqual({ known: false, reason })
  })

  it('are unknown when there was no answer', () => {
    expect(readDecimals(reverted)).toEqual({ known: false, reason: 'decimals-reverted' })
    expect(readDecimals(tooLarge)).toEqual({ known: false, reason: 'decimals-too-large' })
  })
})

describe('symbol and name are clean text, or unknown with a reason', () => {
  it.each([
    ['AAPL', text('AAPL'), 'AAPL'],
    ['MKR', answered(`0x4d4b52${'00'.repeat(29)}`), 'MKR'],
    ['hostile', text('A\u202e\nB\0'), 'A B'],
    ['long', text('x'.repeat(5_000)), 'x'.repeat(32)],
  ])('%s', (_, answer, value) => {
    expect(readSymbol(answer)).toEqual({ known: true, value })
  })

  it.each([
    ['reverted', reverted, 'reverted'],
    ['too large', tooLarge, 'too-large'],
    ['no text', answered('0x'), 'malformed'],
    ['empty', text(''), 'empty'],
    ['invisible', text('\u200b\u202e'), 'empty'],
  ])('%s', (_, answer, fault) => {
    expect(readSymbol(answer)).toEqual({ known: false, reason: `symbol-${fault}` })
    expect(readName(answer)).toEqual({ known: false, reason: `name-${fault}` })
  })

  it('a name may be twice as long as a symbol', () => {
    expect(readName(text('x'.repeat(100)))).toEqual({ known: true, value: 'x'.repeat(64) })
  })
})

it('one bad answer leaves the others alone', () => {
  const answers = { symbol: text('PEPE'), name: reverted, decimals: answered(word(999n)) }
  expect(readMetadata(answers)).toEqual({
    symbol: { known: true, value: 'PEPE' },
    name: { known: false, reason: 'name-reverted' },
    decimals: { known: false, reason: 'decimals-absurd' },
  })
})
