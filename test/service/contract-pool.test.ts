import { beforeAll, describe, expect, test } from 'vitest'
import type {
  PoolDetailView,
  PoolSeriesRow,
  PoolView,
  SwapView,
} from '../../src/domain/views/pool.ts'
import { createApi } from './api.ts'
import { createChain, readManifest } from './numbers/chain.ts'
import { bucketsOf } from './numbers/recount.ts'
import { misfits, misfitsOfRows } from './shape.ts'
import { poolDetailShape, poolSeriesShape, ranges, swapShape } from './shapes.ts'
import { baseUrl, sandboxDir } from './shared.ts'

const api = createApi(baseUrl)
const chain = createChain(readManifest(sandboxDir))
const pools = await api.readAll<PoolView>('/api/v1/pools')
const createdTs = await chain.blockTimes(pools.map((pool) => pool.createdBlock))

type Detail = PoolDetailView & { readonly createdTs: number }

const detailOf = async (pool: PoolView, range: string | null): Promise<Detail> => {
  const query = range === null ? '' : `?range=${range}`
  const detail = await api.read<PoolDetailView>(`/api/v1/pools/${pool.id}${query}`)
  return { ...detail, createdTs: createdTs.get(pool.createdBlock) ?? 0 }
}

/** Every pool over one range. */
const detailsOver = async (range: string): Promise<readonly Detail[]> => {
  const details: Detail[] = []
  for (const pool of pools) details.push(await detailOf(pool, range))
  return details
}

const isClose = (a: number, b: number, share = 1e-9): boolean =>
  Math.abs(a - b) <= share * Math.max(Math.abs(a), Math.abs(b))

/** The index does not say its time in a detail, but a pool that was read does. */
const checkSeriesFrame = ({ pool, series, createdTs }: Detail, range: string): void => {
  const headTs = pool.stateTs ?? series.at(-1)?.ts ?? 0
  const { starts } = bucketsOf(range, createdTs, headTs)
  expect(series.map((row) => row.ts)).toEqual(starts)
  expect(series.map((row) => row.closed)).toEqual(starts.map((ts) => ts !== starts.at(-1)))
  expect(series.length).toBeLessThanOrEqual(600)
}

const checkPrices = (row: PoolSeriesRow, before: PoolSeriesRow | undefined): void => {
  const { open, high, low, close, closed } = row
  expect(row.stockPriceInOther).toBe(close)
  if (open === null || high === null || low === null || close === null) {
    if (closed) expect([open, high, low, close]).toEqual([null, null, null, null])
    return
  }
  expect(low).toBeLessThanOrEqual(Math.min(open, close))
  expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
  expect(low).toBeGreaterThan(0)
  if (row.swaps !== 0 || !closed || !before || before.close === null) return
  // Nothing happened: the price stands where it stood.
  expect([open, high, low, close]).toEqual([close, close, close, close])
  expect(close).toBe(before.close)
  expect(row.volumeUsd).toBe(0)
}

const checkLastRow = ({ pool, series }: Detail): void => {
  const last = series.at(-1)
  const { stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd } = pool
  expect(last).toMatchObject({ stockPriceInOther, stockPriceUsd, otherPriceUsd, liquidityUsd })
  expect(last?.close).toBe(stockPriceInOther)
}

/** What a swap left behind as a price, measured by the record's own price and root. */
const priceAfter = (swap: SwapView, { sqrtPriceX96, stockPriceInOther, stockIsToken0 }: PoolView) =>
  (stockPriceInOther ?? Number.NaN) *
  (Number(swap.sqrtPriceX96) / Number(sqrtPriceX96)) ** (stockIsToken0 ? 2 : -2)

/** Buckets of which every swap is among the rows. */
const coveredRows = ({ series, swaps }: Detail): readonly PoolSeriesRow[] => {
  const oldestTs = swaps.at(-1)?.ts ?? 0
  return swaps.length < 100 ? series : series.filter((row) => row.ts > oldestTs)
}

const checkSeriesAgainstSwaps = (detail: Detail): void => {
  const { pool, series, swaps } = detail
  const width =
    series[1] === undefined ? Number.POSITIVE_INFINITY : series[1].ts - (series[0]?.ts ?? 0)
  for (const row of coveredRows(detail)) {
    const own = swaps.filter((swap) => swap.ts >= row.ts && swap.ts < row.ts + width)
    expect(row.swaps).toBe(own.length)
    const isPriced = own.every((swap) => swap.amountUsd !== null || swap.stockAmount === 0)
    const volumeUsd = own.reduce((sum, swap) => sum + (swap.amountUsd ?? 0), 0)
    if (isPriced) expect(row.volumeUsd).toBeCloseTo(volumeUsd, 5)
    if (own.length === 0 || !row.closed || pool.stockPriceInOther === null) continue
    const prices = own.map((swap) => priceAfter(swap, pool))
    const { open, high, low, close } = row
    const computed = [prices.at(-1), Math.max(...prices), Math.min(...prices), prices[0]].map(
      Number,
    )
    const shown = [open, high, low, close].map(Number)
    const differing = shown.filter((price, index) => !isClose(price, computed[index] ?? 0))
    expect(differing, `${pool.id} at ${row.ts}: ${shown} is not ${computed}`).toEqual([])
  }
}

