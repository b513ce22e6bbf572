import { expect, test } from 'vitest'
import { keyOf, stockOf, tokens } from '../../../test/support/domain/sample-inputs.ts'
import { known, unknown } from '../../domain/reading.ts'
import { nativeAddress } from '../../domain/units.ts'
import { createTokenIndex } from './token-index.ts'

const usdg = { symbol: 'USDG', address: tokens.usdg }
const ownMetadata = { symbol: known('fake'), name: known('Fake Inc'), decimals: known(18) }

/*
 *     stored of the token   nothing   own metadata   listed as a stock   disproven
 *     symbol                null      fake           NVDA                fake
 *     searched by           -         fake           nvda, its names     fake
 */
test('prefers the registered symbol to the own one of a token', () => {
  const index = createTokenIndex([usdg])
  const address = tokens.nvda
  const stock = { ...stockOf(), address, symbol: 'NVDA', name: 'NVIDIA' }
  const texts = () => {
    const { symbol, text } = index.infoOf(address)
    return [symbol, ...text.split('\u0000').filter((name) => name !== '')]
  }
  expect(texts()).toEqual([null])
  expect(index.infoOf(address).decimals).toEqual(unknown('decimals-not-read'))
  index.applyTokens([{ address, ...ownMetadata }])
  expect(texts()).toEqual(['fake', 'fake', 'fake inc'])
  index.applyStocks([stock])
  expect(texts()).toEqual(['NVDA', 'nvda', 'fake inc', 'nvidia'])
  index.applyTokens([{ address, ...ownMetadata, name: known('Other') }])
  expect(texts()).toEqual(['NVDA', 'nvda', 'other', 'nvidia'])
  index.applyStocks([{ ...stock, verdict: 'disproven' }])
  expect(texts()).toEqual(['fake', 'fake', 'other'])
})

test('names trusted tokens and the native coin before any row is applied', () => {
  const index = createTokenIndex([usdg])
  expect(index.infoOf(tokens.usdg)).toMatchObject({ symbol: 'USDG', address: tokens.usdg })
  expect(index.infoOf(nativeAddress).symbol).toBe('ETH')
  index.applyTokens([{ address: tokens.usdg, ...ownMetadata, decimals: known(6) }])
  expect(index.infoOf(tokens.usdg)).toMatchObject({ symbol: 'USDG', decimals: known(6) })
})

test('reports the pools of a token when its info changes, and only then', () => {
  const index = createTokenIndex([usdg])
  for (const number of [1, 2, 3]) index.addPool(number, keyOf())
  index.addPool(4, { ...keyOf(), token0: tokens.meme })
  expect(index.numbersWith(tokens.nvda)).toEqual([1, 2, 3])
  expect(index.numbersWith(tokens.usdg)).toEqual([1, 2, 3, 4])
  expect(index.numbersWith(tokens.meme)).toEqual([4])
  expect(index.numbersWith(nativeAddress)).toEqual([])
  const stock = { ...stockOf(), address: tokens.nvda }
  expect(index.applyStocks([stock])).toEqual([1, 2, 3])
  expect(index.applyStocks([{ ...stock }])).toEqual([])
  const info = index.infoOf(tokens.nvda)
  expect(index.applyTokens([{ address: tokens.meme, ...ownMetadata }])).toEqual([4])
  expect(index.infoOf(tokens.nvda)).toBe(info)
})
