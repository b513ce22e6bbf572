import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyEvents, type PoolEvent } from '../../dashboard/chart/live-series.ts'
import type { Candle, ReferencePoint, StoredSwap } from '../../src/domain/pool/stored-rows.ts'
import { known } from '../../src/domain/reading.ts'
import { rawPrice, withSwap } from '../../src/domain/series/candles.ts'
import { buildPoolSeries } from '../../src/domain/series/pool-series.ts'
import { bucketStart, planSeries } from '../../src/domain/series/series-range.ts'
import { toPoolView } from '../../src/domain/valuation/value-pool.ts'
import type { PoolView } from '../../src/domain/views/pool.ts'
import { sampleContext, samplePoolInputs, tokens } from '../support/domain/sample-inputs.ts'
import { swapOf } from './lively-market.ts'

/*
 * The same market, sent twice:
 *
 *   earlier answer + stream events since then   =   current answer
 *
 * The dashboard draws the left side at once; the API returns the right side later.
 */

const createdTs = 1_795_200_000
const [usdgUsd, nvdaUsd] = [1, 100]
const sample = toPoolView(samplePoolInputs(), sampleContext())

type Life = { readonly ts: number; readonly dollars: number; readonly usd: number | null }
type Sides = { readonly stockIsToken0: boolean }

/** Of a stock with 18 decimals at so many USDG, which have 6. */
const sqrtOf = (dollars: number, { stockIsToken0 }: Sides): bigint =>
  BigInt(Math.round(Math.sqrt(stockIsToken0 ? dollars * 1e-12 : 1e12 / dollars) * 2 ** 96))

const minutesOf = (life: readonly Life[], sides: Sides): readonly Candle[] => {
  const candles: Candle[] = []
  for (const { ts, dollars, usd } of life) {
    const sqrtPriceX96 = sqrtOf(dollars, sides)
    const swap = { sqrtPriceX96, usdMicro: usd === null ? null : usd * 1e6 }
    const [start, price] = [bucketStart(ts, 60), rawPrice(sqrtPriceX96)]
    const still = { pool: 1, width: 60, ts: start, open: price, high: price, low: price } as const
    const counts = {
      usdMicro: 0,
      swaps: 0,
      unpriced: 0,
      estimated: 0,
      implausible: 0,
      feeYield: 0,
      yielded: 0,
    }
    const ends = { close: price, reserve0: 1, reserve1: 1 }
    const last = candles.at(-1)
    const begun = last?.ts === start ? last : { ...still, ...counts, ...ends }
    if (last?.ts === start) candles.pop()
    candles.push(withSwap(begun, swap as StoredSwap))
  }
  return candles
}

const recordAt = (life: readonly Life[], block: number, stateTs: number, sides: Sides) => {
  const dollars = life.at(-1)?.dollars ?? 1
  const sqrtPriceX96 = sqrtOf(dollars, sides).toString()
  const prices = { stockPriceInOther: dollars, stockPriceUsd: dollars, otherPriceUsd: usdgUsd }
  return { ...sample, ...sides, ...prices, sqrtPriceX96, stateTs, asOfBlock: block } as PoolView
}

const pointOf = (address: ReferencePoint['address'], usd: number) => ({
  rows: [],
  before: { address, width: 60, ts: 0, usd, source: 'issuer' } as const,
  gaps: [],
})

/** What the API answers of a life so far; each swap has a block of its own. */
const answerAt = (life: readonly Life[], block: number, now: number, sides: Sides) => {
  const plan = planSeries('24h', { createdTs, now })
  const pool = recordAt(life, block, now, sides)
  const [decimals0, decimals1] = sides.stockIsToken0 ? [18, 6] : [6, 18]
  const series = buildPoolSeries({
    plan,
    candles: {
      rows: minutesOf(life, sides).filter(({ ts }) => ts >= plan.fromTs),
      before: null,
      gaps: [],
    },
    stockReferences: pointOf(tokens.nvda, nvdaUsd),
    otherReferences: pointOf(tokens.usdg, usdgUsd),
    classification: { kind: 'canonical', ...sides },
    decimals0: known(decimals0 as number),
    decimals1: known(decimals1 as number),
    hasReserves: false,
    view: pool,
  })
  return { pool, series }
}

