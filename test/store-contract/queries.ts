import { describe, expect, test } from 'vitest'
import type { EventPlace } from '../../src/domain/pool/pool-event.ts'
import { candleWidths } from '../../src/domain/pool/stored-rows.ts'
import { amountsOf, toTrade } from '../support/store/amounts.ts'
import { keptHoursOf } from '../support/store/kept-hours.ts'
import type { OpenBench } from './bench.ts'
import {
  addressOf,
  batchOf,
  blockRefAt,
  candleAt,
  contentsOf,
  day,
  passAt,
  pointAt,
  swapAt,
} from './fixtures.ts'

const minutes = [0, 1, 2, 5, 9].map((minute) => day + minute * 60)

/** Which of the minutes a span answers: [the one before, those within]. */
const spans = [
  ['all', 0, 20, null, [0, 1, 2, 5, 9]],
  ['both ends included', 1, 5, 0, [1, 2, 5]],
  ['nothing within', 6, 8, 5, []],
  ['nothing before', -5, 0, null, [0]],
  ['nothing at all', -5, -1, null, []],
  ['only before', 10, 20, 9, []],
] as const

const tsAt = (minute: number): number => day + minute * 60

const describeSpans = (open: OpenBench): void => {
  test.each(spans)('candles and references, %s', async (_, from, to, before, within) => {
    const { store } = await open()
    const keys = [1, 2].flatMap((pool) => candleWidths.map((width) => ({ pool, width })))
    const candles = minutes.flatMap((ts, at) =>
      keys.map((key) => candleAt({ ...key, ts }, { close: at + key.pool })),
    )
    const references = minutes.flatMap((ts, at) => [
      pointAt(ts, at + 1),
      { ...pointAt(ts, 99), address: addressOf(102) },
    ])
    await store.commitRange(batchOf({ before: null, to: 1 }, { candles }))
    await store.recordEnrichment(passAt(day, { references }))
    const span = { width: 60, fromTs: tsAt(from), toTs: tsAt(to) } as const
    const [ofPool, ofToken] = await store.snapshot((snapshot) =>
      Promise.all([
        snapshot.candles({ pool: 1, ...span }),
        snapshot.references({ address: addressOf(101), ...span }),
      ]),
    )
    const expectedTs = within.map(tsAt)
    for (const { before: last, rows } of [ofPool, ofToken]) {
      expect(last?.ts ?? null).toBe(before === null ? null : tsAt(before))
      expect(rows.map(({ ts }) => ts)).toEqual(expectedTs)
    }
    expect(ofPool.rows.every(({ pool, width }) => pool === 1 && width === 60)).toBe(true)
    expect(ofToken.rows.every(({ usd }) => usd < 99)).toBe(true)
  })
}

const describeSwaps = (open: OpenBench): void => {
  test('swaps come newest first, of one pool, from a moment on, and only so many', async () => {
    const { store } = await open()
    // Four blocks a second; in each a swap of pools 1 and 2, in a second's first one of pool 3.
    const swaps = Array.from({ length: 20 }, (_, block) => block).flatMap((block) => {
      const ts = day + Math.floor(block / 4)
      const trading = block % 4 === 0 ? [1, 2, 3] : [1, 2]
      return trading.map((pool) => swapAt({ pool, block, logIndex: pool }, { ts }))
    })
    await store.commitRange(batchOf({ before: null, to: 19 }, { swaps }))
    const query = (pool: number, fromTs: number, rowsMax: number) =>
      store.snapshot((snapshot) => snapshot.swaps({ pool, fromTs, rowsMax }))
    const own = swaps.filter(({ pool }) => pool === 2).toReversed()
    expect(await query(2, 0, 100)).toEqual(own)
    expect(await query(2, 0, 5)).toEqual(own.slice(0, 5))
    for (const second of [0, 1, 3, 4, 5]) {
      const recent = own.filter(({ ts }) => ts >= day + second)
      expect(await query(2, day + second, 100)).toEqual(recent)
    }
    expect(await query(4, 0, 100)).toEqual([])
  })
}

