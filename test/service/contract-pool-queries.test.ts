import { describe, expect, test } from 'vitest'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { createApi, eventually, readBesideAllPools } from './api.ts'
import { readManifest } from './numbers/chain.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const path = '/api/v1/pools'

const select = async (query: string) => {
  const { all, value } = await readBesideAllPools(api, () =>
    api.readAll<PoolView>(`${path}?${query}`),
  )
  return { all, ids: value.map((row) => row.id) }
}

const idsOf = (rows: readonly PoolView[]): readonly string[] => rows.map((row) => row.id)

/** Greater values first unless `sign` says otherwise; unknown last in either order. */
const byValue =
  (keyOf: (row: PoolView) => number | null, sign: 1 | -1 = -1) =>
  (a: PoolView, b: PoolView): number => {
    const [left, right] = [keyOf(a), keyOf(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return sign * (left - right)
  }

const byId = (a: PoolView, b: PoolView): number => (a.id < b.id ? -1 : 1)

const byLiquidity = byValue((row) => row.liquidityUsd)
const byVolume = byValue((row) => row.vol24hUsd)
const byDefault = (a: PoolView, b: PoolView): number =>
  byLiquidity(a, b) || byVolume(a, b) || byId(a, b)

test('sorts by liquidity, then volume, then id by default', async () => {
  const { all, ids } = await select('')
  expect(ids).toEqual(idsOf(all.toSorted(byDefault)))
})

describe.each<readonly [string, (row: PoolView) => number | null]>([
  ['liquidity', (row) => row.liquidityUsd],
  ['vol1h', (row) => row.vol1hUsd],
  ['vol24h', (row) => row.vol24hUsd],
  ['vol24hFiltered', (row) => row.vol24hFilteredUsd],
  ['created', (row) => row.createdBlock],
  ['lastSwap', (row) => row.lastSwapTs],
  ['premium', (row) => row.premiumBps],
  ['depth', (row) => row.depthUsd],
])('sort=%s', (sort, keyOf) => {
  test.each([
    ['', -1],
    ['&order=desc', -1],
    ['&order=asc', 1],
  ] as const)('%s', async (order, sign) => {
    const { all, ids } = await select(`sort=${sort}${order}`)
    const compare = byValue(keyOf, sign)
    expect(ids).toEqual(idsOf(all.toSorted((a, b) => compare(a, b) || byId(a, b))))
  })
})

test('order=asc alone reverses the default order, except unknown values and ids', async () => {
  const { all, ids } = await select('order=asc')
  const [liquidity, volume] = [
    byValue((row) => row.liquidityUsd, 1),
    byValue((row) => row.vol24hUsd, 1),
  ]
  const expected = all.toSorted((a, b) => liquidity(a, b) || volume(a, b) || byId(a, b))
  expect(ids).toEqual(idsOf(expected))
})

const holds = (row: PoolView, ticker: string): boolean =>
  row.stockSymbol === ticker || (row.kind === 'stock-stock' && row.otherSymbol === ticker)

describe('filters', () => {
  test.each<readonly [string, (row: PoolView) => boolean]>([
    ['kind=canonical', (row) => row.kind === 'canonical'],
    ['kind=meme', (row) => row.kind === 'meme'],
    ['kind=stock-stock', (row) => row.kind === 'stock-stock'],
    ['version=v3', (row) => row.version === 'v3'],
    ['version=v4', (row) => row.version === 'v4'],
    ['venue=uniswap%20V3', (row) => row.venue === 'Uniswap v3'],
    ['active=true', (row) => row.active],
    ['active=false', (row) => !row.active],
    ['hot=true', (row) => row.hot],
    ['hot=false', (row) => !row.hot],
    ['comparable=true', (row) => row.comparable],
    ['comparable=false', (row) => !row.comparable],
    ['minLiquidityUsd=0', (row) => row.liquidityUsd !== null],
    ['minLiquidityUsd=100000', (row) => (row.liquidityUsd ?? -1) >= 100_000],
    ['minLiquidityUsd=1000000000000000', () => false],
    ['minDepthUsd=0', (row) => row.depthUsd !== null],
    ['minDepthUsd=1000', (row) => (row.depthUsd ?? -1) >= 1000],
    ['minDepthUsd=1000000000000000', () => false],
    ['symbol=NVDA', (row) => holds(row, 'NVDA')],
    ['symbol=nvda', (row) => holds(row, 'NVDA')],
    ['symbol=SpY', (row) => holds(row, 'SPY')],
    ['symbol=QQQ', (row) => holds(row, 'QQQ')],
    ['symbol=USDG', () => false],
    ['symbol=NVD', () => false],
    ['symbol=NVDA&kind=meme', (row) => holds(row, 'NVDA') && row.kind === 'meme'],
    [
      'version=v4&active=true&kind=canonical&minLiquidityUsd=50000',
      (row) =>
        row.version === 'v4' &&
        row.active &&
        row.kind === 'canonical' &&
        (row.liquidityUsd ?? -1) >= 50_000,
    ],
  ])('%s', async (query, isWanted) => {
    const { all, ids } = await select(query)
    expect(ids).toEqual(idsOf(all.filter(isWanted).toSorted(byDefault)))
  })

  test('the sandbox has pools inside and outside of each filter', async () => {
    const areBoth = (rows: readonly PoolView[], name: 'active' | 'hot'): boolean =>
      new Set(rows.map((row) => row[name])).size === 2
    const rows = await eventually(
      () => api.readAll<PoolView>(path),
      (all) => areBoth(all, 'active') && areBoth(all, 'hot'),
    )
    const known = rows.filter((row) => row.liquidityUsd !== null)
    expect(known.length).toBeGreaterThan(0)
    expect(known.length).toBeLessThan(rows.length)
  })

  test('combines a filter with a sort', async () => {
    const { all, ids } = await select('kind=canonical&sort=created&order=asc')
    const compare = byValue((row) => row.createdBlock, 1)
    const canonical = all.filter((row) => row.kind === 'canonical')
    expect(ids).toEqual(idsOf(canonical.toSorted((a, b) => compare(a, b) || byId(a, b))))
  })
})

describe('q', () => {
  /** Who is found among all pools, by what the sandbox says of its tokens' names. */
  const found = (all: readonly PoolView[], text: string): readonly string[] => {
    const { tokens } = readManifest(sandboxDir)
    const names = new Map(tokens.map(({ address, name }) => [address as string, name]))
    const wanted = text.toLowerCase()
    const prefix = /^(0x)?([0-9a-f]{4,64})$/.exec(wanted)?.[2]
    const isFound = ({ id, token0, token1, stockSymbol, otherSymbol }: PoolView): boolean => {
      const texts = [
        stockSymbol,
        otherSymbol ?? '',
        names.get(token0) ?? '',
        names.get(token1) ?? '',
      ]
      if (texts.some((each) => each.toLowerCase().includes(wanted))) return true
      return (
        prefix !== undefined && [id, token0, token1].some((hex) => hex.startsWith(`0x${prefix}`))
      )
    }
    return idsOf(all.filter(isFound).toSorted(byDefault))
  }

  // Of symbols, of names, of two words, of a clean part of a hostile name; and no match.
  test.each([
    ...['NVDA', 'nvd', 'Sandbox Token', 'hood cat', '• sandbox', 'S&P', 'wrapped', 'usd', 'ETH'],
    ...['<script>', 'evil', 'gdsu', '%', '_', '%NVDA%', 'NV_A', '\\', "'", '"', '.*', 'nvda usdg'],
    ...['no such thing', 'z'.repeat(80), '🐱', 'Ü'],
  ])('%s', async (text) => {
    const { all, ids } = await select(`q=${encodeURIComponent(text)}`)
    expect(ids).toEqual(found(all, text))
  })

  test('matches four or more first digits of an id or token, in any case', async () => {
    const rows = await api.readAll<PoolView>(path)
    const [first, last] = [rows[0]?.id ?? '', rows.at(-1)?.token1 ?? '']
    const v4 = rows.find((row) => row.version === 'v4')?.id ?? ''
    const begins = [first, last, v4].flatMap((hex) => [
      ...[hex, hex.slice(0, 6), hex.slice(0, 20), hex.slice(2, 6), hex.slice(2)],
      ...[hex.toUpperCase(), hex.slice(0, 6).toUpperCase()],
    ])
    for (const begin of begins) {
      const { all, ids } = await select(`q=${begin}`)
      expect(ids, begin).toEqual(found(all, begin))
      expect(ids.length).toBeGreaterThan(0)
    }
  })

  test('does not match the middle or three digits of an id', async () => {
    const { all } = await select('')
    const id = all[0]?.id ?? ''
    expect((await select(`q=0x${id.slice(10, 30)}`)).ids).toEqual([])
    expect((await select(`q=0x${id.slice(2, 5)}`)).ids).toEqual([])
  })

  test.each(['q=', 'q=%20%20', 'q=+'])('%s filters nothing', async (query) => {
    const { all, ids } = await select(query)
    expect(ids).toEqual(idsOf(all))
  })

  test('trims spaces and decodes plus as space', async () => {
    const { all, ids } = await select('q=+hood+cat%20')
    expect(ids).toEqual(found(all, 'hood cat'))
    expect(ids.length).toBeGreaterThan(0)
  })
})
