import { expect, test } from 'vitest'
import { keyOf, stockOf, tokens } from '../../../test/support/domain/sample-facts.ts'
import { known, unknown } from '../../domain/reading.ts'
import { nativeAddress } from '../../domain/units.ts'
import { createTokenIndex } from './token-index.ts'

const usdg = { symbol: 'USDG', address: tokens.usdg }
const ownWord = { symbol: known('fake'), name: known('Fake Inc'), decimals: known(18) }

/*
 *     told of the token     nothing   its own word   listed as a stock   disproven
 *     symbol                null      fake           NVDA                fake
 *     searched by           -         fake           nvda, its names     fake
 */
test('a token is called as it is registered, and otherwise as it calls itself', () => {
  const book = createTokenIndex([usdg])
  const address = tokens.nvda
  const stock = { ...stockOf(), address, symbol: 'NVDA', name: 'NVIDIA' }
  const told = () => {
    const { symbol, text } = book.infoOf(address)
    return [symbol, ...text.split('\u0000').filter((name) => name !== '')]
  }
  expect(told()).toEqual([null])
  expect(book.infoOf(address).decimals).toEqual(unknown('decimals-not-read'))
  book.applyTokens([{ address, ...ownWord }])
  expect(told()).toEqual(['fake', 'fake', 'fake inc'])
  book.applyStocks([stock])
  expect(told()).toEqual(['NVDA', 'nvda', 'fake inc', 'nvidia'])
  book.applyTokens([{ address, ...ownWord, name: known('Other') }])
  expect(told()).toEqual(['NVDA', 'nvda', 'other', 'nvidia'])
  book.applyStocks([{ ...stock, verdict: 'disproven' }])
  expect(told()).toEqual(['fake', 'fake', 'other'])
})

test('trusted tokens and the native coin have names before anything is told', () => {
  const book = createTokenIndex([usdg])
  expect(book.infoOf(tokens.usdg)).toMatchObject({ symbol: 'USDG', address: tokens.usdg })
  expect(book.infoOf(nativeAddress).symbol).toBe('ETH')
  book.applyTokens([{ address: tokens.usdg, ...ownWord, decimals: known(6) }])
  expect(book.infoOf(tokens.usdg)).toMatchObject({ symbol: 'USDG', decimals: known(6) })
})

test('who holds a token is told again when its label changes, and only then', () => {
  const book = createTokenIndex([usdg])
  for (const number of [1, 2, 3]) book.addPool(number, keyOf())
  book.addPool(4, { ...keyOf(), token0: tokens.meme })
  expect(book.numbersWith(tokens.nvda)).toEqual([1, 2, 3])
  expect(book.numbersWith(tokens.usdg)).toEqual([1, 2, 3, 4])
  expect(book.numbersWith(tokens.meme)).toEqual([4])
  expect(book.numbersWith(nativeAddress)).toEqual([])
  const stock = { ...stockOf(), address: tokens.nvda }
  expect(book.applyStocks([stock])).toEqual([1, 2, 3])
  expect(book.applyStocks([{ ...stock }])).toEqual([])
  const label = book.infoOf(tokens.nvda)
  expect(book.applyTokens([{ address: tokens.meme, ...ownWord }])).toEqual([4])
  expect(book.infoOf(tokens.nvda)).toBe(label)
})
