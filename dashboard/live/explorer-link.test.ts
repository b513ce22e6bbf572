import { expect, test } from 'vitest'
import { explorerLink, poolExplorerPage } from './explorer-link.ts'

const address = `0x${'a1'.repeat(20)}`
const hash = `0x${'b2'.repeat(32)}`
const site = 'https://explorer.example/chain'

// explorer, page, what, the link
test.each([
  [site, 'address', address, `${site}/address/${address}`],
  [`${site}/`, 'token', address, `${site}/token/${address}`],
  [site, 'tx', hash, `${site}/tx/${hash}`],
  [site, 'block', '24880431', `${site}/block/24880431`],
  [site, 'block', hash, null],
  [site, 'tx', '24880431', null],
  [null, 'tx', hash, null],
  // The zero address stands for native coins and for "no hook".
  [site, 'token', `0x${'0'.repeat(40)}`, null],
  [site, 'tx', '../../login?to=evil', null],
  [site, 'tx', '0x12"onclick="x', null],
  ['javascript:alert(1)//', 'tx', hash, null],
  ['http://explorer.example', 'tx', hash, null],
] as const)('%s %s %s: %s', (explorer, page, hex, link) => {
  expect(explorerLink(explorer, page, hex)).toBe(link)
})

test('a v3 pool has an explorer page, a v4 pool has none', () => {
  expect([poolExplorerPage(address), poolExplorerPage(hash)]).toEqual(['address', null])
})
