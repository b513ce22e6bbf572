import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Candle, type StoredSwap, usdMicroMax } from '../pool/stored-rows.ts'
import { createTrackedPool } from '../pool/tracked-pool.ts'
import { aggregateCandles, flatCandle, mergeCandles, rawPrice, withSwap } from './candles.ts'
import { bucketStart } from './series-range.ts'

const identity = {
  number: 7,
  id: '0x0a',
  version: 'v3',
  protocol: 'uniswap-v3',
  venue: '0xf0',
  key: { token0: '0x01', token1: '0x02', fee: 500, tickSpacing: 10, hooks: null },
  createdBlock: 1,
  createdTs: 1,
} as const
const pool = createTrackedPool(identity, null)

const still = (price: number, ts = 0): Candle => flatCandle(pool, price, ts)

/** A swap that ends at a price that is a square, worth so many millionths of a dollar. */
const swap = (root: bigint, usdMicro: number | null, estimated = false): StoredSwap => ({
  pool: 7,
  block: 1,
  logIndex: 1,
  ts: 1,
  txHash: '0x',
  txIndex: null,
  amount0: 1n,
  amount1: -1n,
  sqrtPriceX96: root << 96n,
  liquidity: 1n,
  tick: 0,
  fee: null,
  sender: '0x',
  recipient: null,
  usdMicro,
  estimated,
  implausible: false,
  trader: null,
  lpFee: null,
  feeYield: null,
})

/** Opens at 9, up to 25, down to 4, back to 16. */
const busy = [swap(3n, 100), swap(5n, null), swap(2n, 50, true), swap(4n, 7)].reduce(
  withSwap,
  still(1),
)

const shapeOf = ({ open, high, low, close, swaps }: Candle) => [open, high, low, close, swaps]

describe('a candle', () => {
  it('without trades stays at one price', () => {
    expect(still(9, 1_800_000_059)).toMatchObject({
      ts: 1_800_000_000,
      width: 60,
      open: 9,
      high: 9,
      low: 9,
      close: 9,
      swaps: 0,
      reserve0: 0,
      reserve1: 0,
    })
  })

  it('opens with its first swap, not with the price that stood', () => {
    expect(shapeOf(withSwap(still(1), swap(3n, 100)))).toEqual([9, 9, 9, 9, 1])
  })

  it('sums its swaps, and counts those that could not be priced or were guessed', () => {
    expect(shapeOf(busy)).toEqual([9, 25, 4, 16, 4])
    expect(busy).toMatchObject({ usdMicro: 157, unpriced: 1, estimated: 1 })
  })

  it.each([
    ['in one bucket', [usdMicroMax, 5, 7].map((usd) => swap(1n, usd)).reduce(withSwap, still(1))],
    ['in two halves', mergeCandles(withSwap(still(1), swap(1n, usdMicroMax)), busy)],
  ])('a volume beyond all reason ends where sums are exact, %s', (_, { usdMicro }) => {
    expect(usdMicro).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('has unknown reserves when its pool has', () => {
    const unknown = { ...pool, state: { ...pool.state, reserves: null } }
    expect(flatCandle(unknown, 1, 0)).toMatchObject({ reserve0: null, reserve1: null })
  })
})

describe('two halves of one bucket', () => {
  const other = [swap(1n, 5), swap(6n, 5)].reduce(withSwap, still(1))
  it.each([
    ['both traded', busy, other, [9, 36, 1, 36, 6]],
    ['only the first traded', busy, still(16), [9, 25, 4, 16, 4]],
    ['only the second traded', still(3), busy, [9, 25, 4, 16, 4]],
    ['neither traded', still(3), still(3), [3, 3, 3, 3, 0]],
  ])('%s', (_, early, late, shape) => {
    const reserves = { reserve0: 1, reserve1: null }
    const merged = mergeCandles(early, { ...late, ...reserves })
    expect(shapeOf(merged)).toEqual(shape)
    expect(merged).toMatchObject(reserves)
    expect(merged.usdMicro).toBe(early.usdMicro + late.usdMicro)
  })
})

it('makes hours and days of minutes, each where its minutes lie', () => {
  const day = 86_400
  const minutes = [still(4, day - 60), still(9, day), still(16, day + 3540), still(25, day + 3600)]
  const wider = aggregateCandles(minutes).slice(minutes.length)
  expect(wider.map((each) => [each.width, each.ts, each.open, each.close])).toEqual([
    [3600, day - 3600, 4, 4],
    [3600, day, 9, 16],
    [3600, day + 3600, 25, 25],
    [86_400, 0, 4, 4],
    [86_400, day, 9, 25],
  ])
})

it.each([
  ['one', 1n << 96n, 1],
  ['the least', 4_295_128_739n, 2.938_956_8e-39],
  ['the most', 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342n, 3.4025678e38],
])('a raw price: %s', (_, sqrtPriceX96, price) => {
  expect(rawPrice(sqrtPriceX96) / price).toBeCloseTo(1, 7)
})

/** As one would write it who does not count copies. */
const plainMerge = (early: Candle, late: Candle): Candle => {
  const traded = late.swaps === 0 ? early : early.swaps === 0 ? late : null
  return {
    ...late,
    open: traded?.open ?? early.open,
    high: traded?.high ?? Math.max(early.high, late.high),
    low: traded?.low ?? Math.min(early.low, late.low),
    usdMicro: Math.min(usdMicroMax, early.usdMicro + late.usdMicro),
    swaps: early.swaps + late.swaps,
    unpriced: early.unpriced + late.unpriced,
    estimated: early.estimated + late.estimated,
    implausible: early.implausible + late.implausible,
    feeYield: early.feeYield + late.feeYield,
    yielded: early.yielded + late.yielded,
  }
}

describe('any minutes', () => {
  const anySwap = fc
    .tuple(fc.bigInt(1n, 50n), fc.option(fc.nat(1000)))
    .map(([root, usdMicro]) => swap(root, usdMicro))
  const anyReserves = fc.option(fc.nat(1000))
  const anyMinute = fc
    .tuple(fc.nat(9), fc.array(anySwap, { maxLength: 3 }), anyReserves, anyReserves)
    .map(([price, swaps, reserve0, reserve1]) => ({
      ...swaps.reduce(withSwap, still(price)),
      reserve0,
      reserve1,
    }))
  const anyMinutes = fc
    .array(fc.tuple(anyMinute, fc.integer({ min: 1, max: 2000 })), { minLength: 1, maxLength: 20 })
    .map((steps) => {
      let ts = 0
      return steps.map(([minute, minutesLater]): Candle => {
        ts += minutesLater * 60
        return { ...minute, ts }
      })
    })

  it('make the hours and days that merging each with the next would make', () => {
    fc.assert(
      fc.property(anyMinutes, (minutes) => {
        const before = structuredClone(minutes)
        const plain = ([3600, 86_400] as const).flatMap((width) => {
          const rows = minutes.map(
            (row): Candle => ({ ...row, width, ts: bucketStart(row.ts, width) }),
          )
          return [...Map.groupBy(rows, ({ ts }) => ts).values()].map((own) =>
            own.reduce(plainMerge),
          )
        })
        expect(aggregateCandles(minutes)).toEqual([...minutes, ...plain])
        expect(minutes).toEqual(before)
      }),
    )
  })

  it('are left as they are by a merge', () => {
    fc.assert(
      fc.property(anyMinute, anyMinute, (early, late) => {
        const before = structuredClone([early, late])
        expect(mergeCandles(early, late)).toEqual(plainMerge(early, late))
        expect([early, late]).toEqual(before)
      }),
    )
  })
})
