import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sqrtPriceAtTick, sqrtPriceMaxX96, sqrtPriceMinX96 } from '../math/tick-math.ts'
import { known, type Reading, unknown } from '../reading.ts'
import {
  activeLiquidityAt,
  applyLiquidityDelta,
  buildTickMap,
  emptyTickMap,
  getTick,
  listTicks,
  type TickMap,
} from './tick-map.ts'
import { reservesFromTickMap } from './tick-map-reserves.ts'

type Change = { tickLower: number; tickUpper: number; liquidityDelta: bigint }

const change = (tickLower: number, tickUpper: number, liquidityDelta: bigint): Change => ({
  tickLower,
  tickUpper,
  liquidityDelta,
})

const certain = (reading: Reading<TickMap>): TickMap => {
  if (!reading.known) throw new Error(reading.reason)
  return reading.value
}

const fold = (changes: readonly Change[]): TickMap =>
  changes.reduce((map, next) => certain(applyLiquidityDelta(map, next)), emptyTickMap)

const undone = (changes: readonly Change[]): Change[] =>
  changes.map((next) => ({ ...next, liquidityDelta: -next.liquidityDelta }))

const anyTick = fc.oneof(
  fc.integer({ min: -887_272, max: 887_272 }),
  fc.integer({ min: -20, max: 20 }).map((step) => step * 60),
)
const anyMint: fc.Arbitrary<Change> = fc
  .tuple(fc.uniqueArray(anyTick, { minLength: 2, maxLength: 2 }), fc.bigInt(1n, 1n << 90n))
  .map(([ticks, liquidity]) => change(Math.min(...ticks), Math.max(...ticks), liquidity))
const anyMints = fc.array(anyMint, { minLength: 1, maxLength: 12 })
const anySqrtPrice = fc.oneof(
  fc.bigInt(sqrtPriceMinX96, sqrtPriceMaxX96 - 1n),
  fc.bigInt(sqrtPriceAtTick(-2000), sqrtPriceAtTick(2000)),
  anyTick.map(sqrtPriceAtTick),
)

describe('a map of two overlapping positions', () => {
  //     tick    -60       0       60      120
  //              [====== 100 ======)
  //                       [====== 30 ======)
  //     active      100      130      30      0
  const map = fold([change(-60, 60, 100n), change(0, 120, 30n)])

  it('has one row for each end, as the contracts keep them', () => {
    expect(listTicks(map)).toEqual([
      { tick: -60, net: 100n, gross: 100n },
      { tick: 0, net: 30n, gross: 30n },
      { tick: 60, net: -100n, gross: 100n },
      { tick: 120, net: -30n, gross: 30n },
    ])
  })

  it.each([
    [-61, 0n],
    [-60, 100n],
    [-1, 100n],
    [0, 130n],
    [59, 130n],
    [60, 30n],
    [119, 30n],
    [120, 0n],
    [887_272, 0n],
  ])('is active at tick %i with %i', (tick, liquidity) => {
    expect(activeLiquidityAt(map, tick)).toBe(liquidity)
  })

  it('keeps a tick where one position ends and an equal one begins: net 0, gross twice', () => {
    const chained = fold([change(-60, 0, 7n), change(0, 60, 7n)])
    expect(getTick(chained, 0)).toEqual({ tick: 0, net: 0n, gross: 14n })
    expect(activeLiquidityAt(chained, 0)).toBe(7n)
  })

  it('drops a tick with its last position', () => {
    const after = certain(applyLiquidityDelta(map, change(0, 120, -30n)))
    expect(after).toEqual(fold([change(-60, 60, 100n)]))
    expect(getTick(after, 0)).toEqual({ tick: 0, net: 0n, gross: 0n })
  })

  it('stays as it is after a liquidity change of zero', () => {
    expect(applyLiquidityDelta(map, change(10, 20, 0n))).toEqual(known(map))
  })
})

describe('events that no pool can have emitted are data', () => {
  const map = fold([change(-60, 60, 100n), change(120, 180, 50n)])

  it.each([
    ['more burned than was minted', change(-60, 60, -101n), 'liquidity_negative'],
    ['burned where nothing was minted', change(300, 360, -1n), 'liquidity_negative'],
    ['burned a range that was never minted', change(-60, 180, -50n), 'liquidity_negative'],
    ['burned up to a tick where nothing ends', change(-60, 0, -50n), 'liquidity_negative'],
    ['a tick below all', change(-887_273, 0, 1n), 'tick_out_of_range'],
    ['a tick above all', change(0, 887_273, 1n), 'tick_out_of_range'],
    ['an empty range', change(60, 60, 1n), 'ticks_not_ordered'],
    ['a range in reverse', change(60, -60, 1n), 'ticks_not_ordered'],
  ])('%s', (_, wrong, reason) => {
    const before = structuredClone(map)
    expect(applyLiquidityDelta(map, wrong)).toEqual(unknown(reason))
    expect(map).toEqual(before)
  })
})