const byPlace = (one: EventPlace, other: EventPlace): number =>
  one.block - other.block || one.logIndex - other.logIndex

const describeTraded = (open: OpenBench): void => {
  test('candles with swaps come in either order, and only so many', async () => {
    const { store } = await open()
    const candles = [1, 2].flatMap((pool) =>
      [60, 3600].flatMap((width) =>
        Array.from({ length: 12 }, (_, at) =>
          candleAt(
            { pool, width: width as 60 | 3600, ts: day + at * width },
            { swaps: at % 3, close: at + pool },
          ),
        ),
      ),
    )
    await store.commitRange(batchOf({ before: null, to: 1 }, { candles }))
    const own = candles.filter(({ pool, width, swaps }) => pool === 2 && width === 60 && swaps > 0)
    for (const [from, to, rowsMax] of [
      [0, 11, 99],
      [1, 7, 99],
      [0, 11, 3],
      [5, 4, 9],
    ] as const) {
      const span = { fromTs: tsAt(from), toTs: tsAt(to) }
      const within = own.filter(({ ts }) => ts >= span.fromTs && ts <= span.toTs)
      const read = (order: 'asc' | 'desc') =>
        store.snapshot((snapshot) =>
          snapshot.tradedCandles({ pool: 2, width: 60, ...span, order, rowsMax }),
        )
      expect(await read('asc')).toEqual(within.slice(0, rowsMax))
      expect(await read('desc')).toEqual(within.toReversed().slice(0, rowsMax))
    }
  })

  test('swaps of a pool add up between two times, and only so many of them', async () => {
    const { store } = await open()
    // Four blocks a second, two logs of each pool in a block.
    const swaps = Array.from({ length: 20 }, (_, block) =>
      [1, 2].flatMap((pool) =>
        [0, 10].map((logIndex) =>
          swapAt(
            { pool, block, logIndex: logIndex + pool },
            {
              ts: day + Math.floor(block / 4),
              amount0: -(10n ** 30n) - BigInt(block),
              usdMicro: block % 5 === 0 ? null : block,
              implausible: block % 2 === 0,
            },
          ),
        ),
      ),
    ).flat()
    await store.commitRange(batchOf({ before: null, to: 19 }, { swaps }))
    for (const [from, to, rowsMax] of [
      [0, 9, 99],
      [1, 3, 99],
      [2, 9, 5],
      [3, 3, 9],
      [-9, 0, 9],
    ] as const) {
      const span = { fromTs: day + from, toTs: day + to }
      const within = swaps.filter(
        ({ pool, ts }) => pool === 2 && ts >= span.fromTs && ts < span.toTs,
      )
      for (const token of [0, 1] as const) {
        const sums = await store.snapshot((snapshot) =>
          snapshot.tradedAmounts({ pool: 2, ...span, rowsMax, bucketSeconds: 3, token }),
        )
        const expected = amountsOf(within.slice(0, rowsMax), { token, bucketSeconds: 3 })
        expect(sums).toEqual(expected)
        const found = await store.snapshot((snapshot) =>
          snapshot.trades({ pools: [3, 1, 4], token, ...span }),
        )
        const ofPools = swaps.filter(
          ({ pool, ts }) => pool % 2 === 1 && ts >= span.fromTs && ts < span.toTs,
        )
        expect(found.toSorted(byPlace)).toEqual(ofPools.map((swap) => toTrade(swap, token)))
      }
    }
  })

  test('candles of several pools come in either order, and only so many of each', async () => {
    const { store } = await open()
    const candles = [1, 2, 3].flatMap((pool) =>
      Array.from({ length: 12 }, (_, at) =>
        candleAt(
          { pool, width: 60, ts: day + at * 60 * pool },
          { swaps: (at + pool) % 3, usdMicro: at * pool, unpriced: at % 2 },
        ),
      ),
    )
    await store.commitRange(batchOf({ before: null, to: 1 }, { candles }))
    const span = { fromTs: day + 60, toTs: day + 600 }
    for (const order of ['asc', 'desc'] as const) {
      const sums = await store.snapshot((snapshot) =>
        snapshot.tradedSums({ pools: [3, 1, 9], width: 60, ...span, order, rowsMax: 4 }),
      )
      const expected = [3, 1].flatMap((pool) => {
        const own = candles.filter(
          (each) =>
            each.pool === pool && each.swaps > 0 && each.ts >= span.fromTs && each.ts <= span.toTs,
        )
        return (order === 'asc' ? own : own.toReversed()).slice(0, 4)
      })
      expect(sums).toEqual(
        expected.map(({ pool, ts, usdMicro, swaps, unpriced }) => ({
          ...{ pool, ts, usdMicro, swaps, unpriced },
        })),
      )
    }
  })

  test('kept hours are those around the first minutes that are left', async () => {
    const { store } = await open()
    const hour = 3600
    const at = (pool: number, width: 60 | 3600, ts: number, swaps: number) =>
      candleAt({ pool, width, ts: day + ts }, { swaps })
    const candles = [
      // Minutes without swaps say nothing, and hours without swaps are not those before.
      ...[at(1, 60, hour + 60, 0), at(1, 60, 2 * hour + 60, 2), at(1, 60, 2 * hour + 120, 3)],
      ...[at(1, 60, 3 * hour, 7), at(1, 3600, 0, 4), at(1, 3600, hour, 0)],
      ...[at(1, 3600, 2 * hour, 6), at(1, 3600, 3 * hour, 7)],
      // Only hours are left.
      ...[at(2, 3600, 0, 4), at(2, 3600, hour, 5), at(2, 3600, 2 * hour, 6)],
      at(3, 60, 60, 1),
      at(5, 3600, 9 * hour, 1),
    ]
    await store.commitRange(batchOf({ before: null, to: 1 }, { candles }))
    const pools = [2, 1, 3, 4, 5]
    for (const toTs of [day, day + hour, day + 2 * hour + 60, day + 9 * hour]) {
      const found = await store.snapshot((snapshot) => snapshot.keptHours({ pools, toTs }))
      const expected = pools.map((pool) => {
        const own = candles.filter((each) => each.pool === pool && each.swaps > 0)
        return keptHoursOf(own, toTs)
      })
      expect(found).toEqual(expected)
    }
  })
}

