import { expect, test } from 'vitest'
import { isLookAlike } from './look-alikes.ts'

const stocks = new Set(['NVDA', 'TSLA'])

test.each([
  ['meme', 'NVDA', true],
  ['meme', 'nvda', true],
  ['meme', 'N V D A', true],
  ['meme', 'ＮＶＤＡ', true],
  ['meme', 'USDG', true],
  ['meme', 'MOON', false],
  ['meme', null, false],
  ['canonical', 'USDG', false],
  ['stock-stock', 'TSLA', false],
] as const)('a %s pool of %s: %s', (kind, otherSymbol, isOne) => {
  expect(isLookAlike({ kind, otherSymbol }, stocks)).toBe(isOne)
})