describe('the fold', () => {
  it('knows of every tick what the positions know', () => {
    fc.assert(
      fc.property(anyMints, anyTick, (mints, tick) => {
        const map = fold(mints)
        const sum = (of: (mint: Change) => boolean): bigint =>
          mints.filter(of).reduce((total, { liquidityDelta }) => total + liquidityDelta, 0n)
        const begins = sum(({ tickLower }) => tickLower === tick)
        const ends = sum(({ tickUpper }) => tickUpper === tick)
        expect(getTick(map, tick)).toEqual({
          tick,
          net: begins - ends,
          gross: begins + ends,
        })
        expect(activeLiquidityAt(map, tick)).toBe(
          sum(({ tickLower, tickUpper }) => tickLower <= tick && tick < tickUpper),
        )
      }),
    )
  })

  it('forgets what is burned, in any order', () => {
    fc.assert(
      fc.property(anyMints, anyMints, (kept, burned) => {
        expect(fold([...kept, ...burned, ...undone(burned)])).toEqual(fold(kept))
        expect(fold([...burned, ...kept, ...undone(burned).reverse()])).toEqual(fold(kept))
      }),
    )
  })

  it('survives being written as rows and read again in any order', () => {
    fc.assert(
      fc.property(anyMints, (mints) => {
        const map = fold(mints)
        const rows = listTicks(map)
        expect(buildTickMap(rows.toReversed())).toEqual(known(map))
        const withEmptyRow = [{ tick: 999_999, net: 0n, gross: 0n }, ...rows]
        expect(buildTickMap(withEmptyRow)).toEqual(known(map))
      }),
    )
  })
})

describe('rows that are no liquidity map are data', () => {
  const begin = { tick: 0, net: 5n, gross: 5n }
  const end = { tick: 60, net: -5n, gross: 5n }

  it.each([
    ['no rows: the empty map', [], known(emptyTickMap)],
    ['a tick out of range', [begin, { ...end, tick: 887_273 }], unknown('tick_out_of_range')],
    ['a broken tick', [begin, { ...end, tick: 0.5 }], unknown('tick_out_of_range')],
    ['a tick twice', [begin, begin, end], unknown('ticks_not_ordered')],
    ['an end before its beginning', [{ ...end, tick: -60 }, begin], unknown('liquidity_negative')],
    ['a gross below the net', [{ ...begin, gross: 4n }, end], unknown('liquidity_negative')],
    ['a negative gross', [{ tick: 0, net: 0n, gross: -1n }], unknown('liquidity_negative')],
    ['a beginning without an end', [begin], unknown('liquidity_endless')],
  ])('%s', (_, rows, expected) => {
    expect(buildTickMap(rows)).toEqual(expected)
  })
})

describe('reservesOf', () => {
  it('of an empty map is nothing', () => {
    expect(reservesFromTickMap(emptyTickMap, 1n << 96n)).toEqual({ amount0: 0n, amount1: 0n })
  })

  it('is the sum over the positions, less than a unit below it for each segment', () => {
    // L·2^96·(1/from − 1/to) and L·(to − from)/2^96, summed with 512 more bits than either needs.
    const scale = 1n << 512n
    const exact = (mints: readonly Change[], sqrtPriceX96: bigint) => {
      let [amount0, amount1] = [0n, 0n]
      for (const { tickLower, tickUpper, liquidityDelta } of mints) {
        const [lower, upper] = [sqrtPriceAtTick(tickLower), sqrtPriceAtTick(tickUpper)]
        const from = sqrtPriceX96 > lower ? sqrtPriceX96 : lower
        const to = sqrtPriceX96 < upper ? sqrtPriceX96 : upper
        if (from < upper) {
          amount0 += ((liquidityDelta << 96n) * (upper - from) * scale) / (from * upper)
        }
        if (to > lower) amount1 += (liquidityDelta * (to - lower) * scale) >> 96n
      }
      return { amount0, amount1 }
    }
    fc.assert(
      fc.property(anyMints, anySqrtPrice, (mints, sqrtPriceX96) => {
        const map = fold(mints)
        const reserves = reservesFromTickMap(map, sqrtPriceX96)
        const truth = exact(mints, sqrtPriceX96)
        for (const side of ['amount0', 'amount1'] as const) {
          const missing = truth[side] + BigInt(mints.length) - reserves[side] * scale
          expect(reserves[side]).toBeGreaterThanOrEqual(0n)
          expect(missing).toBeGreaterThanOrEqual(0n)
          expect(missing).toBeLessThan(scale * BigInt(map.ticks.length))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('is the same whatever prices the map was asked for before', () => {
    fc.assert(
      fc.property(anyMints, fc.array(anySqrtPrice, { maxLength: 6 }), (mints, prices) => {
        const map = fold(mints)
        for (const sqrtPriceX96 of [...prices, ...map.sqrtPricesX96]) {
          expect(reservesFromTickMap(map, sqrtPriceX96)).toEqual(
            reservesFromTickMap({ ...map }, sqrtPriceX96),
          )
        }
      }),
    )
  })

  it('moves one way: a higher price leaves no more token0 and no less token1', () => {
    fc.assert(
      fc.property(anyMints, anySqrtPrice, anySqrtPrice, (mints, a, b) => {
        const map = fold(mints)
        const low = reservesFromTickMap(map, a < b ? a : b)
        const high = reservesFromTickMap(map, a < b ? b : a)
        expect(high.amount0).toBeLessThanOrEqual(low.amount0)
        expect(high.amount1).toBeGreaterThanOrEqual(low.amount1)
      }),
    )
  })

  it('throws for no √price, however absurd', () => {
    const map = fold([change(-887_272, 887_272, 1n << 127n)])
    expect(reservesFromTickMap(map, 0n).amount1).toBe(0n)
    expect(reservesFromTickMap(map, 1n << 170n).amount0).toBe(0n)
  })
})