const describeSnapshots = (open: OpenBench): void => {
  test('an empty store answers with nothing', async () => {
    const { store } = await open()
    const { header, ...rest } = await contentsOf(store)
    expect(header).toMatchObject({ revision: 0, cursor: null, head: null, enrichedTs: null })
    expect(Object.values(rest).flat()).toEqual([])
  })

  test('snapshots asked for at once are each answered; one that throws harms none', async () => {
    const { store } = await open()
    await store.commitRange(batchOf({ before: null, to: 7 }))
    const answers = await Promise.allSettled(
      [1, 2, 3, 4].map((number) =>
        store.snapshot(async (snapshot) => {
          const header = await snapshot.header()
          if (number === 2) throw new Error('my own')
          return [number, header?.cursor]
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(answers[3]).toMatchObject({ value: [4, blockRefAt(7)] })
  })

  test('a snapshot kept beyond its end refuses to answer', async () => {
    const { store } = await open()
    const kept = await store.snapshot(async (snapshot) => snapshot)
    await expect(kept.header()).rejects.toThrow('ended')
  })
}

export const describeQueries = (open: OpenBench): void => {
  describe('spans of time', () => describeSpans(open))
  describe('swaps', () => describeSwaps(open))
  describe('traded candles and trades', () => describeTraded(open))
  describe('snapshots', () => describeSnapshots(open))
}