const swapNews = ({ ts, dollars, usd }: Life, block: number, sides: Sides): PoolEvent => {
  const sqrtPriceX96 = sqrtOf(dollars, sides).toString()
  const swap = { ...swapOf(block), block, ts, amountUsd: usd, sqrtPriceX96 }
  return { topic: 'swap', id: '', data: { ...swap, poolId: sample.id, stockSymbol: 'NVDA' } }
}

const near = (value: number | null) =>
  value === null ? null : expect.closeTo(value, 6 - Math.ceil(Math.log10(Math.max(1, value))))

const step = fc.record({
  after: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 1500 })),
  dollars: fc.double({ min: 50, max: 400, noNaN: true }),
  usd: fc.option(fc.integer({ min: 0, max: 100_000 }), { freq: 12 }),
  isRecordSent: fc.boolean(),
})

test('draws from the stream what the API returns later', () => {
  const steps = fc.array(step, { minLength: 3, maxLength: 30 })
  const cutAt = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(steps, cutAt, fc.boolean(), (drawn, cut, stockIsToken0) => {
      const sides = { stockIsToken0 }
      let ts = createdTs
      const life = drawn.map(({ after, ...rest }) => {
        ts += after
        return { ...rest, ts }
      })
      // Two buckets at least, so that their width can be seen; the cut is somewhere after them.
      const shown = life.filter(({ ts: each }, at) => at < cut || each < createdTs + 300)
      const thenTs = Math.max(shown.at(-1)?.ts ?? 0, createdTs + 300)
      const then = answerAt(shown, shown.length, thenTs, sides)
      const news = life.slice(shown.length).flatMap((each, at): PoolEvent[] => {
        const block = shown.length + at + 1
        const sent = life.slice(0, block)
        const data = recordAt(sent, block, each.ts, sides)
        const isRecordSent = each.isRecordSent || block === life.length
        const record: PoolEvent[] = isRecordSent ? [{ topic: 'pool', id: '', data }] : []
        return [swapNews(each, block, sides), ...record]
      })
      const now = answerAt(life, life.length, Math.max(thenTs, ts), sides)
      const expected = now.series.map((row) => ({
        ...row,
        ...{ open: near(row.open), high: near(row.high), low: near(row.low) },
        ...{ close: near(row.close), stockPriceInOther: near(row.stockPriceInOther) },
        ...{ stockPriceUsd: near(row.stockPriceUsd), volumeUsd: near(row.volumeUsd) },
        liquidityUsd: expect.anything(),
      }))
      const drawnRows = applyEvents(then, news).map((row) => ({ ...row, liquidityUsd: 0 }))
      expect(drawnRows.slice(-expected.length)).toEqual(expected)
    }),
  )
})

const base = answerAt([{ ts: createdTs + 301, dollars: 100, usd: 5 }], 1, createdTs + 301, {
  stockIsToken0: true,
})
const swapAt = (ts: number, block: number, usd: number | null = 5) =>
  swapNews({ ts, dollars: 110, usd }, block, { stockIsToken0: true })

test('does not count again what the answer contains', () => {
  expect(applyEvents(base, [swapAt(createdTs + 302, 1)])).toBe(base.series)
  expect(applyEvents(base, [])).toBe(base.series)
})

test('a swap without a price makes the volume unknown, an empty swap does not', () => {
  const volume = (event: PoolEvent) => applyEvents(base, [event]).at(-1)?.volumeUsd
  expect(volume(swapAt(createdTs + 302, 2, null))).toBeNull()
  const empty = swapAt(createdTs + 302, 2, null)
  Object.assign(empty.data, { stockAmount: 0, otherAmount: 0 })
  expect(volume(empty)).toBe(5)
})

test('the price of a meme moves with the price of the stock', () => {
  const pool = { ...base.pool, kind: 'meme', stockPriceUsd: 50, otherPriceUsd: 0.5 } as const
  const last = applyEvents({ ...base, pool }, [swapAt(createdTs + 302, 2)]).at(-1)
  expect(last).toMatchObject({ stockPriceUsd: 50, otherPriceUsd: expect.closeTo(50 / 110, 6) })
})

test('in an index gap nothing is known, and after an endless silence the answer stays', () => {
  const gap = base.series.map((row) => ({ ...row, swaps: null, volumeUsd: null }))
  expect(applyEvents({ ...base, series: gap }, [swapAt(createdTs + 302, 2)])).toEqual(gap)
  expect(applyEvents(base, [swapAt(createdTs + 300_000, 2)])).toBe(base.series)
})
