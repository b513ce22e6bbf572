import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { CandleView } from '../../src/domain/views/history.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { walkBack } from '../support/api/udf-walk.ts'
import { openService } from './numbers/moment.ts'
import type { StoredSwap } from './numbers/stored.ts'
import {
  isBoolean,
  isCount,
  isNotNegative,
  isNullOr,
  isUnixSeconds,
  misfitsOfRows,
  type Shape,
} from './shape.ts'
import { baseUrl } from './shared.ts'

/* Candles of the sandbox against the swaps that the service stores (docs/api.md). */

const service = openService()
afterAll(() => service.stored.close())

const client = createClient(baseUrl)
const widths = { '1m': 60, '15m': 900, '1h': 3600, '1d': 86_400 } as const
type Width = keyof typeof widths

const isPrice = isNullOr(isNotNegative)
const candleShape: Shape = {
  ...{ ts: isUnixSeconds, open: isPrice, high: isPrice, low: isPrice, close: isPrice },
  ...{ volumeUsd: isPrice, volumeStock: isPrice, swaps: isCount, closed: isBoolean },
}

let pools: readonly PoolView[]
let to: number
let swapsOf: (pool: PoolView) => readonly StoredSwap[]
let decimals: ReadonlyMap<string, number | null>

beforeAll(async () => {
  const state = service.stored.state()
  decimals = state.decimals
  // Only hours that are over: new swaps change none of their candles.
  to = state.ts - (state.ts % 3600) - 1
  pools = await service.api.readAll<PoolView>('/api/v1/pools')
  const byPool = Map.groupBy(service.stored.swaps(state.block), ({ pool }) => pool)
  swapsOf = ({ id }) => byPool.get(id) ?? []
})

