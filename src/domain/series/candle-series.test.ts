import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtPriceMaxX96, sqrtPriceMinX96 } from '../math/tick-math.ts'
import type { Candle, CandleWidth } from '../pool/stored-rows.ts'
import {
  candleInOther,
  candleSeries,
  invertCandle,
  type Ohlc,
  type SeriesCandle,
} from './candle-series.ts'
import { aggregateCandles, rawPrice } from './candles.ts'
import { bucketStart, planSeries, rangeNames, type SeriesPlan } from './series-range.ts'

const ohlc = (
  open: number | null,
  high: number | null,
  low: number | null,
  close: number | null,
): Ohlc => ({ open, high, low, close })
const still = (price: number | null): Ohlc => ohlc(price, price, price, price)

const candle = (ts: number, prices: Ohlc, rest: Partial<Candle> = {}): Candle => ({
  pool: 1,
  width: 60,
  ts,
  ...(prices as Record<keyof Ohlc, number>),
  usdMicro: 0,
  swaps: 1,
  unpriced: 0,
  estimated: 0,
  implausible: 0,
  feeYield: 0,
  yielded: 0,
  reserve0: 10,
  reserve1: 20,
  ...rest,
})

describe('the rows of a series', () => {
  const plan: SeriesPlan = {
    bucketSeconds: 300,
    candleWidth: 60,
    fromTs: 600,
    lastTs: 1_500,
    hourlyUntilTs: 0,
  }
  const rows = [
    candle(660, ohlc(2, 5, 1, 3), { usdMicro: 7, swaps: 2 }),
    candle(720, ohlc(4, 4, 4, 4), { usdMicro: 5, reserve0: 11, reserve1: null }),
    candle(1_260, ohlc(6, 6, 6, 6), { usdMicro: 1, unpriced: 1, swaps: 2 }),
  ]
  const series = (gaps = [] as { fromTs: number; toTs: number }[], before: Candle | null = null) =>
    candleSeries(plan, { rows, before, gaps })

  it('merge what happened, carry what stood, and leave the last one open', () => {
    const end = { reserve0: 11, reserve1: null, closed: true }
    expect(series()).toEqual([
      { ts: 600, ...ohlc(2, 5, 1, 4), usdMicro: 12, swaps: 3, ...end },
      { ts: 900, ...still(4), usdMicro: 0, swaps: 0, ...end },
      { ts: 1_200, ...still(6), usdMicro: null, swaps: 2, ...end, reserve0: 10, reserve1: 20 },
      { ts: 1_500, ...still(6), usdMicro: 0, swaps: 0, reserve0: 10, reserve1: 20, closed: false },
    ])
  })

  it('begin with what stood before, or with no price at all', () => {
    const late = { ...plan, fromTs: 1_500 }
    const before = candle(1_260, ohlc(6, 9, 1, 7))
    const empty = { usdMicro: 0, swaps: 0, closed: false }
    expect(candleSeries(late, { rows: [], before, gaps: [] })).toEqual([
      { ts: 1_500, ...still(7), ...empty, reserve0: 10, reserve1: 20 },
    ])
    expect(candleSeries(late, { rows: [], before: null, gaps: [] })).toEqual([
      { ts: 1_500, ...still(null), ...empty, reserve0: null, reserve1: null },
    ])
  })

  it('are null throughout inside a gap, and know no price after it until something happens', () => {
    const nothing = { ...still(null), usdMicro: null, swaps: null, reserve0: null, reserve1: null }
    const [, gap, after] = series([{ fromTs: 899, toTs: 901 }])
    expect(gap).toEqual({ ts: 900, ...nothing, closed: true })
    expect(after).toMatchObject({ ...still(6), swaps: 2 })
    const [, , , open] = series([{ fromTs: 1_320, toTs: 1_330 }])
    expect(open).toMatchObject({ ...still(null), usdMicro: 0, swaps: 0, reserve0: null })
  })
})

/* One pool's life, event by event, and its recount at any width, sharing no code with ours. */
type Life = {
  readonly ts: number
  readonly price: number
  /** Absent: liquidity moved, the price did not. */
  readonly usdMicro?: number | null
  readonly reserve0: number
}

