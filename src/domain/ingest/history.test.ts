import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  anyHistory,
  indexInPieces,
  type SampleHistory,
} from '../../../test/support/domain/sample-history.ts'
import { addUsdMicro, type Candle, candleWidths, type StoredSwap } from '../pool/stored-rows.ts'
import { reservesFromTickMap } from '../pool/tick-map-reserves.ts'
import { rawPrice } from '../series/candles.ts'
import { bucketStart } from '../series/series-range.ts'

const piecesOf = <T>(items: readonly T[], cuts: readonly number[]): T[][] => {
  const ends = [...new Set(cuts.map((cut) => cut % items.length))].sort((a, b) => a - b)
  return [...ends, items.length].map((end, index) => items.slice(ends[index - 1] ?? 0, end))
}

/** The candle's own numbers, counted again from the swaps that lie in it. */
const recount = (candle: Candle, swaps: readonly StoredSwap[]): Partial<Candle> => {
  const own = swaps.filter(
    (swap) => swap.pool === candle.pool && bucketStart(swap.ts, candle.width) === candle.ts,
  )
  const prices = own.map((swap) => rawPrice(swap.sqrtPriceX96))
  const traded =
    prices.length === 0
      ? {}
      : {
          open: prices[0],
          high: Math.max(...prices),
          low: Math.min(...prices),
          close: prices.at(-1),
        }
  return {
    ...traded,
    usdMicro: own.reduce((sum, swap) => addUsdMicro(sum, swap.usdMicro ?? 0), 0),
    swaps: own.length,
    unpriced: own.filter((swap) => swap.usdMicro === null).length,
    estimated: own.filter((swap) => swap.estimated).length,
    implausible: own.filter((swap) => swap.implausible).length,
  } as Partial<Candle>
}

describe('any history', () => {
  it('leaves the same in the store, into whatever ranges it was cut', () => {
    fc.assert(
      fc.property(anyHistory, fc.array(fc.nat(), { maxLength: 12 }), ({ blocks }, cuts) => {
        const atOnce = indexInPieces([blocks])
        const inPieces = indexInPieces(piecesOf(blocks, cuts))
        expect(inPieces.stored).toEqual(atOnce.stored)
        expect([...inPieces.index.book.all()]).toEqual([...atOnce.index.book.all()])
      }),
      { numRuns: 150 },
    )
  })

  it('fits its candles: minutes, hours and days are what the swaps say', () => {
    fc.assert(
      fc.property(anyHistory, ({ blocks }) => {
        const { swaps, candles } = indexInPieces([blocks]).stored
        const buckets = new Set(
          candleWidths.flatMap((width) =>
            swaps.map((swap) => `${swap.pool}:${width}:${bucketStart(swap.ts, width)}`),
          ),
        )
        for (const key of buckets) expect(candles.has(key)).toBe(true)
        for (const candle of candles.values()) {
          expect(candle).toMatchObject(recount(candle, swaps))
          expect(candle.ts % candle.width).toBe(0)
        }
      }),
    )
  })

  it('has in each candle the reserves of its end, not of the range that it was read in', () => {
    const heldAt = ({ held }: SampleHistory, id: string, endTs: number) =>
      held.findLast((each) => each.id === id && each.ts < endTs)?.reserves
    fc.assert(
      fc.property(anyHistory, (history) => {
        const { stored } = indexInPieces([history.blocks])
        const ids = new Map(stored.pools.map((pool) => [pool.number, pool.id]))
        for (const { pool, ts, width, reserve0, reserve1 } of stored.candles.values()) {
          const truth = heldAt(history, ids.get(pool) ?? '', ts + width)
          expect([reserve0, reserve1]).toEqual([Number(truth?.amount0), Number(truth?.amount1)])
        }
      }),
    )
  })

  it('ends in pools that hold what their positions hold', () => {
    fc.assert(
      fc.property(anyHistory, ({ blocks, held }) => {
        const { index, stored } = indexInPieces([blocks])
        for (const { identity, state, tickMap: map } of index.book.all()) {
          expect(state.mapFault).toBe(null)
          expect(state.reserves).toEqual(held.findLast((each) => each.id === identity.id)?.reserves)
          expect(reservesFromTickMap(map, state.price?.sqrtPriceX96 ?? 0n)).toEqual(state.reserves)
          const rows = [...stored.ticks.values()].filter((row) => row.pool === identity.number)
          expect(rows.map((row) => row.tick).sort((a, b) => a - b)).toEqual(map.ticks)
        }
      }),
    )
  })
})