const collect = async <T>(rows: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

const priceOf = (swap: StoredSwap, pool: PoolView): number => {
  const [decimals0, decimals1] = [decimals.get(pool.token0) ?? 0, decimals.get(pool.token1) ?? 0]
  const raw = (Number(swap.sqrtPriceX96) / 2 ** 96) ** 2
  const price = raw * 10 ** (decimals0 - decimals1)
  return pool.stockIsToken0 ? price : 1 / price
}

const foldOf = (pool: PoolView, width: Width) => {
  const step = widths[width]
  const known = [pool.token0, pool.token1].every((token) => decimals.get(token) != null)
  const groups = Map.groupBy(
    swapsOf(pool).filter(({ ts }) => ts - (ts % step) <= to),
    ({ ts }) => ts - (ts % step),
  )
  return [...groups].map(([ts, own]) => {
    const prices = own.map((swap) => priceOf(swap, pool))
    const usdMicro = own.reduce((sum, swap) => sum + (swap.usdMicro ?? 0), 0)
    const isPriced = own.every((swap) => swap.usdMicro !== null)
    return {
      ts,
      open: known ? prices[0] : null,
      high: known ? Math.max(...prices) : null,
      low: known ? Math.min(...prices) : null,
      close: known ? prices.at(-1) : null,
      volumeUsd: isPriced ? usdMicro / 1e6 : null,
      swaps: own.length,
    }
  })
}

const faultsOf = (row: CandleView | undefined, expected: ReturnType<typeof foldOf>[number]) =>
  Object.entries(expected).flatMap(([name, wanted]) => {
    const own = row?.[name as keyof CandleView]
    if (own === wanted) return []
    const isNear =
      typeof own === 'number' &&
      typeof wanted === 'number' &&
      Math.abs(own - wanted) <= 1e-9 * Math.abs(wanted)
    return isNear ? [] : [`${name} @${expected.ts}: ${own}, not ${wanted}`]
  })

describe('the candles of every pool', () => {
  test.each(['1m', '15m', '1h'] as const)('of %s equal the fold of its swaps', async (width) => {
    let compared = 0
    for (const pool of pools) {
      const query = { width, price: 'other', to, order: 'asc' } as const
      const rows = await collect(client.eachCandle(pool.id, query))
      expect(misfitsOfRows(candleShape, rows, pool.id)).toEqual([])
      const expected = foldOf(pool, width)
      expect(rows.length, pool.id).toBe(expected.length)
      const faults = expected.flatMap((each, at) => faultsOf(rows[at], each))
      // A price at the end of the range is null (methodology §2).
      const atBound = pool.stockPriceInOther === null
      if (!atBound) expect(faults, pool.id).toEqual([])
      compared += rows.length
    }
    expect(compared).toBeGreaterThan(500)
  })

  test('are the same in pages of any length and direction', async () => {
    const busy = pools.toSorted((one, other) => other.swaps24h - one.swaps24h).slice(0, 3)
    for (const { id } of busy) {
      for (const fill of ['none', 'previous'] as const) {
        const query = { width: '5m', fill, to } as const
        const whole = await client.candles(id, { ...query, limit: 1000 })
        expect(whole).toMatchObject({ next: null, complete: true })
        for (const order of ['asc', 'desc'] as const) {
          const rows: CandleView[] = []
          let cursor: string | null = null
          do {
            const paging: { limit: number; cursor?: string } =
              cursor === null ? { limit: 41 } : { limit: 41, cursor }
            const page = await client.candles(id, { ...query, order, ...paging })
            rows.push(...page.items)
            cursor = page.next
          } while (cursor !== null)
          expect(order === 'desc' ? rows : rows.toReversed()).toEqual(whole.items)
        }
      }
    }
  })
})

test('the candles of a stock count the swaps of its pools, at their dollars', async () => {
  const [best] = pools.filter(({ kind, comparable }) => kind === 'canonical' && comparable)
  const symbol = best?.stockSymbol ?? 'NVDA'
  const rows = await collect(client.eachStockCandle(symbol, { width: '1h', to, order: 'asc' }))
  expect(misfitsOfRows(candleShape, rows, symbol)).toEqual([])
  expect(rows.length).toBeGreaterThan(5)
  const own = pools.filter(
    ({ stockSymbol, kind }) => stockSymbol === symbol && kind === 'canonical',
  )
  const swaps = own.flatMap((pool) => swapsOf(pool))
  for (const { ts, swaps: count, low, high, open, close } of rows) {
    const within = swaps.filter((swap) => swap.ts >= ts && swap.ts < ts + 3600)
    expect(count).toBeLessThanOrEqual(within.length)
    if (low === null || high === null) continue
    expect(low).toBeLessThanOrEqual(Math.min(open ?? low, close ?? low))
    expect(high).toBeGreaterThanOrEqual(Math.max(open ?? high, close ?? high))
  }
})

describe('a charting library', () => {
  const read = async (path: string): Promise<ReturnType<typeof JSON.parse>> =>
    (await fetch(`${baseUrl}/udf/${path}`)).json()
  const history = (query: string) => read(`history?${query}`)
  const resolutions = { '1m': '1', '15m': '15', '1h': '60', '1d': '1D' } as const

  test('finds a stock and reads its bars', async () => {
    const [found] = await read('search?query=NVDA&type=stock')
    const info = await read(`symbols?symbol=${found.ticker}`)
    expect(info.pricescale).toBeGreaterThanOrEqual(100)
    const asked = `symbol=${info.ticker}&resolution=60&from=0&to=${to}&countback=10`
    const { s, t, h, l } = await history(asked)
    expect([s, t.length]).toEqual(['ok', 10])
    for (const [at, high] of h.entries()) expect(high).toBeGreaterThanOrEqual(l[at])
  })

  /** The bars of the candles: those with prices. */
  const barsOf = (rows: readonly CandleView[]) =>
    rows
      .filter(({ open }) => open !== null)
      .map(({ ts, open, high, low, close, volumeUsd }) => ({
        ...{ ts, open, high, low, close, volumeUsd },
      }))

  test.each([
    { width: '1m', countsBack: true },
    { width: '15m', countsBack: false },
    { width: '1h', countsBack: true },
    { width: '1d', countsBack: true },
  ] as const)('walks back through bars of %o: the candles, once each', async (each) => {
    const { width, countsBack } = each
    // A multiple of the width: bars that are over.
    const end = to + 1 - ((to + 1) % widths[width])
    const range = { width, to: end - 1, order: 'asc' } as const
    const busy = pools.toSorted((one, other) => other.swaps24h - one.swaps24h)
    const chosen = ['canonical', 'meme'].map((wanted) => busy.find(({ kind }) => kind === wanted))
    const symbol = chosen[0]?.stockSymbol ?? ''
    const lists = [
      [symbol, client.eachStockCandle(symbol, range)] as const,
      ...chosen.flatMap((pool) => {
        if (pool === undefined) return []
        const price = pool.kind === 'meme' ? 'other' : 'usd'
        return [[pool.id, client.eachCandle(pool.id, { ...range, price })] as const]
      }),
    ]
    expect(lists).toHaveLength(3)
    for (const [name, rows] of lists) {
      const query = `symbol=${name}&resolution=${resolutions[width]}`
      const walk = { read: history, query, to: end, barSeconds: widths[width], countsBack }
      const expected = barsOf(await collect(rows))
      expect(await walkBack({ ...walk, bars: 60 }), name).toEqual(expected)
      if (width !== '1d') expect(expected.length, name).toBeGreaterThan(5)
    }
  })
})
