import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyHistory, indexInPieces } from '../../../test/support/domain/sample-history.ts'
import { createSampleIndex, venues } from '../../../test/support/domain/sample-market.ts'
import { keccak } from '../../../test/support/domain/sample-pool.ts'
import { decodePoolEvents } from '../ingest/pool-events.ts'
import {
  dropCandlesBeforeFirstPrice,
  type HistoricalPool,
  historicalPoolAt,
  rewindPool,
  trackHistoricalPool,
} from './historical-pool.ts'
import type { Candle } from './stored-rows.ts'
import { emptyTickMap } from './tick-map.ts'
import { createTrackedPool } from './tracked-pool.ts'

const { roles } = createSampleIndex()

describe('a historical pool', () => {
  //  block      1      2      3      4 = now
  //  ingested   ▶──────▶──────▶──────▶
  //  rewound    ◀──────◀──────◀──────┘   the same at every block, except for a price that only
  //                                      an earlier swap would show
  test('equals the pool ingested up to its block, at every block on the way back', () => {
    fc.assert(
      fc.property(anyHistory, ({ blocks }) => {
        const { index } = indexInPieces([blocks])
        const known = { venues, keccak256: keccak, roles, findPool: index.book.identityOf }
        const now = blocks.at(-1)?.blockRef.block ?? 0
        for (const pool of index.book.all()) {
          let past = historicalPoolAt(pool, now, [])
          for (let at = blocks.length - 1; at > 0; at--) {
            const logs = blocks[at]?.logs ?? []
            const own = decodePoolEvents(logs, known).filter(
              ({ poolId }) => poolId === pool.identity.id,
            )
            past = rewindPool(past, own)
            const then = indexInPieces([blocks.slice(0, at)]).index.book.byId(pool.identity.id)
            expect(past.tickMap).toEqual((then ?? { tickMap: emptyTickMap }).tickMap)
            if (then === undefined || past.isPriceLater) continue
            expect(past.price).toEqual(then.state.price)
            expect(trackHistoricalPool(past).state.liquidity).toBe(then.state.liquidity)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  test('is the same whether kept rows or logs lead back to it', () => {
    fc.assert(
      fc.property(anyHistory, fc.nat(), ({ blocks }, cut) => {
        const { index, stored } = indexInPieces([blocks])
        const { block } = (blocks[cut % blocks.length] as (typeof blocks)[number]).blockRef
        const then = indexInPieces([
          blocks.filter(({ blockRef: anchor }) => anchor.block <= block),
        ]).index
        for (const pool of index.book.all()) {
          const changes = stored.liquidity
            .filter((each) => each.pool === pool.identity.number && each.block > block)
            .toReversed()
          const past = historicalPoolAt(pool, block, changes)
          const there = then.book.byId(pool.identity.id)
          expect(past.tickMap).toEqual((there ?? { tickMap: emptyTickMap }).tickMap)
          expect(past.isPriceLater).toBe((pool.state.lastSwapBlock ?? -1) > block)
        }
      }),
      { numRuns: 60 },
    )
  })
})

const identity = {
  number: 1,
  id: '0x01',
  version: 'v4',
  protocol: 'uniswap-v4',
  venue: '0x02',
  key: { token0: '0x03', token1: '0x04', fee: 500, tickSpacing: 10, hooks: null },
  createdBlock: 1,
  createdTs: 1,
} as const

describe('a pool whose rows contradict each other', () => {
  const removed = { tickLower: -10, tickUpper: 10, liquidityDelta: 5n }

  test.each([
    ['more was added than is there now', createTrackedPool(identity, null), [removed]],
    [
      'its map has a gap already',
      {
        ...createTrackedPool(identity, null),
        state: { ...createTrackedPool(identity, null).state, mapFault: 'index_gap' as const },
      },
      [],
    ],
  ])('has no map when %s, and is folded as one with a gap', (_, pool, changes) => {
    const past = historicalPoolAt(pool, 5, changes)
    expect(past.tickMap).toBe(null)
    expect(rewindPool(past, []).tickMap).toBe(null)
    expect(trackHistoricalPool(past).state).toMatchObject({ mapFault: 'index_gap', reserves: null })
  })
})

test.each([
  ['that still hold were so all the time', 1, { lpFee: 500, protocolFee: 0, block: 1 }],
  ['that changed later say nothing of the time before', 4, null],
])('the fees of a creation %s', (_, block, expected) => {
  const created = createTrackedPool(identity, null)
  const fees = { lpFee: 500, protocolFee: 0, block }
  const pool = { ...created, state: { ...created.state, fees } }
  expect(trackHistoricalPool(historicalPoolAt(pool, 5, [])).state.fees).toEqual(expected)
})

describe('buckets of a pool whose earlier price is a later one', () => {
  const past = (isPriceLater: boolean): HistoricalPool => ({
    identity,
    fees: null,
    tickMap: emptyTickMap,
    price: { sqrtPriceX96: 2n ** 96n, tick: 0 },
    isPriceLater,
  })
  const candle = (ts: number, swaps: number) => ({ pool: 1, width: 60, ts, swaps }) as Candle
  const swap = (ts: number) =>
    ({ pool: 1, ts }) as Parameters<typeof dropCandlesBeforeFirstPrice>[2][number]

  //          60      120     180     240
  //   still  ·        ·      swap     ·     of a price that stood later, only what follows the
  //          ✗        ✗       ✓       ✓     first swap is true
  test.each([
    ['keeps those from its first swap on', true, [190], [180, 240]],
    ['keeps none without any swap', true, [], [180]],
    ['keeps all of a price that stood', false, [190], [60, 120, 180, 240]],
  ] as const)('%s', (_, isLater, swaps, kept) => {
    const candles = [candle(60, 0), candle(120, 0), candle(180, 1), candle(240, 0)]
    const remaining = dropCandlesBeforeFirstPrice(
      candles,
      new Map([[1, past(isLater)]]),
      swaps.map(swap),
    )
    expect(remaining.map(({ ts }) => ts)).toEqual(kept)
  })

  test('keeps those of other pools', () => {
    const other = { ...candle(60, 0), pool: 2 }
    expect(dropCandlesBeforeFirstPrice([other], new Map([[1, past(true)]]), [])).toEqual([other])
  })
})