const positionOf = ({ block, logIndex }: SwapView): number => block * 100_000 + logIndex

const checkSwaps = ({ pool, series, swaps }: Detail): void => {
  expect(swaps.length).toBeLessThanOrEqual(100)
  const positions = swaps.map(positionOf)
  expect(positions).toEqual(positions.toSorted((a, b) => b - a))
  expect(new Set(swaps.map((swap) => `${swap.txHash}:${swap.logIndex}`)).size).toBe(swaps.length)
  for (const swap of swaps) {
    expect(swap.ts).toBeGreaterThanOrEqual(series[0]?.ts ?? 0)
    expect(swap.block).toBeLessThanOrEqual(pool.asOfBlock ?? 0)
    expect(swap.recipient === null).toBe(pool.version === 'v4')
    // The fee of a pool of Algebra changes: what a swap paid may be that of an earlier log.
    const isOfKey = !pool.feeDynamic && pool.protocol !== 'algebra-integral'
    if (isOfKey && pool.version === 'v3') expect(swap.fee).toBe(pool.fee)
    const { stockAmount, otherAmount, priceInOther } = swap
    if (stockAmount === null || otherAmount === null || stockAmount === 0) {
      expect(priceInOther).toBeNull()
    } else expect(isClose(priceInOther ?? 0, otherAmount / stockAmount, 1e-12)).toBe(true)
  }
}

/** Only swaps move a pool's price: up for the stock where it was bought, down where it was sold. */
const checkSides = ({ pool, swaps }: Detail): void => {
  const isUp = (swap: SwapView): boolean => (swap.side === 'buy') === pool.stockIsToken0
  for (const [index, swap] of swaps.entries()) {
    const before = swaps[index + 1]
    if (before === undefined) continue
    const change = BigInt(swap.sqrtPriceX96) - BigInt(before.sqrtPriceX96)
    const isRight = isUp(swap) ? change >= 0n : change <= 0n
    expect(isRight, `${pool.id}: ${swap.side} moved the root by ${change}`).toBe(true)
  }
}

const checkNewestSwap = ({ pool, swaps }: Detail): void => {
  const [newest] = swaps
  if (newest === undefined) return
  const { lastSwapTs, lastSwapBlock, lastSwapFee, sqrtPriceX96, tick } = pool
  const record = { ts: lastSwapTs, block: lastSwapBlock, fee: lastSwapFee, sqrtPriceX96, tick }
  expect(newest).toMatchObject(record)
}

describe.each(ranges)('every pool over %s', (range) => {
  let details: readonly Detail[] = []
  beforeAll(async () => {
    details = await detailsOver(range)
  })

  test('has rows of exactly the documented fields', () => {
    for (const detail of details) {
      const { createdTs: _, ...reply } = detail
      expect(misfits(poolDetailShape, reply, detail.pool.id)).toEqual([])
      expect(misfitsOfRows(poolSeriesShape, detail.series, detail.pool.id)).toEqual([])
      expect(misfitsOfRows(swapShape, detail.swaps, detail.pool.id)).toEqual([])
    }
  })

  test('has one row per bucket, oldest first, from its creation to the open bucket', () => {
    for (const detail of details) checkSeriesFrame(detail, range)
  })

  test('has consistent prices and ends with its record', () => {
    for (const detail of details) {
      for (const [index, row] of detail.series.entries()) checkPrices(row, detail.series[index - 1])
      checkLastRow(detail)
    }
  })

  test('has swaps in order, each once, that add up to its series', () => {
    for (const detail of details) {
      checkSwaps(detail)
      checkSides(detail)
      checkNewestSwap(detail)
      checkSeriesAgainstSwaps(detail)
    }
  })
})

test('uses the range 24h by default', async () => {
  for (const pool of pools.slice(0, 3)) {
    const detail = await detailOf(pool, null)
    checkSeriesFrame(detail, '24h')
  }
})

test('finds an id in any case and returns it in lower case', async () => {
  for (const { id } of pools) {
    const upper = `0x${id.slice(2).toUpperCase()}`
    const detail = await api.read<PoolDetailView>(`/api/v1/pools/${upper}?range=1h`)
    expect(detail.pool.id).toBe(id)
  }
})

test('returns at most a hundred swaps', async () => {
  const busy = pools.filter((pool) => pool.swaps24h > 120)
  expect(busy.length).toBeGreaterThan(0)
  for (const pool of busy) expect((await detailOf(pool, '7d')).swaps).toHaveLength(100)
})

test('the series of a day adds up to its volume and swap count', async () => {
  for (const pool of pools) {
    const { pool: record, series } = await detailOf(pool, '24h')
    // The first bucket begins up to five minutes before the day does.
    const swaps = series.reduce((sum, row) => sum + (row.swaps ?? 0), 0)
    const later = series.slice(1).reduce((sum, row) => sum + (row.swaps ?? 0), 0)
    expect(record.swaps24h).toBeGreaterThanOrEqual(later)
    expect(record.swaps24h - swaps).toBeLessThanOrEqual(record.swaps24h * 0.05 + 5)
  }
})