const recount = (life: readonly Life[], from: number, to: number): Omit<SeriesCandle, 'closed'> => {
  const swaps = life.filter(({ ts, usdMicro }) => ts >= from && ts < to && usdMicro !== undefined)
  const last = life.findLast(({ ts }) => ts < to)
  const prices = swaps.length > 0 ? swaps.map(({ price }) => price) : last ? [last.price] : []
  return {
    ts: from,
    open: prices[0] ?? null,
    high: prices.length > 0 ? Math.max(...prices) : null,
    low: prices.length > 0 ? Math.min(...prices) : null,
    close: prices.at(-1) ?? null,
    usdMicro: swaps.some(({ usdMicro }) => usdMicro === null)
      ? null
      : swaps.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0),
    swaps: swaps.length,
    reserve0: last?.reserve0 ?? null,
    reserve1: last === undefined ? null : 1,
  }
}

/** What the store would hold: a row where something happened. */
const storedMinutes = (life: readonly Life[]): readonly Candle[] =>
  [...new Set(life.map(({ ts }) => bucketStart(ts, 60)))].map((ts) => {
    const row = recount(life, ts, ts + 60)
    const own = life.filter((event) => bucketStart(event.ts, 60) === ts)
    return candle(ts, row, {
      usdMicro: own.reduce((sum, { usdMicro }) => sum + (usdMicro ?? 0), 0),
      swaps: row.swaps as number,
      unpriced: own.filter(({ usdMicro }) => usdMicro === null).length,
      reserve0: row.reserve0,
      reserve1: 1,
    })
  })

const storedAt = (life: readonly Life[], width: CandleWidth): readonly Candle[] =>
  aggregateCandles(storedMinutes(life)).filter((row) => row.width === width)

const storedFor = (life: readonly Life[], plan: SeriesPlan) => {
  const all = storedAt(life, plan.candleWidth)
  return {
    rows: all.filter(({ ts }) => ts >= plan.fromTs),
    before: all.findLast(({ ts }) => ts < plan.fromTs) ?? null,
  }
}

const anyLife = fc
  .record({
    createdTs: fc.integer({ min: 1_780_000_000, max: 1_780_100_000 }),
    steps: fc.array(
      fc.record({
        after: fc.oneof(
          fc.integer({ min: 0, max: 90 }),
          fc.integer({ min: 0, max: 7_200 }),
          fc.integer({ min: 0, max: 400_000 }),
        ),
        price: fc.double({ min: 1e-12, max: 1e12, noNaN: true }),
        usdMicro: fc.option(fc.integer({ min: 0, max: 10 ** 12 }), { freq: 9 }),
        isSwap: fc.boolean(),
        reserve0: fc.nat(),
      }),
      { maxLength: 60 },
    ),
    idleSeconds: fc.integer({ min: 0, max: 200_000 }),
  })
  .map(({ createdTs, steps, idleSeconds }) => {
    const life: Life[] = [{ ts: createdTs, price: 1, reserve0: 0 }]
    for (const { after, price, usdMicro, isSwap, reserve0 } of steps) {
      const { ts, price: stood } = life.at(-1) as Life
      const event = { ts: ts + after, reserve0 }
      life.push(isSwap ? { ...event, price, usdMicro } : { ...event, price: stood })
    }
    return { life, createdTs, now: (life.at(-1) as Life).ts + idleSeconds }
  })

