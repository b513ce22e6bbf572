import { describe, expect, test } from 'vitest'
import { v3Venue, venuesOf } from '../../../test/support/domain/sample-venues.ts'
import {
  anyPool,
  marketOver,
  samplePools,
  sampleStore,
} from '../../../test/support/market/sample-market.ts'
import { hexPrefixOf } from './query-filters.ts'

const { canonical, meme, pair } = samplePools
/** The other pools are of venues that the network file names no longer. */
const fork = { ...v3Venue, address: pair.venue, name: 'Fork of Uniswap' }

const found = async (query: Partial<typeof anyPool>): Promise<readonly string[]> => {
  const { market } = marketOver(sampleStore(), { venues: venuesOf(fork) })
  await market.refresh()
  const { items, total } = await market.pools({ ...anyPool, ...query })
  expect(total).toBe(items.length)
  return items.map(({ id }) => id).sort()
}
const ids = (...pools: readonly { readonly id: string }[]) => pools.map(({ id }) => id).sort()

describe('filters', () => {
  const all = ids(canonical, meme, pair)
  const table: readonly [Partial<typeof anyPool>, readonly string[]][] = [
    [{}, all],
    [{ symbol: 'NVDA' }, all],
    [{ symbol: 'TSLA' }, ids(pair)],
    [{ symbol: 'USDG' }, []],
    [{ symbol: 'FAKENVDA' }, []],
    [{ symbol: 'NONE' }, []],
    [{ kind: 'meme' }, ids(meme)],
    [{ kind: 'canonical' }, ids(canonical)],
    [{ kind: 'stock-stock' }, ids(pair)],
    [{ version: 'v4' }, ids(meme)],
    [{ version: 'v3' }, ids(canonical, pair)],
    [{ venue: 'fork of uniswap' }, ids(pair)],
    [{ venue: 'uniswap v3' }, ids(canonical)],
    [{ venue: 'uniswap v4' }, ids(meme)],
    [{ venue: 'uniswap' }, []],
    [{ active: true }, all],
    [{ active: false }, []],
    [{ hot: true }, ids(canonical)],
    [{ comparable: true }, ids(canonical)],
    [{ comparable: false }, ids(meme, pair)],
    [{ minLiquidityUsd: 0 }, all],
    [{ minLiquidityUsd: 250_000 }, ids(canonical)],
    [{ minLiquidityUsd: 250_001 }, []],
    [{ minDepthUsd: 0 }, all],
    [{ minDepthUsd: 15_000 }, ids(canonical)],
    [{ minDepthUsd: 15_001 }, []],
    [{ symbol: 'NVDA', kind: 'stock-stock' }, ids(pair)],
    [{ symbol: 'TSLA', kind: 'canonical' }, []],
  ]
  test.each(table)('%j', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })
})

describe('q: part of a symbol or name, or prefix of an id or address', () => {
  const all = ids(canonical, meme, pair)
  const table: readonly [string, readonly string[]][] = [
    ['nvda', all],
    ['NvD', all],
    ['pepe', ids(meme)],
    ['sdg', ids(canonical)],
    ['tesla motors', ids(pair)],
    ['NVIDIA', all],
    ['usdg of the chain', ids(canonical)],
    // Only the registry names a stock; what the token calls itself is one of its names.
    ['fakenvda of', all],
    ['of the', all],
    ['nothing like it', []],
    // % and _ are ordinary characters.
    ['%', []],
    ['_', []],
    // The ends of two texts do not make one.
    ['nvdapepe', []],
    ['\u0000', []],
    ['a\u0000n', []],
    [canonical.id, ids(canonical)],
    [canonical.id.toUpperCase().replace('0X', '0x'), ids(canonical)],
    [canonical.id.slice(2), ids(canonical)],
    [meme.id, ids(meme)],
    [pair.key.token0, all],
    [pair.key.token1, ids(pair)],
    // Fewer than four digits begin too many ids.
    ['0x000', []],
    ['0x0000', all],
    ['0000', all],
    // Digits in the middle of an id are none of its beginning.
    [canonical.id.slice(30), []],
  ]
  test.each(table)('%j', async (q, expected) => {
    expect(await found({ q })).toEqual(expected)
  })
})

test.each([
  ['0xABCD', '0xabcd'],
  ['abcd', '0xabcd'],
  ['0Xabcd12', '0xabcd12'],
  ['abc', null],
  ['0xabc', null],
  ['xyzw', null],
  ['ab cd', null],
  ['0x', null],
  ['a'.repeat(64), `0x${'a'.repeat(64)}`],
  ['a'.repeat(65), null],
])('reads %s as prefix %s', (q, prefix) => {
  expect(hexPrefixOf(q)).toBe(prefix)
})
