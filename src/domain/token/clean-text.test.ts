import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanText } from './clean-text.ts'

const clean = (raw: string, charsMax = 32): string | null => cleanText(raw, { charsMax })

describe('text that is safe to store and to show', () => {
  it.each<[string, string | null, string]>([
    ['AAPL', 'AAPL', 'plain'],
    ['Apple \u2022 Robinhood Token', 'Apple \u2022 Robinhood Token', 'a bullet is a character'],
    ['MKR\0\0\0', 'MKR', 'NUL padding'],
    ['A\0B', 'AB', 'NUL within'],
    ['A\nB\r\nC', 'A B C', 'a log line stays one line'],
    ['A\tB\u0085C\u2028D\u2029E\u00a0F\u3000G', 'A B C D E F G', 'white space of all kinds'],
    ['  a   b  ', 'a b', 'runs of spaces'],
    ['\u001b[31mred', '[31mred', 'ANSI escape'],
    ['\u202eLPAA\u202c', 'LPAA', 'right-to-left override'],
    ['\u2066AAPL\u2069\u200e\u200f\u061c', 'AAPL', 'other marks of direction'],
    ['A\u200bA\u200cP\u200dL\u2060\ufeff', 'AAPL', 'zero-width'],
    ['A\u200b B', 'A B', 'nothing between spaces'],
    ['A \u200b B', 'A B', 'one space where two met'],
    ['\u3164\u115f\uffa0\u2800', null, 'blanks that are letters'],
    ['A\u{e0041}\u{e0020}', 'A', 'tags'],
    ['\u2764\ufe0f', '\u2764', 'variation selector'],
    ['A\ud800B\udc00', 'AB', 'halves of surrogate pairs'],
    ['\ue000A\u{f0000}', 'A', 'private use'],
    ['A\ufffdB', 'AB', 'replacement character'],
    ['e\u0301', '\u00e9', 'composed'],
    ['\u{1f680}\u{1f680}', '\u{1f680}\u{1f680}', 'emoji'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>', 'not escaped here'],
    ['', null, 'empty'],
    [' \0\u200b ', null, 'nothing that shows'],
  ])('%j becomes %j: %s', (raw, text) => {
    expect(clean(raw)).toBe(text)
  })

  it.each<[string, number, string | null]>([
    ['abcdef', 3, 'abc'],
    ['ab cd', 3, 'ab'],
    ['\u{1f680}\u{1f680}\u{1f680}', 2, '\u{1f680}\u{1f680}'],
    ['abc', 3, 'abc'],
    ['a', 0, null],
  ])('%j cut at %i code points is %j', (raw, charsMax, text) => {
    expect(clean(raw, charsMax)).toBe(text)
  })

  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    fc.string({
      unit: fc.constantFrom(' ', '\n', '\0', 'a', '\u0301', '\u200b', '\ud83d', '\u1100'),
    }),
  )
  const anyLength = fc.integer({ min: 0, max: 40 })

  it('cleaning twice changes nothing', () => {
    fc.assert(
      fc.property(anyText, anyLength, (raw, charsMax) => {
        const once = clean(raw, charsMax)
        expect(once === null ? null : clean(once, charsMax)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  it('what is left is well-formed, visible, of one line, trimmed and short enough', () => {
    fc.assert(
      fc.property(anyText, anyLength, (raw, charsMax) => {
        const text = clean(raw, charsMax)
        if (text === null) return
        expect(text.isWellFormed()).toBe(true)
        expect(text).toBe(text.trim())
        expect(text).toBe(text.normalize('NFC'))
        expect(text).not.toMatch(/\p{C}|\p{Zl}|\p{Zp}| {2}/u)
        expect(Array.from(text).length).toBeLessThanOrEqual(charsMax)
        expect(text).not.toBe('')
      }),
      { numRuns: 2_000 },
    )
  })
})