describe('any series is a recount of the raw events', () => {
  it.each(rangeNames)('%s', (range) => {
    fc.assert(
      fc.property(anyLife, ({ life, createdTs, now }) => {
        const plan = planSeries(range, { createdTs, now })
        const series = candleSeries(plan, { ...storedFor(life, plan), gaps: [] })
        const expected = series.map(({ ts }) => ({
          ...recount(life, ts, ts + plan.bucketSeconds),
          closed: ts + plan.bucketSeconds <= now,
        }))
        expect(series).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('and a gap takes away, but never changes a number', () => {
    const range = fc.constantFrom(...rangeNames)
    const part = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyLife, range, part, part, ({ life, createdTs, now }, name, from, length) => {
        const plan = planSeries(name, { createdTs, now })
        const stored = storedFor(life, plan)
        const fromTs = createdTs + Math.floor((now - createdTs) * from)
        const gap = { fromTs, toTs: fromTs + 1 + Math.floor((now - fromTs) * length) }
        const whole = candleSeries(plan, { ...stored, gaps: [] })
        const pierced = candleSeries(plan, { ...stored, gaps: [gap] })
        for (const [index, row] of pierced.entries()) {
          const full = whole[index] as SeriesCandle
          const touched = gap.fromTs < row.ts + plan.bucketSeconds && gap.toTs > row.ts
          expect(row.swaps).toBe(touched ? null : full.swaps)
          expect(row.usdMicro).toBe(touched ? null : full.usdMicro)
          for (const key of ['open', 'high', 'low', 'close', 'reserve0'] as const) {
            if (touched) expect(row[key]).toBeNull()
            else if (row[key] !== null || row.swaps !== 0) expect(row[key]).toBe(full[key])
          }
        }
      }),
      { numRuns: 100 },
    )
  })

  it('and sums do not depend on how the swaps were gathered', () => {
    const usd = fc.array(fc.integer({ min: 0, max: 10 ** 12 }), { minLength: 1, maxLength: 100 })
    fc.assert(
      fc.property(usd, fc.infiniteStream(fc.integer({ min: 0, max: 4 })), (amounts, minutes) => {
        const at = amounts.map(() => 600 + 60 * (minutes.next().value as number)).sort()
        const rows = new Map<number, Candle>()
        for (const [index, ts] of at.entries()) {
          const usdMicro = (rows.get(ts)?.usdMicro ?? 0) + (amounts[index] as number)
          rows.set(ts, candle(ts, still(1), { usdMicro }))
        }
        const plan: SeriesPlan = {
          bucketSeconds: 300,
          candleWidth: 60,
          fromTs: 600,
          lastTs: 600,
          hourlyUntilTs: 0,
        }
        const [row] = candleSeries(plan, { rows: [...rows.values()], before: null, gaps: [] })
        expect(row?.usdMicro).toBe(amounts.reduce((sum, amount) => sum + amount, 0))
      }),
    )
  })
})

describe('a bucket seen from the other token', () => {
  it('has its highest price where the other has its lowest', () => {
    expect(invertCandle(ohlc(2, 8, 1, 4))).toEqual(ohlc(0.5, 1, 0.125, 0.25))
    expect(invertCandle(ohlc(null, 8, null, 4))).toEqual(ohlc(null, null, 0.125, 0.25))
    expect(invertCandle(still(0))).toEqual(still(null))
    expect(invertCandle({ ts: 1, ...still(2) })).toEqual({ ts: 1, ...still(0.5) })
  })

  it('stays ordered, and twice inverted is the same to the last place', () => {
    const price = fc.double({ min: 1e-38, max: 1e38, noNaN: true })
    fc.assert(
      fc.property(price, price, price, (a, b, c) => {
        const once = invertCandle(ohlc(a, Math.max(a, b, c), Math.min(a, b, c), c))
        const { open, high, low, close } = once as Record<keyof Ohlc, number>
        expect(low <= Math.min(open, close) && Math.max(open, close) <= high).toBe(true)
        const twice = invertCandle(once).open as number
        expect(Math.abs(twice / a - 1)).toBeLessThanOrEqual(2 * Number.EPSILON)
      }),
    )
  })
})

describe('a bucket in whole other tokens for one stock token', () => {
  // One share (18 decimals) at 225 to 250 USDG (6 decimals), the pool either way round.
  const shareIs0 = ohlc(225e-12, 250e-12, 225e-12, 240e-12)
  const shareIs1 = ohlc(1 / 225e-12, 1 / 225e-12, 1 / 250e-12, 1 / 240e-12)
  it.each([
    ['token0', shareIs0, { stockIsToken0: true, decimals0: 18, decimals1: 6 }],
    ['token1', shareIs1, { stockIsToken0: false, decimals0: 6, decimals1: 18 }],
  ] as const)('the stock is %s', (_, raw, pair) => {
    const { open, high, low, close } = candleInOther(raw, pair) as Record<keyof Ohlc, number>
    expect(open).toBeCloseTo(225, 10)
    expect(high).toBeCloseTo(250, 10)
    expect(low).toBeCloseTo(225, 10)
    expect(close).toBeCloseTo(240, 10)
  })

  it.each([true, false])("the end of the pool's range is no price (stock is token0: %s)", (is0) => {
    const pair = { stockIsToken0: is0, decimals0: 18, decimals1: 18 }
    const lowest = rawPrice(sqrtPriceMinX96 + 1n)
    const highest = rawPrice(sqrtPriceMaxX96 - 1n)
    expect(candleInOther(ohlc(1, highest, lowest, 1), pair)).toEqual(ohlc(1, null, null, 1))
    const inside = candleInOther(still(rawPrice(sqrtPriceMinX96 + 2n)), pair)
    expect(inside.close).toBeGreaterThan(0)
    expect(Number.isFinite(inside.close)).toBe(true)
  })
})
