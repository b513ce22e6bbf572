import { expect, test } from 'vitest'
import { listingNameOf } from './stock.ts'

test.each([
  ['NVIDIA • Robinhood Token', { name: 'NVIDIA', issuer: 'Robinhood' }],
  ['Coca-Cola • Sandbox Token', { name: 'Coca-Cola', issuer: 'Sandbox' }],
  ['Abcellera Biologics', { name: 'Abcellera Biologics', issuer: null }],
  ['', { name: '', issuer: null }],
])('%j names its company and issuer', (text, expected) => {
  expect(listingNameOf(text)).toEqual(expected)
})
