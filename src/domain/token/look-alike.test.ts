import { expect, test } from 'vitest'
import { tokens } from '../../../test/support/domain/sample-inputs.ts'
import { foldsOf, squash } from './confusables.ts'
import { collectVerifiedNames, findImitations, nameForms } from './look-alike.ts'

const names = collectVerifiedNames([
  { address: tokens.nvda, symbol: 'NVDA', name: 'NVIDIA' },
  { address: tokens.tsla, symbol: 'TSLA', name: 'Tesla' },
  { address: '0x1', symbol: 'GOOGL', name: 'Alphabet Class A' },
  { address: tokens.usdg, symbol: 'USDG', name: null },
])

const signsOf = (symbol: string | null, name: string | null = null): readonly string[] =>
  findImitations(names, { address: tokens.meme, symbol, name }).map(
    ({ of, signs }) => `${of.symbol} ${signs.join()}`,
  )

test.each([
  ['NVDA', 'NVDA same_symbol'],
  ['nvda', 'NVDA same_symbol'],
  ['$NVDA', 'NVDA same_symbol'],
  ['N V D A', 'NVDA same_symbol'],
  ['ＮＶＤＡ', 'NVDA same_symbol'],
  ['𝐍𝐕𝐃𝐀', 'NVDA same_symbol'],
  ['NVDÄ', 'NVDA same_symbol'],
  ['NVDА', 'NVDA confusable_symbol'],
  ['ΝVDΑ', 'NVDA confusable_symbol'],
  ['ꓠꓦꓓꓮ', 'NVDA confusable_symbol'],
  ['nvdа', 'NVDA confusable_symbol'],
  ['ɴᴠᴅᴀ', 'NVDA confusable_symbol'],
  ['TSIA', 'TSLA confusable_symbol'],
  ['ТЅLА', 'TSLA confusable_symbol'],
  ['G00GL', 'GOOGL confusable_symbol'],
  ['USDG', 'USDG same_symbol'],
  ['USDC', 'USDC same_symbol'],
  ['U5DC', undefined],
  ['NVIDIA', 'NVDA same_name'],
  ['NVDAX', undefined],
  ['MOON', undefined],
  ['🚀', undefined],
  ['', undefined],
])('a token with the symbol %s: %s', (symbol, sign) => {
  expect(signsOf(symbol)).toEqual(sign === undefined ? [] : [sign])
})

test('names count as they are typed, with the wording of an issuer and without endings', () => {
  expect(signsOf('AAA', 'NVIDIA • Robinhood Token')).toEqual(['NVDA same_name'])
  expect(signsOf('AAA', 'nvidia • sandbox token')).toEqual(['NVDA same_name'])
  expect(signsOf('AAA', 'nvidia')).toEqual(['NVDA same_name'])
  expect(signsOf('AAA', 'NVІDІA')).toEqual(['NVDA confusable_name'])
  expect(signsOf('AAA', 'Alphabet')).toEqual(['GOOGL same_name'])
  expect(signsOf('AAA', 'NVIDIA on fire')).toEqual([])
  expect(signsOf('TSLA', 'NVDA')).toEqual(['TSLA same_symbol', 'NVDA same_name'])
  expect(signsOf(null, null)).toEqual([])
  expect(nameForms('The Coca-Cola Company')).toEqual(['thecocacolacompany', 'cocacola'])
  expect(nameForms('Alphabet Class A')[1]).toBe('alphabet')
  expect(nameForms('Company')).toEqual(['company', 'company'])
})

test('a token does not imitate itself, and its name counts for others', () => {
  const nvda = { address: tokens.nvda, symbol: 'NVDA', name: 'NVIDIA' }
  expect(findImitations(names, nvda)).toEqual([])
  expect(findImitations(names, { ...nvda, symbol: 'TSLA' })).toHaveLength(1)
})

test('a fold is its own fold, and texts that are typed alike share one', () => {
  for (const text of ['NVDA', 'ΝVDΑ', 'G00GL', 'İstanbul', 'ﬁ', '日本']) {
    for (const fold of foldsOf(text)) expect(foldsOf(fold)).toContain(fold)
    expect(foldsOf(squash(text))).toEqual(foldsOf(text))
  }
})
